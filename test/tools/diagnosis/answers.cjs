/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go01: The amount is a float64 formatted with %f, which writes six decimal places. > one request 1`] = `
1. amount was "800.000000" when it was signed; your request has "800.00".
     signed  "800.000000"  10 characters
     sent    "800.00"      6 characters
                    ^^^^
   Perhaps its decimals were different.
   → Format the amount once, with two decimals, and sign and send that same text.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go02: An absent order id is formatted with %v and becomes "<nil>" instead of "null". > one request 1`] = `
1. The order id was "<nil>" when it was signed; for your request it is "null".
     signed  "<nil>"  5 characters
     sent    "null"   4 characters
              ^^^^^
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go03: The time stamp is decoded from JSON as float64 and formatted with %v, so it is in scientific notation. > one request 1`] = `
1. clientTimeStamp was "1.73774313971e+12" when it was signed; your request has "1737743139710".
     signed  "1.73774313971e+12"  17 characters
     sent    "1737743139710"      13 characters
               ^^^^^^^^^^^^^^^^
   Perhaps it was formatted as a language formats a floating-point number.
   → Keep it as text, or format it with digits only.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go04: The time stamp is UnixNano(), in nanoseconds instead of milliseconds. > one request 1`] = `
1. clientTimeStamp was "1737597758804000000" when it was signed; your request has "1737597758804".
     signed  "1737597758804000000"  19 characters
     sent    "1737597758804"        13 characters
                           ^^^^^^
   Perhaps it was in a different unit: 10 digits are seconds, 13 milliseconds, 16 microseconds.
   → Agree on one unit: the text is hashed, so both sides must sign and send the same. Amounts have two decimals, and time stamps are in epoch milliseconds, 13 digits.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go05: The amount is formatted with strconv.FormatFloat(x, 'f', -1, 64), so trailing zeros are missing. > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose amount begins with 1

1. explains 2 of 2, such as sid "7e0a4677-b419-460a-a053-22a70a523eef"
   amount was "160" when it was signed; your request has "160.00".
     signed  "160"     3 characters
     sent    "160.00"  6 characters
                 ^^^
   Perhaps its decimals were different.
   → Format the amount once, with two decimals, and sign and send that same text.

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go05: The amount is formatted with strconv.FormatFloat(x, 'f', -1, 64), so trailing zeros are missing. > one request 1`] = `
1. amount was "160" when it was signed; your request has "160.00".
     signed  "160"     3 characters
     sent    "160.00"  6 characters
                 ^^^
   Perhaps its decimals were different.
   → Format the amount once, with two decimals, and sign and send that same text.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go06: operationType is compared without converting it to lower case, so the refund or void is signed as a purchase. > one request 1`] = `
1. The terms were those of a purchase; your request is a refund.
   Perhaps the signer read another operationType, or none.
   → Send operationType as exactly purchase, refund, void or inquiry: anything else is signed as a purchase.

2. or: transactionFCRN was "" when it was signed; your request has "FCRN5471753617".
     signed  ""                0 characters
     sent    "FCRN5471753617"  14 characters
              ^^^^^^^^^^^^^^
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

Explanation 1 of 2 is the most likely.
! part 1 differs, and the first of these explains it
! part 2 differs, and the first of these explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go07: The digests are formatted with %X, which writes upper-case hexadecimal. > one request 1`] = `
1. The digests were written in uppercase.
   → Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.

✓ part 1 matches
✓ part 2 matches

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go08: An inquiry signs the amount of the request instead of an empty text. > one request 1`] = `
1. amount was "85316.40" when it was signed; for your request it is empty.
     signed  "85316.40"  8 characters
     sent    ""          0 characters
              ^^^^^^^^
   Perhaps the amount was used for an operation that ignores it.
   → Purchases and refunds sign the amount; voids and inquiries sign an empty text.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go09: Part 2 lacks the account number. > one request 1`] = `
1. accountNumber was "" when it was signed; your request has "00019001".
     signed  ""          0 characters
     sent    "00019001"  8 characters
              ^^^^^^^^
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go10: An absent order id is formatted with fmt.Sprint() and becomes "<nil>" instead of an empty text. > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose sid has capital letters

1. explains 2 of 2, such as sid "9DA2F035-FE21-449B-9973-CBFA09A0383A"
   orderId was "<nil>" when it was signed; for your request it is empty.
     signed  "<nil>"  5 characters
     sent    ""       0 characters
              ^^^^^
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go10: An absent order id is formatted with fmt.Sprint() and becomes "<nil>" instead of an empty text. > one request 1`] = `
1. orderId was "<nil>" when it was signed; for your request it is empty.
     signed  "<nil>"  5 characters
     sent    ""       0 characters
              ^^^^^
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go11: An absent order id is the zero value of a string, an empty text, instead of "null". > one request 1`] = `
1. The order id was "" when it was signed; for your request it is "null".
     signed  ""      0 characters
     sent    "null"  4 characters
              ^^^^
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go12: The terms are joined with strings.Join(terms, "|"). > one request 1`] = `
1. The terms were joined with "|" between them.
   → Join the terms with nothing between them.

2. or: The terms were joined with "|" between them, empty ones left out.
   → Join the terms with nothing between them.

Explanations 1 to 2 are equally likely.
! part 1 differs, and the first of these explains it
! part 2 differs, and the first of these explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go13: The reference is missing in part 2 and present in part 1. > one request 1`] = `
1. In part 2: transactionFCRN was "" when it was signed; your request has "FCRN4572755375".
     signed  ""                0 characters
     sent    "FCRN4572755375"  14 characters
              ^^^^^^^^^^^^^^
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go14: The environment variable of the token is not set, so os.Getenv() returns an empty token. > one request 1`] = `
1. The token had 0 characters when it was signed; yours has 20 characters.
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go15: The token comes from a file with Windows line ends and keeps "\\r\\n". > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose orderId has a character that is not ASCII

1. explains 2 of 2, such as sid "1cec3f19-111c-4810-b21a-2a9bd56009d0"
   Between the token and merchantAccountNumber, "\\r\\n" was added when it was signed.
   Perhaps the token was different: the signer had a line break at its end.
   → Write it with printf '%s' instead of echo, and take off the line break where a file is read.

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go15: The token comes from a file with Windows line ends and keeps "\\r\\n". > one request 1`] = `
1. Between the token and merchantAccountNumber, "\\r\\n" was added when it was signed.
   Perhaps the token was different: the signer had a line break at its end.
   → Write it with printf '%s' instead of echo, and take off the line break where a file is read.

2. or: Between the token and merchantAccountNumber, "\\r\\n" was added when it was signed.
   Perhaps merchantAccountNumber was "\\r\\nCAI-STORE-04": the signer had a line break at its start.
   → Write it with printf '%s' instead of echo, and take off the line break where a file is read.

Explanation 1 of 2 is the most likely.
✓ part 1 matches
! part 2 differs, and the first of these explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go16: The sid is converted with strings.ToLower(). > one request 1`] = `
1. sid was "99a88f63-fc18-4300-bf89-8ca7b4a90806" when it was signed; your request has "99A88F63-FC18-4300-BF89-8CA7B4A90806".
     signed  "99a88f63-fc18-4300-bf89-8ca7b4a90806"  36 characters
     sent    "99A88F63-FC18-4300-BF89-8CA7B4A90806"  36 characters
                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
   Perhaps its letters had a different case.
   → Sign and send it as it is stored: upper and lower case matter.

No other explanation was found.
! part 1 differs, and this explains it
✓ part 2 matches

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go17: An inquiry by ORDER_ID uses "null" instead of transactionId as order id. > one request 1`] = `
1. The order id was "null" when it was signed; your request has "ORD-81913".
     signed  "null"       4 characters
     sent    "ORD-81913"  9 characters
              ^^^^^^^^^
   Perhaps idType was read differently: transactionId is the order id only if idType is ORDER_ID, in upper or lower case.
   → Send idType ORDER_ID when transactionId is an order id, and compare it case-insensitively.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go18: In part 2 the account number comes before the token. > one request 1`] = `
1. The terms of part 2 were joined in the order clientTimeStamp, accountNumber, merchantToken, amount, referenceNumber.
   → Part 1: clientTimeStamp, sid, amount, reference. Part 2: clientTimeStamp, order id or null (variant A), token, account number, amount, reference.

✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go19: The amount is formatted with %f (six decimal places), and the absent order id is "<nil>" instead of "null". > one request 1`] = `
1. amount was "800.000000" when it was signed; your request has "800.00".
     signed  "800.000000"  10 characters
     sent    "800.00"      6 characters
                    ^^^^
   Perhaps its decimals were different.
   → Format the amount once, with two decimals, and sign and send that same text.
 + The order id was "<nil>" when it was signed; for your request it is "null".
     signed  "<nil>"  5 characters
     sent    "null"   4 characters
              ^^^^^
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go20: The time stamp is in scientific notation (%v of a float64), and transactionFCRN is used as order id. > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose accountNumber is "400012345678901"

1. explains 2 of 2, such as sid "db31c9dd-4bb8-4c4d-a1a5-369c46e9c8e8"
   clientTimeStamp was "1.737124191641e+12" when it was signed; your request has "1737124191641".
     signed  "1.737124191641e+12"  18 characters
     sent    "1737124191641"       13 characters
               ^^^^^^^^^^^^^^^^^
   Perhaps it was formatted as a language formats a floating-point number.
   → Keep it as text, or format it with digits only.
 + The order id was "FCRN8076528007" when it was signed; for your request it is "null".
     signed  "FCRN8076528007"  14 characters
     sent    "null"            4 characters
              ^^^^^^^^^^^^^^
   Perhaps it was taken from another field.
   → The order term is orderId; in an inquiry it is transactionId if idType is ORDER_ID. Without an order id it is the text null.

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go20: The time stamp is in scientific notation (%v of a float64), and transactionFCRN is used as order id. > one request 1`] = `
1. clientTimeStamp was "1.737124191641e+12" when it was signed; your request has "1737124191641".
     signed  "1.737124191641e+12"  18 characters
     sent    "1737124191641"       13 characters
               ^^^^^^^^^^^^^^^^^
   Perhaps it was formatted as a language formats a floating-point number.
   → Keep it as text, or format it with digits only.
 + The order id was "FCRN8076528007" when it was signed; for your request it is "null".
     signed  "FCRN8076528007"  14 characters
     sent    "null"            4 characters
              ^^^^^^^^^^^^^^
   Perhaps it was taken from another field.
   → The order term is orderId; in an inquiry it is transactionId if idType is ORDER_ID. Without an order id it is the text null.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go21: The digests are Base64, and the terms are joined with ":". > one request 1`] = `
1. The digests were written in base64, not in hexadecimal.
   → Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
 + The terms were joined with ":" between them.
   → Join the terms with nothing between them.

2. or: The digests were written in base64, not in hexadecimal.
   → Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
 + The terms were joined with ":" between them, empty ones left out.
   → Join the terms with nothing between them.

Explanations 1 to 2 are equally likely.
! part 1 differs, and the first of these explains it
! part 2 differs, and the first of these explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go22: The account number is an int without its leading zeros, and the absent order id is an empty text instead of "null". > one request 1`] = `
1. The order id was "" when it was signed; for your request it is "null".
     signed  ""      0 characters
     sent    "null"  4 characters
              ^^^^
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.
 + accountNumber was "19001" when it was signed; your request has "00019001".
     signed  "19001"     5 characters
     sent    "00019001"  8 characters
              ^^^
   Perhaps it was converted to a number, which drops zeros or adds .0.
   → Keep it as text from where it is entered to where it is signed and sent.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go23: The token is empty because its variable is not set, and the amount lacks trailing zeros. > one request 1`] = `
1. amount was "400" when it was signed; your request has "400.00".
     signed  "400"     3 characters
     sent    "400.00"  6 characters
                 ^^^
   Perhaps its decimals were different.
   → Format the amount once, with two decimals, and sign and send that same text.
 + The token had 0 characters when it was signed; yours has 25 characters.
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go24: The token keeps "\\r\\n" of its file, and the time stamp is in microseconds. > one request 1`] = `
1. clientTimeStamp was "1737439012292000" when it was signed; your request has "1737439012292".
     signed  "1737439012292000"  16 characters
     sent    "1737439012292"     13 characters
                           ^^^
   Perhaps it was in a different unit: 10 digits are seconds, 13 milliseconds, 16 microseconds.
   → Agree on one unit: the text is hashed, so both sides must sign and send the same. Amounts have two decimals, and time stamps are in epoch milliseconds, 13 digits.
 + Between the token and merchantAccountNumber, "\\r\\n" was added when it was signed.
   Perhaps the token was different: the signer had a line break at its end.
   → Write it with printf '%s' instead of echo, and take off the line break where a file is read.

2. or: clientTimeStamp was "1737439012292000" when it was signed; your request has "1737439012292".
     signed  "1737439012292000"  16 characters
     sent    "1737439012292"     13 characters
                           ^^^
   Perhaps it was in a different unit: 10 digits are seconds, 13 milliseconds, 16 microseconds.
   → Agree on one unit: the text is hashed, so both sides must sign and send the same. Amounts have two decimals, and time stamps are in epoch milliseconds, 13 digits.
 + Between the token and merchantAccountNumber, "\\r\\n" was added when it was signed.
   Perhaps merchantAccountNumber was "\\r\\n009900112": the signer had a line break at its start.
   → Write it with printf '%s' instead of echo, and take off the line break where a file is read.

Explanation 1 of 2 is the most likely.
! part 1 differs, and the first of these explains it
! part 2 differs, and the first of these explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go25: In both parts the reference comes before the amount, and the parts are joined with "|". > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose merchantAccountNumber is "0048812290"

✗ nothing explains 2 of 2, such as sid "sess_60b41c2facb2"
   Neither part matches, and no cause was found.
   Part 1 does not contain the token, so something else differs: check the time stamp, sid, amount and reference first. Compare the request that was signed with the one that was sent, character by character.
   The search reached its limit before everything was tried.

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go25: In both parts the reference comes before the amount, and the parts are joined with "|". > one request 1`] = `
✗ part 1 differs
✗ part 2 differs

Neither part matches, and no cause was found.
Part 1 does not contain the token, so something else differs: check the time stamp, sid, amount and reference first. Compare the request that was signed with the one that was sent, character by character.
The search reached its limit before everything was tried.

N texts hashed, the limit; --max-tries raises it; --deep tries many more

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go26: Both parts are HMAC-SHA256 of the correct texts, and the token (key and term) keeps a trailing newline. > one request 1`] = `
✗ part 1 differs
✗ part 2 differs

Neither part matches, and no cause was found.
Part 1 does not contain the token, so something else differs: check the time stamp, sid, amount and reference first. Compare the request that was signed with the one that was sent, character by character.
The search reached its limit before everything was tried.

N texts hashed, the limit; --max-tries raises it; --deep tries many more

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go27: The text is passed to h.Sum() instead of h.Write(): hex of the text, followed by the digest of nothing. > one request 1`] = `
1. The text itself was written, with the digest of nothing after it, as Go's Sum(text) does.
   → Write the text to the hash, and call Sum(nil); or call sha256.Sum256([]byte(text)).

✓ part 1 matches
✓ part 2 matches

The signature contains the merchant token. The token is published: replace it now.

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go28: The signer hashes fmt.Sprint() of a slice: the terms are in brackets with spaces between them. > one request 1`] = `
1. Each term was in a list, with " " between them, in [].
   → Join the texts themselves, not what a language prints for a list.

! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go29: The time stamp is an int64 formatted with %s, which writes "%!s(int64=1736852000123)". > one request 1`] = `
1. clientTimeStamp was "%!s(int64=1737474818171)" when it was signed; your request has "1737474818171".
     signed  "%!s(int64=1737474818171)"  24 characters
     sent    "1737474818171"             13 characters
              ^^^^^^^^^^^^^^^^^^^^^^^^
   Perhaps it was in brackets, or in what a language prints around a value, such as Optional(…).
   → Use its plain text, as it was generated.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go30: The order id passes through json.Marshal, which adds quotation marks and writes "&" as \\u0026. > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose orderId has a character that is not ASCII

✗ nothing explains 2 of 2, such as sid "dXpefZQOjHZogbCCMZ-OD"
   Part 1 matches: the time stamp, sid, amount and reference in part 1 are right.
   Part 2 differs, and no cause was found: compare the order id, account number and token with the signer's, the token by its key check value.
   The search reached its limit before everything was tried.

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go30: The order id passes through json.Marshal, which adds quotation marks and writes "&" as \\u0026. > one request 1`] = `
✓ part 1 matches
✗ part 2 differs

Part 1 matches: the time stamp, sid, amount and reference in part 1 are right.
Part 2 differs, and no cause was found: compare the order id, account number and token with the signer's, the token by its key check value.
The search reached its limit before everything was tried.

N texts hashed, the limit; --max-tries raises it; --deep tries many more

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go31: The order id is a *string formatted with %v, so the address of the variable is hashed. > one request 1`] = `
✓ part 1 matches
✗ part 2 differs

Part 1 matches: the time stamp, sid, amount and reference in part 1 are right.
Part 2 differs, and no cause was found: compare the order id, account number and token with the signer's, the token by its key check value.
The search reached its limit before everything was tried.

N texts hashed, the limit; --max-tries raises it; --deep tries many more

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go32: The terms are joined with fmt.Sprintln(), which adds spaces and a newline. > one request 1`] = `
✗ part 1 differs
✗ part 2 differs

Neither part matches, and no cause was found.
Part 1 does not contain the token, so something else differs: check the time stamp, sid, amount and reference first. Compare the request that was signed with the one that was sent, character by character.
The search reached its limit before everything was tried.

N texts hashed, the limit; --max-tries raises it; --deep tries many more

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go33: The reference is the shop's internal number of the order instead of the order id of the request. > one request 1`] = `
✗ part 1 differs
✗ part 2 differs

Neither part matches, and no cause was found.
Part 1 does not contain the token, so something else differs: check the time stamp, sid, amount and reference first. Compare the request that was signed with the one that was sent, character by character.
The search reached its limit before everything was tried.

N texts hashed, the limit; --max-tries raises it; --deep tries many more

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > go34: Both parts are SHA-1 digests, and the amount is formatted with one decimal place. > one request 1`] = `
1. The digests are those of SHA1; the scheme uses SHA-256.
   → Use SHA-256.
 + amount was "634.5" when it was signed; your request has "634.50".
     signed  "634.5"   5 characters
     sent    "634.50"  6 characters
                   ^
   Perhaps its decimals were different.
   → Format the amount once, with two decimals, and sign and send that same text.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ja01: The amount is a double joined as text, so "100.00" becomes "100.0". > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose merchantAccountNumber is "770045"

1. explains 2 of 2, such as sid "Kasse3-4347"
   amount was "300.0" when it was signed; your request has "300.00".
     signed  "300.0"   5 characters
     sent    "300.00"  6 characters
                   ^
   Perhaps its decimals were different.
   → Format the amount once, with two decimals, and sign and send that same text.

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ja01: The amount is a double joined as text, so "100.00" becomes "100.0". > one request 1`] = `
1. amount was "300.0" when it was signed; your request has "300.00".
     signed  "300.0"   5 characters
     sent    "300.00"  6 characters
                   ^
   Perhaps its decimals were different.
   → Format the amount once, with two decimals, and sign and send that same text.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ja02: The amount is a double joined as text, which is in scientific notation from ten millions ("1.25000005E7"). > one request 1`] = `
1. amount was "3.67000005E7" when it was signed; your request has "36700000.50".
     signed  "3.67000005E7"  12 characters
     sent    "36700000.50"   11 characters
               ^^^^^^^^^^^
   Perhaps it was formatted as a language formats a floating-point number.
   → Keep it as text, or format it with digits only.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ja03: A purchase has a null reference, which Java joins as the text "null" instead of an empty text. > one request 1`] = `
1. The reference was "null" when it was signed; for your request it is empty.
     signed  "null"  4 characters
     sent    ""      0 characters
              ^^^^
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ja04: The amount is formatted with String.format("%.2f") in a German locale, so it has a decimal comma. > one request 1`] = `
1. amount was "79,29" when it was signed; your request has "79.29".
     signed  "79,29"  5 characters
     sent    "79.29"  5 characters
                ^
   Perhaps its decimal or thousands separators were different.
   → Sign and send plain digits with a decimal point, whatever the locale; separators belong on the screen only.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ja05: The amount is BigDecimal.stripTrailingZeros().toString(), so "100.00" becomes "1E+2". > one request 1`] = `
1. amount was "2E+2" when it was signed; your request has "200.00".
     signed  "2E+2"    4 characters
     sent    "200.00"  6 characters
               ^^^^^
   Perhaps it was formatted as a language formats a floating-point number.
   → Keep it as text, or format it with digits only.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ja06: Integer.toHexString() writes the bytes of the digests without leading zeros, so the parts are too short. > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose orderId is given

1. explains 2 of 2, such as sid "11c7b0f7-5546-44c0-961d-00c303842b60"
   The digests were written without leading zeros: of each byte below 16, or of the whole.
   → Write two hexadecimal digits for each byte: %02x, padStart(2, '0').

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ja06: Integer.toHexString() writes the bytes of the digests without leading zeros, so the parts are too short. > one request 1`] = `
1. The digests were written without leading zeros: of each byte below 16, or of the whole.
   → Write two hexadecimal digits for each byte: %02x, padStart(2, '0').

✓ part 1 matches
✓ part 2 matches

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ja07: The backend takes System.currentTimeMillis() instead of the time stamp of the request; it is a little later. > one request 1`] = `
1. clientTimeStamp was "1737044882639" when it was signed; your request has "1737044882636".
     signed  "1737044882639"  13 characters
     sent    "1737044882636"  13 characters
                          ^
   Perhaps the clock was read twice, once for the signature and once for the request.
   → Take the time stamp once, and use the same value for the signature and for the payment request.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ja08: The time stamp is converted through a local date and time without its zone, so it is two hours too late. > one request 1`] = `
1. clientTimeStamp was "1737213988500" when it was signed; your request has "1737206788500".
     signed  "1737213988500"  13 characters
     sent    "1737206788500"  13 characters
                   ^^^
   Perhaps it differed by the offset of a time zone, as when local time is used as UTC.
   → Epoch milliseconds have no time zone: take them from the clock, not from a formatted date.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ja09: An absent order id is null, which Java joins as the text "null" instead of an empty text. > one request 1`] = `
1. orderId was "null" when it was signed; for your request it is empty.
     signed  "null"  4 characters
     sent    ""      0 characters
              ^^^^
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ja10: The order id is an Optional joined as text: "Optional[...]". > one request 1`] = `
1. orderId was "Optional[WC#7321]" when it was signed; your request has "WC#7321".
     signed  "Optional[WC#7321]"  17 characters
     sent    "WC#7321"            7 characters
              ^^^^^^^^^^^^^^^^^
   Perhaps it was in brackets, or in what a language prints around a value, such as Optional(…).
   → Use its plain text, as it was generated.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ja11: Both parts are SHA-512 digests instead of SHA-256. > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose merchantAccountNumber is "2200918"

1. explains 2 of 2, such as sid "9d58667d-04f9-4ffc-8f04-e563798841bf"
   The digests are those of SHA512; the scheme uses SHA-256.
   → Use SHA-256.

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ja11: Both parts are SHA-512 digests instead of SHA-256. > one request 1`] = `
1. The digests are those of SHA512; the scheme uses SHA-256.
   → Use SHA-256.

! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ja12: The token is the Base64 text of the Kubernetes secret, which nobody decoded. > one request 1`] = `
1. The token had 40 characters when it was signed; yours has 30 characters.
   Perhaps it was base64-encoded or decoded on one side.
   → Use the plain text on both sides; a Kubernetes secret is base64 in its YAML and plain in the container.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ja13: The amount is rounded to a whole number with setScale(0, HALF_UP). > one request 1`] = `
1. amount was "100" when it was signed; your request has "100.00".
     signed  "100"     3 characters
     sent    "100.00"  6 characters
                 ^^^
   Perhaps its decimals were different.
   → Format the amount once, with two decimals, and sign and send that same text.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ja14: Copied line: part 1 is computed from the terms of part 2, so both parts are equal. > one request 1`] = `
1. Part 1 had the terms of part 2.
   → Part 1: clientTimeStamp, sid, amount, reference. Part 2: clientTimeStamp, order id or null (variant A), token, account number, amount, reference.

! part 1 differs, and this explains it
✓ part 2 matches

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ja15: The signer uses the subtotal of the cart, without tax and delivery, instead of the amount of the request. > one request 1`] = `
✗ part 1 differs
✗ part 2 differs

Neither part matches, and no cause was found.
Part 1 does not contain the token, so something else differs: check the time stamp, sid, amount and reference first. Compare the request that was signed with the one that was sent, character by character.
The search reached its limit before everything was tried.

N texts hashed, the limit; --max-tries raises it; --deep tries many more

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ja16: The order id comes from the session and is the one of the previous order. > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose amount begins with 5

✗ nothing explains 2 of 2, such as sid "Lx2hoDSEzHICBChOM9twd"
   Part 1 matches: the time stamp, sid, amount and reference in part 1 are right.
   Part 2 differs, and no cause was found: compare the order id, account number and token with the signer's, the token by its key check value.
   The search reached its limit before everything was tried.

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ja16: The order id comes from the session and is the one of the previous order. > one request 1`] = `
✓ part 1 matches
✗ part 2 differs

Part 1 matches: the time stamp, sid, amount and reference in part 1 are right.
Part 2 differs, and no cause was found: compare the order id, account number and token with the signer's, the token by its key check value.
The search reached its limit before everything was tried.

N texts hashed, the limit; --max-tries raises it; --deep tries many more

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ja17: The amount has the currency after it: "100.00 EGP". > one request 1`] = `
1. amount was "400.00 EGP" when it was signed; your request has "400.00".
     signed  "400.00 EGP"  10 characters
     sent    "400.00"      6 characters
                    ^^^^
   Perhaps a currency was added or removed.
   → Sign and send only the number.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ja18: The amount is a double joined as text ("100.0", "149.5"), and the reference of the purchase is the text "null". > one request 1`] = `
1. The joined text of amount and the reference was "400.0null" when it was signed; your request has "400.00".
   Perhaps amount was "400.0": its decimals were different.
   → Format the amount once, with two decimals, and sign and send that same text.
   Perhaps the reference was "null": an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ja19: The amount has a decimal comma of the locale, and the time stamp is in seconds. > one request 1`] = `
1. clientTimeStamp was "1737624368" when it was signed; your request has "1737624368443".
     signed  "1737624368"     10 characters
     sent    "1737624368443"  13 characters
                        ^^^
   Perhaps it was in a different unit: 10 digits are seconds, 13 milliseconds, 16 microseconds.
   → Agree on one unit: the text is hashed, so both sides must sign and send the same. Amounts have two decimals, and time stamps are in epoch milliseconds, 13 digits.
 + amount was "55,19" when it was signed; your request has "55.19".
     signed  "55,19"  5 characters
     sent    "55.19"  5 characters
                ^
   Perhaps its decimal or thousands separators were different.
   → Sign and send plain digits with a decimal point, whatever the locale; separators belong on the screen only.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ja20: The absent order id is the text "null" instead of an empty text, and the digests are upper-case hexadecimal. > one request 1`] = `
1. The digests were written in uppercase.
   → Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
 + orderId was "null" when it was signed; for your request it is empty.
     signed  "null"  4 characters
     sent    ""      0 characters
              ^^^^
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ja21: The amount is in scientific notation (stripTrailingZeros(), "1E+2"), and the token is its own Base64 text. > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose merchantAccountNumber is "400012345678901"

1. explains 2 of 2, such as sid "3223b5ce-d983-429e-a090-c783c811fdeb"
   amount was "3E+2" when it was signed; your request has "300.00".
     signed  "3E+2"    4 characters
     sent    "300.00"  6 characters
               ^^^^^
   Perhaps it was formatted as a language formats a floating-point number.
   → Keep it as text, or format it with digits only.
 + The token had 44 characters when it was signed; yours has 32 characters.
   Perhaps it was base64-encoded or decoded on one side.
   → Use the plain text on both sides; a Kubernetes secret is base64 in its YAML and plain in the container.

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ja21: The amount is in scientific notation (stripTrailingZeros(), "1E+2"), and the token is its own Base64 text. > one request 1`] = `
1. amount was "3E+2" when it was signed; your request has "300.00".
     signed  "3E+2"    4 characters
     sent    "300.00"  6 characters
               ^^^^^
   Perhaps it was formatted as a language formats a floating-point number.
   → Keep it as text, or format it with digits only.
 + The token had 44 characters when it was signed; yours has 32 characters.
   Perhaps it was base64-encoded or decoded on one side.
   → Use the plain text on both sides; a Kubernetes secret is base64 in its YAML and plain in the container.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ja22: transactionFCRN is a long without its leading zeros, and part 2 lacks the account number. > one request 1`] = `
1. Between amount and transactionFCRN, "0" was missing when it was signed.
   Perhaps amount was "54398.6": its decimals were different.
   → Format the amount once, with two decimals, and sign and send that same text.
 + accountNumber was "" when it was signed; your request has "00019001".
     signed  ""          0 characters
     sent    "00019001"  8 characters
              ^^^^^^^^
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

2. or: Between amount and transactionFCRN, "0" was missing when it was signed.
   Perhaps transactionFCRN was "129765742213": it was converted to a number, which drops zeros or adds .0.
   → Keep it as text from where it is entered to where it is signed and sent.
 + accountNumber was "" when it was signed; your request has "00019001".
     signed  ""          0 characters
     sent    "00019001"  8 characters
              ^^^^^^^^
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

Explanations 1 to 2 are equally likely.
! part 1 differs, and the first of these explains it
! part 2 differs, and the first of these explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ja23: The parts are swapped, and the amount is rounded to a whole number. > one request 1`] = `
1. The parts were in the wrong order.
   → Put part 1, which has the session id, first.
 + amount was "2101" when it was signed; your request has "2101.25".
     signed  "2101"     4 characters
     sent    "2101.25"  7 characters
                  ^^^
   Perhaps its decimals were different.
   → Format the amount once, with two decimals, and sign and send that same text.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ja24: The order id is "Optional[...]", and the time stamp is taken again a little later. > one request 1`] = `
1. clientTimeStamp was "1737649049070" when it was signed; your request has "1737649049067".
     signed  "1737649049070"  13 characters
     sent    "1737649049067"  13 characters
                         ^^
   Perhaps the clock was read twice, once for the signature and once for the request.
   → Take the time stamp once, and use the same value for the signature and for the payment request.
 + orderId was "Optional[WC#7321]" when it was signed; your request has "WC#7321".
     signed  "Optional[WC#7321]"  17 characters
     sent    "WC#7321"            7 characters
              ^^^^^^^^^^^^^^^^^
   Perhaps it was in brackets, or in what a language prints around a value, such as Optional(…).
   → Use its plain text, as it was generated.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ja25: new BigInteger(1, digest).toString(16) drops the leading zeros of a part, so only some signatures are wrong. > one request 1`] = `
1. The digests were written without leading zeros: of each byte below 16, or of the whole.
   → Write two hexadecimal digits for each byte: %02x, padStart(2, '0').

✓ part 1 matches
✓ part 2 matches

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ja26: The texts are encoded as ISO-8859-1, the default of the server; other characters become "?". > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose orderId has a character that is not ASCII

1. explains 2 of 2, such as sid "N8Zl1wy7A64drMN4rPAmV"
   orderId was "?abka & Co 524" when it was signed; your request has "Żabka & Co 524".
     signed  "?abka & Co 524"  14 characters
     sent    "Żabka & Co 524"  14 characters
              ^
   Perhaps characters that are not ASCII were dropped or replaced.
   → Keep the text in a column or an encoding that has all its characters: utf8mb4 in MySQL.

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ja26: The texts are encoded as ISO-8859-1, the default of the server; other characters become "?". > one request 1`] = `
1. orderId was "?abka & Co 524" when it was signed; your request has "Żabka & Co 524".
     signed  "?abka & Co 524"  14 characters
     sent    "Żabka & Co 524"  14 characters
              ^
   Perhaps characters that are not ASCII were dropped or replaced.
   → Keep the text in a column or an encoding that has all its characters: utf8mb4 in MySQL.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ja27: The texts are hashed twice: SHA-256 of the hexadecimal SHA-256. > one request 1`] = `
1. The digest was hashed again, from its hexadecimal digits.
   → Hash each text once.

! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ja28: The token is a char[] joined as text, so the type and the identity of the array are hashed. > one request 1`] = `
✓ part 1 matches
✗ part 2 differs

Part 1 matches: the time stamp, sid, amount and reference in part 1 are right.
Part 2 differs, and no cause was found: compare the order id, account number and token with the signer's, the token by its key check value.
The search reached its limit before everything was tried.

N texts hashed, the limit; --max-tries raises it; --deep tries many more

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ja29: The amount is formatted in the locale ar-EG, so it has Arabic-Indic digits and an Arabic decimal separator. > one request 1`] = `
1. amount was "٤٠٠٫٠٠" when it was signed; your request has "400.00".
     signed  "٤٠٠٫٠٠"  6 characters
     sent    "400.00"  6 characters
              ^^^^^^
   Perhaps it was written in the digits of another script.
   → Format numbers with a fixed locale that has ASCII digits, such as en-US.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ja30: The texts are encoded as UTF-16 (big-endian, with a byte order mark) instead of UTF-8. > one request 1`] = `
✗ part 1 differs
✗ part 2 differs

Neither part matches, and no cause was found.
Part 1 does not contain the token, so something else differs: check the time stamp, sid, amount and reference first. Compare the request that was signed with the one that was sent, character by character.
The search reached its limit before everything was tried.

N texts hashed, the limit; --max-tries raises it; --deep tries many more

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js01: The amount is a number, so trailing zeros are missing ("100.00" becomes "100", "149.50" becomes "149.5"). > one request 1`] = `
1. amount was "300" when it was signed; your request has "300.00".
     signed  "300"     3 characters
     sent    "300.00"  6 characters
                 ^^^
   Perhaps its decimals were different.
   → Format the amount once, with two decimals, and sign and send that same text.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js02: An absent order id is the text "undefined" instead of "null". > one request 1`] = `
1. The order id was "undefined" when it was signed; for your request it is "null".
     signed  "undefined"  9 characters
     sent    "null"       4 characters
              ^^^^^^^^^
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js03: Date.now() is called twice: part 2 has a time stamp that is some milliseconds later than the one of part 1. > one request 1`] = `
1. In part 2: clientTimeStamp was "1737649049070" when it was signed; your request has "1737649049067".
     signed  "1737649049070"  13 characters
     sent    "1737649049067"  13 characters
                         ^^
   Perhaps the clock was read twice, once for the signature and once for the request.
   → Take the time stamp once, and use the same value for the signature and for the payment request.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js04: An inquiry without amount signs the text "undefined" as its amount. > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose operationType is "inquiry"

1. explains 2 of 2, such as sid "1c3f6d9b-f6dc-4a62-85b1-7a771c8e4fcb"
   amount was "undefined" when it was signed; for your request it is empty.
     signed  "undefined"  9 characters
     sent    ""           0 characters
              ^^^^^^^^^
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js04: An inquiry without amount signs the text "undefined" as its amount. > one request 1`] = `
1. amount was "undefined" when it was signed; for your request it is empty.
     signed  "undefined"  9 characters
     sent    ""           0 characters
              ^^^^^^^^^
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js05: The sid is generated again with randomUUID() for the signature, so it differs from the sid of the request. > one request 1`] = `
✗ part 1 differs
✓ part 2 matches

Part 2 matches: the token, and the time stamp, amount and reference in part 2, are right. Part 1 differs in something else, most often the sid: generate the sid once, for the signature and the payment request.
The search reached its limit before everything was tried.

N texts hashed, the limit; --max-tries raises it; --deep tries many more

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js06: The order id has "#" before it, as the shop shows it to its customers. > one request 1`] = `
1. orderId was "#c316bc39-f3fb-46a4-a482-cc3b17550252" when it was signed; your request has "c316bc39-f3fb-46a4-a482-cc3b17550252".
     signed  "#c316bc39-f3fb-46a4-a482-cc3b17550252"  37 characters
     sent    "c316bc39-f3fb-46a4-a482-cc3b17550252"   36 characters
              ^
   Perhaps something was added or removed at its start or end.
   → Sign and send the same text, with nothing before or after it.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js07: The amount is formatted with toLocaleString('en-US'), so it has thousands separators. > one request 1`] = `
1. amount was "8,647.75" when it was signed; your request has "8647.75".
     signed  "8,647.75"  8 characters
     sent    "8647.75"   7 characters
               ^
   Perhaps its decimal or thousands separators were different.
   → Sign and send plain digits with a decimal point, whatever the locale; separators belong on the screen only.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js08: Both digests are written as Base64 instead of hexadecimal. > one request 1`] = `
1. The digests were written in base64, not in hexadecimal.
   → Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.

✓ part 1 matches
✓ part 2 matches

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js09: Part 2 has the sid in the place of the order id. > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose merchantAccountNumber has capital letters

1. explains 2 of 2, such as sid "fE4JKGYp0kIuYLdKA390a"
   orderId was "fE4JKGYp0kIuYLdKA390a" when it was signed; your request has "طلب-490".
     signed  "fE4JKGYp0kIuYLdKA390a"  21 characters
     sent    "طلب-490"                7 characters
              ^^^^^^^^^^^^^^^^^^^^^
   Perhaps sid stood in its place.
   → Part 1: clientTimeStamp, sid, amount, reference. Part 2: clientTimeStamp, order id or null (variant A), token, account number, amount, reference.

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js09: Part 2 has the sid in the place of the order id. > one request 1`] = `
1. orderId was "fE4JKGYp0kIuYLdKA390a" when it was signed; your request has "طلب-490".
     signed  "fE4JKGYp0kIuYLdKA390a"  21 characters
     sent    "طلب-490"                7 characters
              ^^^^^^^^^^^^^^^^^^^^^
   Perhaps sid stood in its place.
   → Part 1: clientTimeStamp, sid, amount, reference. Part 2: clientTimeStamp, order id or null (variant A), token, account number, amount, reference.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js10: An absent order id is the text "undefined" instead of an empty text. > one request 1`] = `
1. orderId was "undefined" when it was signed; for your request it is empty.
     signed  "undefined"  9 characters
     sent    ""           0 characters
              ^^^^^^^^^
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js11: The amount is in minor units: Math.round(amount * 100). > one request 1`] = `
1. amount was "40000" when it was signed; your request has "400.00".
     signed  "40000"   5 characters
     sent    "400.00"  6 characters
                 ^
   Perhaps one side uses minor units (hundredths or thousandths).
   → Agree on one unit: the text is hashed, so both sides must sign and send the same. Amounts have two decimals, and time stamps are in epoch milliseconds, 13 digits.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js12: The time stamp is ISO 8601 text from toISOString() instead of epoch milliseconds. > one request 1`] = `
1. clientTimeStamp was "2025-01-24T00:19:37.108Z" when it was signed; your request has "1737677977108".
     signed  "2025-01-24T00:19:37.108Z"  24 characters
     sent    "1737677977108"             13 characters
              ^^^^^^^^^^^^^^^^^^^^^^^^
   Perhaps it was a date as text, not a number.
   → Use epoch milliseconds, 13 digits, on both sides.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js13: Array.join() without argument puts commas between the terms. > one request 1`] = `
1. The terms were joined with "," between them.
   → Join the terms with nothing between them.

! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js14: The parts are swapped: the part with the token comes first. > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail

1. explains 2 of 2, such as sid "4DFF5A30-F21B-4DB7-A8E0-9BDF9108EA14"
   The parts were in the wrong order.
   → Put part 1, which has the session id, first.

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js14: The parts are swapped: the part with the token comes first. > one request 1`] = `
1. The parts were in the wrong order.
   → Put part 1, which has the session id, first.

! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js15: A purchase uses the order id as referenceNumber, as variant B does. > one request 1`] = `
1. The reference was "00006665" when it was signed; for your request it is empty.
     signed  "00006665"  8 characters
     sent    ""          0 characters
              ^^^^^^^^
   Perhaps it was taken from another field.
   → A purchase has no reference; refund and void use transactionFCRN, an inquiry transactionId, variant B orderId.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js16: The environment variable of the token is not set, so the text "undefined" is hashed as token. > one request 1`] = `
1. The token had 9 characters when it was signed; yours has 64 characters.
   Perhaps it was missing: an empty text or a placeholder was used.
   → Check that the variable reaches the process that signs; compare the key check values.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js17: The account number is converted to a number and loses its leading zeros. > one request 1`] = `
1. accountNumber was "7712345" when it was signed; your request has "0007712345".
     signed  "7712345"     7 characters
     sent    "0007712345"  10 characters
              ^^^
   Perhaps it was converted to a number, which drops zeros or adds .0.
   → Keep it as text from where it is entered to where it is signed and sent.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js18: A refund signs an empty amount, as if it were a void. > one request 1`] = `
1. The terms were those of a void; your request is a refund.
   Perhaps the signer read another operationType, or none.
   → Send operationType as exactly purchase, refund, void or inquiry: anything else is signed as a purchase.

2. or: amount was "" when it was signed; your request has "40.19".
     signed  ""       0 characters
     sent    "40.19"  5 characters
              ^^^^^
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

Explanation 1 of 2 is the most likely.
! part 1 differs, and the first of these explains it
! part 2 differs, and the first of these explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js19: The amount is a number without trailing zeros, and the absent order id is the text "undefined". > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose amount ends in 0

1. explains 2 of 2, such as sid "sess_164929dbf499"
   amount was "100" when it was signed; your request has "100.00".
     signed  "100"     3 characters
     sent    "100.00"  6 characters
                 ^^^
   Perhaps its decimals were different.
   → Format the amount once, with two decimals, and sign and send that same text.
 + The order id was "undefined" when it was signed; for your request it is "null".
     signed  "undefined"  9 characters
     sent    "null"       4 characters
              ^^^^^^^^^
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js19: The amount is a number without trailing zeros, and the absent order id is the text "undefined". > one request 1`] = `
1. amount was "100" when it was signed; your request has "100.00".
     signed  "100"     3 characters
     sent    "100.00"  6 characters
                 ^^^
   Perhaps its decimals were different.
   → Format the amount once, with two decimals, and sign and send that same text.
 + The order id was "undefined" when it was signed; for your request it is "null".
     signed  "undefined"  9 characters
     sent    "null"       4 characters
              ^^^^^^^^^
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js20: The digests are Base64url, and the parts are joined with ".". > one request 1`] = `
1. The digests were written in base64, not in hexadecimal.
 + The parts were separated by ".", not "///".
   → Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.

✓ part 1 matches
✓ part 2 matches

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js21: The sid is generated again, and part 2 has a later time stamp from a second call of Date.now(). > one request 1`] = `
1. clientTimeStamp was "1737057997722" when it was signed; your request has "1737057997721".
     signed  "1737057997722"  13 characters
     sent    "1737057997721"  13 characters
                          ^
   Perhaps the clock was read twice, once for the signature and once for the request.
   → Take the time stamp once, and use the same value for the signature and for the payment request.

No other explanation was found.
✗ part 1 differs, and nothing explains it
! part 2 differs, and this explains it

Part 2 is explained: besides the causes above, the token, and the time stamp, amount and reference in part 2, are right. Part 1 probably has the same mistake, and differs in something else, most often the sid: generate the sid once, for the signature and the payment request.
The search reached its limit before everything was tried.

N texts hashed, the limit; --max-tries raises it; --deep tries many more

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js22: The token keeps a trailing newline, and the digests are upper-case hexadecimal. > one request 1`] = `
1. The digests were written in uppercase.
   → Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
 + Between the token and merchantAccountNumber, "\\n" was added when it was signed.
   Perhaps the token was different: the signer had a line break at its end.
   → Write it with printf '%s' instead of echo, and take off the line break where a file is read.

2. or: The digests were written in uppercase.
   → Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
 + Between the token and merchantAccountNumber, "\\n" was added when it was signed.
   Perhaps merchantAccountNumber was "\\n0007712345": the signer had a line break at its start.
   → Write it with printf '%s' instead of echo, and take off the line break where a file is read.

Explanation 1 of 2 is the most likely.
✓ part 1 matches
! part 2 differs, and the first of these explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js23: A refund signs an empty amount, and transactionFCRN is used as order id instead of "null". > one request 1`] = `
1. The terms were those of a void; your request is a refund.
   Perhaps the signer read another operationType, or none.
   → Send operationType as exactly purchase, refund, void or inquiry: anything else is signed as a purchase.
 + The order id was "RRN-57591416" when it was signed; for your request it is "null".
     signed  "RRN-57591416"  12 characters
     sent    "null"          4 characters
              ^^^^^^^^^^^^
   Perhaps it was taken from another field.
   → The order term is orderId; in an inquiry it is transactionId if idType is ORDER_ID. Without an order id it is the text null.

2. or: amount was "" when it was signed; your request has "400.00".
     signed  ""        0 characters
     sent    "400.00"  6 characters
              ^^^^^^
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.
 + The order id was "RRN-57591416" when it was signed; for your request it is "null".
     signed  "RRN-57591416"  12 characters
     sent    "null"          4 characters
              ^^^^^^^^^^^^
   Perhaps it was taken from another field.
   → The order term is orderId; in an inquiry it is transactionId if idType is ORDER_ID. Without an order id it is the text null.

Explanation 1 of 2 is the most likely.
! part 1 differs, and the first of these explains it
! part 2 differs, and the first of these explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js24: An inquiry signs the amount of the request, and the missing order id is an empty text instead of "null". > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose operationType is "inquiry"

1. explains 2 of 2, such as sid "3db11060-af4a-4ad2-a385-4d7ece405da3"
   amount was "38420.60" when it was signed; for your request it is empty.
     signed  "38420.60"  8 characters
     sent    ""          0 characters
              ^^^^^^^^
   Perhaps the amount was used for an operation that ignores it.
   → Purchases and refunds sign the amount; voids and inquiries sign an empty text.
 + The order id was "" when it was signed; for your request it is "null".
     signed  ""      0 characters
     sent    "null"  4 characters
              ^^^^
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js24: An inquiry signs the amount of the request, and the missing order id is an empty text instead of "null". > one request 1`] = `
1. amount was "38420.60" when it was signed; for your request it is empty.
     signed  "38420.60"  8 characters
     sent    ""          0 characters
              ^^^^^^^^
   Perhaps the amount was used for an operation that ignores it.
   → Purchases and refunds sign the amount; voids and inquiries sign an empty text.
 + The order id was "" when it was signed; for your request it is "null".
     signed  ""      0 characters
     sent    "null"  4 characters
              ^^^^
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js25: The time stamp is in seconds, and the terms are joined with ":". > one request 1`] = `
✗ part 1 differs
✗ part 2 differs

Neither part matches, and no cause was found.
Part 1 does not contain the token, so something else differs: check the time stamp, sid, amount and reference first. Compare the request that was signed with the one that was sent, character by character.
The search reached its limit before everything was tried.

N texts hashed, the limit; --max-tries raises it; --deep tries many more

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js26: Both parts are HMAC-SHA256 without the token as term, and their key is the old token. > one request 1`] = `
✗ part 1 differs
✗ part 2 differs

Neither part matches, and no cause was found.
Part 1 does not contain the token, so something else differs: check the time stamp, sid, amount and reference first. Compare the request that was signed with the one that was sent, character by character.
The search reached its limit before everything was tried.

N texts hashed, the limit; --max-tries raises it; --deep tries many more

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js27: The signer hashes JSON.stringify() of the array of terms. > one request 1`] = `
1. Each term was in ", with "," between them, in [].
   → Join the texts themselves, not what a language prints for a list.

! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js28: The order id is URL-encoded with encodeURIComponent before it is hashed. > one request 1`] = `
1. orderId was "INV%2F2025%2F000325" when it was signed; your request has "INV/2025/000325".
     signed  "INV%2F2025%2F000325"  19 characters
     sent    "INV/2025/000325"      15 characters
                 ^^^^^^^^^^
   Perhaps it was percent-encoded on one side.
   → Decode it before signing: the text itself is hashed, not its form in a URL.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js29: The text is hashed as 'latin1', which keeps only the low byte of each character, instead of UTF-8. > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose merchantAccountNumber has capital letters

1. explains 2 of 2, such as sid "8f2cf5d8-22a2-41e4-ab61-9e6aca025ba1"
   The text was hashed as Latin-1, not as UTF-8.
   → Hash the UTF-8 bytes of the text, and name the encoding in the call: its default may differ.

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js29: The text is hashed as 'latin1', which keeps only the low byte of each character, instead of UTF-8. > one request 1`] = `
1. The text was hashed as Latin-1, not as UTF-8.
   → Hash the UTF-8 bytes of the text, and name the encoding in the call: its default may differ.

! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js30: The amount is an object { value, currency }, so the text "[object Object]" is hashed. > one request 1`] = `
1. amount was "[object Object]" when it was signed; your request has "53.35".
     signed  "[object Object]"  15 characters
     sent    "53.35"            5 characters
              ^^^^^^^^^^^^^^^
   Perhaps it was in brackets, or in what a language prints around a value, such as Optional(…).
   → Use its plain text, as it was generated.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js31: Time stamp and order id are numbers, so "+" adds them in part 2 instead of joining their texts. > one request 1`] = `
1. clientTimeStamp and orderIdOrNull were added up as numbers.
   → Convert each term to text before joining them.

✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > js32: The promise of the secrets manager is not awaited, so the text "[object Promise]" is hashed as token. > one request 1`] = `
1. The token had 16 characters when it was signed; yours has 24 characters.
   Perhaps it was missing: an empty text or a placeholder was used.
   → Check that the variable reaches the process that signs; compare the key check values.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph01: The amount is formatted with number_format($amount, 2), which adds thousands separators. > one request 1`] = `
1. amount was "5,900.00" when it was signed; your request has "5900.00".
     signed  "5,900.00"  8 characters
     sent    "5900.00"   7 characters
               ^
   Perhaps its decimal or thousands separators were different.
   → Sign and send plain digits with a decimal point, whatever the locale; separators belong on the screen only.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph02: An absent order id is null, which PHP joins as an empty text instead of "null". > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose merchantAccountNumber is absent

1. explains 2 of 2, such as sid "DCF8E016-DE22-4B4D-B6D1-A92A5BBA1373"
   The order id was "" when it was signed; for your request it is "null".
     signed  ""      0 characters
     sent    "null"  4 characters
              ^^^^
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph02: An absent order id is null, which PHP joins as an empty text instead of "null". > one request 1`] = `
1. The order id was "" when it was signed; for your request it is "null".
     signed  ""      0 characters
     sent    "null"  4 characters
              ^^^^
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph03: The amount is cast to float, so trailing zeros are missing. > one request 1`] = `
1. amount was "845.5" when it was signed; your request has "845.50".
     signed  "845.5"   5 characters
     sent    "845.50"  6 characters
                   ^
   Perhaps its decimals were different.
   → Format the amount once, with two decimals, and sign and send that same text.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph04: The time stamp is time() * 1000: the milliseconds are always 000 and differ from those of the request. > one request 1`] = `
1. clientTimeStamp was "1737177923000" when it was signed; your request has "1737177923346".
     signed  "1737177923000"  13 characters
     sent    "1737177923346"  13 characters
                        ^^^
   Perhaps it was in a different unit: 10 digits are seconds, 13 milliseconds, 16 microseconds.
   → Agree on one unit: the text is hashed, so both sides must sign and send the same. Amounts have two decimals, and time stamps are in epoch milliseconds, 13 digits.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph05: The token in the .env file has quotation marks, and the reader of the file keeps them. > one request 1`] = `
1. The token had 66 characters when it was signed; yours has 64 characters.
   Perhaps the signer had quotes around it.
   → Remove the quotes at the signer: env files and control panels may take quotes literally.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph06: Both parts are MD5 digests instead of SHA-256. > one request 1`] = `
1. The digests are those of MD5; the scheme uses SHA-256.
   → Use SHA-256.

! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph07: The token passes through urldecode(), so each "+" becomes a space. > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose merchantAccountNumber is "0007712345"

1. explains 2 of 2, such as sid "9F1D14AF-5C3F-4C45-A2E7-0E4B77BC2C4E"
   The token was another text when it was signed; both have 33 characters.
   Perhaps dashes, spaces or other separators were removed, added or replaced.
   → Sign and send it in the same form, with the same separators.

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph07: The token passes through urldecode(), so each "+" becomes a space. > one request 1`] = `
1. The token was another text when it was signed; both have 33 characters.
   Perhaps dashes, spaces or other separators were removed, added or replaced.
   → Sign and send it in the same form, with the same separators.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph08: Both parts are HMAC-SHA256 of the correct texts with the token as key. > one request 1`] = `
1. The digests were HMACs with the token as the key, and in the text too.
   → Use a plain SHA-256 of the text with the token in it; the scheme has no HMAC.

! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph09: The order id is cast to int and loses its leading zeros. > one request 1`] = `
1. orderId was "3213" when it was signed; your request has "00003213".
     signed  "3213"      4 characters
     sent    "00003213"  8 characters
              ^^^^
   Perhaps it was converted to a number, which drops zeros or adds .0.
   → Keep it as text from where it is entered to where it is signed and sent.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph10: An absent order id is the upper-case text "NULL" instead of "null". > one request 1`] = `
1. The order id was "NULL" when it was signed; for your request it is "null".
     signed  "NULL"  4 characters
     sent    "null"  4 characters
              ^^^^
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph11: A void signs the amount "0.00" instead of an empty text. > one request 1`] = `
1. amount was "0.00" when it was signed; for your request it is empty.
     signed  "0.00"  4 characters
     sent    ""      0 characters
              ^^^^
   Perhaps the amount was used for an operation that ignores it.
   → Purchases and refunds sign the amount; voids and inquiries sign an empty text.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph12: The amount has a decimal comma: number_format($amount, 2, ',', ''). > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose amount ends in 9

1. explains 2 of 2, such as sid "8bce2988-0c0c-45fa-b7a3-22bf263336ed"
   amount was "2982,49" when it was signed; your request has "2982.49".
     signed  "2982,49"  7 characters
     sent    "2982.49"  7 characters
                  ^
   Perhaps its decimal or thousands separators were different.
   → Sign and send plain digits with a decimal point, whatever the locale; separators belong on the screen only.

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph12: The amount has a decimal comma: number_format($amount, 2, ',', ''). > one request 1`] = `
1. amount was "2982,49" when it was signed; your request has "2982.49".
     signed  "2982,49"  7 characters
     sent    "2982.49"  7 characters
                  ^
   Perhaps its decimal or thousands separators were different.
   → Sign and send plain digits with a decimal point, whatever the locale; separators belong on the screen only.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph13: A refund uses the order id as referenceNumber instead of transactionFCRN. > one request 1`] = `
1. transactionFCRN was "WC#6454" when it was signed; your request has "0798699891337".
     signed  "WC#6454"        7 characters
     sent    "0798699891337"  13 characters
              ^^^^^^^^^^^^^
   Perhaps it was taken from another field.
   → A purchase has no reference; refund and void use transactionFCRN, an inquiry transactionId, variant B orderId.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph14: The reference is missing in part 1 and present in part 2. > one request 1`] = `
1. In part 1: transactionFCRN was "" when it was signed; your request has "250122068828".
     signed  ""              0 characters
     sent    "250122068828"  12 characters
              ^^^^^^^^^^^^
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

No other explanation was found.
! part 1 differs, and this explains it
✓ part 2 matches

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph15: Part 1 lacks the sid. > one request 1`] = `
1. sid was "" when it was signed; your request has "f79b6cd1-4f47-4a03-aea7-509b99670e56".
     signed  ""                                      0 characters
     sent    "f79b6cd1-4f47-4a03-aea7-509b99670e56"  36 characters
              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

No other explanation was found.
! part 1 differs, and this explains it
✓ part 2 matches

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph16: The signer uses the old token, which was replaced. > one request 1`] = `
✓ part 1 matches
✗ part 2 differs

Part 1 matches: the time stamp, sid, amount and reference in part 1 are right.
Part 2 differs, and no cause was found: compare the order id, account number and token with the signer's, the token by its key check value.
The search reached its limit before everything was tried.

N texts hashed, the limit; --max-tries raises it; --deep tries many more

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph17: The signer takes the account number of another branch from its configuration. > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose orderId is given

✗ nothing explains 2 of 2, such as sid "808e92ac-188f-4610-9de8-02c31d52a982"
   Part 1 matches: the time stamp, sid, amount and reference in part 1 are right.
   Part 2 differs, and no cause was found: compare the order id, account number and token with the signer's, the token by its key check value.
   The search reached its limit before everything was tried.

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph17: The signer takes the account number of another branch from its configuration. > one request 1`] = `
✓ part 1 matches
✗ part 2 differs

Part 1 matches: the time stamp, sid, amount and reference in part 1 are right.
Part 2 differs, and no cause was found: compare the order id, account number and token with the signer's, the token by its key check value.
The search reached its limit before everything was tried.

N texts hashed, the limit; --max-tries raises it; --deep tries many more

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph18: The variable is in single quotes, so the text '$merchantToken' is hashed instead of the token. > one request 1`] = `
1. The token had 14 characters when it was signed; yours has 33 characters.
   Perhaps a placeholder was not replaced by its value.
   → Check that the variable reaches the code that signs, and that its quotes expand it.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph19: The absent order id is an empty text instead of "null", and the amount has thousands separators. > one request 1`] = `
1. amount was "88,727.60" when it was signed; your request has "88727.60".
     signed  "88,727.60"  9 characters
     sent    "88727.60"   8 characters
                ^
   Perhaps its decimal or thousands separators were different.
   → Sign and send plain digits with a decimal point, whatever the locale; separators belong on the screen only.
 + The order id was "" when it was signed; for your request it is "null".
     signed  ""      0 characters
     sent    "null"  4 characters
              ^^^^
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph20: The token keeps the quotation marks of the .env file, and the time stamp is microtime(true), in seconds with a fraction. > one request 1`] = `
1. clientTimeStamp was "1737679455.81" when it was signed; your request has "1737679455810".
     signed  "1737679455.81"  13 characters
     sent    "1737679455810"  13 characters
                        ^^^
   Perhaps it was in a different unit: 10 digits are seconds, 13 milliseconds, 16 microseconds.
   → Agree on one unit: the text is hashed, so both sides must sign and send the same. Amounts have two decimals, and time stamps are in epoch milliseconds, 13 digits.
 + The token had 27 characters when it was signed; yours has 25 characters.
   Perhaps the signer had quotes around it.
   → Remove the quotes at the signer: env files and control panels may take quotes literally.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph21: The amount has a decimal comma and dots between thousands, and the digests are upper-case hexadecimal. > one request 1`] = `
1. The digests were written in uppercase.
   → Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
 + amount was "2.300,00" when it was signed; your request has "2300.00".
     signed  "2.300,00"  8 characters
     sent    "2300.00"   7 characters
               ^^^^^
   Perhaps its decimal or thousands separators were different.
   → Sign and send plain digits with a decimal point, whatever the locale; separators belong on the screen only.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph22: Part 2 is an HMAC-SHA256 with the token as key and without the token as term, and all terms are joined with "|". > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose sid has small letters

1. explains 2 of 2, such as sid "sess_dcc633cf7ae7"
   The terms were joined with "|" between them.
   → Join the terms with nothing between them.
 + In part 2: The digests were HMACs with the token as the key.
   → Use a plain SHA-256 of the text with the token in it; the scheme has no HMAC.

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph22: Part 2 is an HMAC-SHA256 with the token as key and without the token as term, and all terms are joined with "|". > one request 1`] = `
1. The terms were joined with "|" between them.
   → Join the terms with nothing between them.
 + In part 2: The digests were HMACs with the token as the key.
   → Use a plain SHA-256 of the text with the token in it; the scheme has no HMAC.

! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph23: A void signs the amount "0", and the absent order id is "NULL" instead of "null". > one request 1`] = `
1. Between amount and transactionFCRN, "0" was added when it was signed.
   Perhaps amount was "0": the amount was used for an operation that ignores it.
   → Purchases and refunds sign the amount; voids and inquiries sign an empty text.
 + The order id was "NULL" when it was signed; for your request it is "null".
     signed  "NULL"  4 characters
     sent    "null"  4 characters
              ^^^^
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

2. or: Between amount and transactionFCRN, "0" was added when it was signed.
   Perhaps transactionFCRN was "0a654e899-96d6-4e78-9fbb-98f0ce54fc8a": something was added or removed at its start or end.
   → Sign and send the same text, with nothing before or after it.
 + The order id was "NULL" when it was signed; for your request it is "null".
     signed  "NULL"  4 characters
     sent    "null"  4 characters
              ^^^^
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

Explanation 1 of 2 is the most likely.
! part 1 differs, and the first of these explains it
! part 2 differs, and the first of these explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph24: Both parts are MD5 digests, and they are joined with "//". > one request 1`] = `
1. The parts were separated by "//", not "///".
   → Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
 + The digests are those of MD5; the scheme uses SHA-256.
   → Use SHA-256.

! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph25: idType is compared without converting it to upper case, so the order id is "null", and the parts are joined with "/". > one request 1`] = `
1. The parts were separated by "/", not "///".
   → Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
 + The order id was "null" when it was signed; your request has "00006787".
     signed  "null"      4 characters
     sent    "00006787"  8 characters
              ^^^^^^^^
   Perhaps idType was read differently: transactionId is the order id only if idType is ORDER_ID, in upper or lower case.
   → Send idType ORDER_ID when transactionId is an order id, and compare it case-insensitively.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph26: A refund uses the order id as referenceNumber, and the account number is that of another branch. > one request 1`] = `
1. The terms were those of variant B, not of variant A.
   → Set VARIANT to the one that the payment side uses; GET /health says which one a service has.

2. or: transactionFCRN was "طلب-810" when it was signed; your request has "RRN-78030684".
     signed  "طلب-810"       7 characters
     sent    "RRN-78030684"  12 characters
              ^^^^^^^^^^^^
   Perhaps it was taken from another field.
   → A purchase has no reference; refund and void use transactionFCRN, an inquiry transactionId, variant B orderId.

Explanation 1 of 2 is the most likely.
! part 1 differs, and the first of these explains it
✗ part 2 differs, and nothing explains it

Part 1 is explained: besides the causes above, the time stamp, sid, amount and reference in part 1 are right.
Part 2 probably has the same mistake, and another one that was not found: compare the order id, account number and token with the signer's, the token by its key check value.
The search reached its limit before everything was tried.

N texts hashed, the limit; --max-tries raises it; --deep tries many more

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph27: The signature passes through json_encode(), which escapes its slashes: "\\/\\/\\/". > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose merchantAccountNumber is "00019001"

1. explains 2 of 2, such as sid "1e4e4bb0-b12b-4f25-b842-f7087f048c84"
   Its slashes were escaped, as some JSON libraries do.
   → Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph27: The signature passes through json_encode(), which escapes its slashes: "\\/\\/\\/". > one request 1`] = `
1. Its slashes were escaped, as some JSON libraries do.
   → Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.

✓ part 1 matches
✓ part 2 matches

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph28: The order id passes through htmlspecialchars(), so "&" becomes "&amp;". > one request 1`] = `
1. orderId was "Żabka &amp; Co 184" when it was signed; your request has "Żabka & Co 184".
     signed  "Żabka &amp; Co 184"  18 characters
     sent    "Żabka & Co 184"      14 characters
                     ^^^^
   Perhaps it was escaped for HTML on one side.
   → Escape for HTML when rendering a page, never what is signed.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph29: The texts are encoded as UTF-8 twice (utf8_encode() of text that is UTF-8). > one request 1`] = `
1. orderId was "Ø·Ù\\u{0084}Ø¨-490" when it was signed; your request has "طلب-490".
     signed  "Ø·Ù\\u{0084}Ø¨-490"  10 characters
     sent    "طلب-490"            7 characters
              ^^^^^^^^^^^^^
   Perhaps its UTF-8 bytes were read in another encoding, or vice versa.
   → Read and write UTF-8 everywhere between the form and the signature.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph30: The signer hashes query strings from http_build_query() instead of the joined values. > one request 1`] = `
1. The terms were joined as name=value, with "&" between them.
   → Join the texts alone, without their names.

! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph31: The file of the token starts with a UTF-8 byte order mark, which becomes part of the token. > one request 1`] = `
1. The token had 37 characters when it was signed; yours has 36 characters.
   Perhaps the signer had a byte order mark, U+FEFF, at its start.
   → Save the file that it comes from as UTF-8 without a byte order mark.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph32: The order id is an array, so the text "Array" is hashed as reference. > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose merchantAccountNumber is "009900112"

1. explains 2 of 2, such as sid "d7e31ee0-5273-490e-864f-7d0920f35078"
   orderId was "Array" when it was signed; your request has "2025/07788".
     signed  "Array"       5 characters
     sent    "2025/07788"  10 characters
              ^^^^^^^^^^
   Perhaps it was in brackets, or in what a language prints around a value, such as Optional(…).
   → Use its plain text, as it was generated.

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > ph32: The order id is an array, so the text "Array" is hashed as reference. > one request 1`] = `
1. orderId was "Array" when it was signed; your request has "2025/07788".
     signed  "Array"       5 characters
     sent    "2025/07788"  10 characters
              ^^^^^^^^^^
   Perhaps it was in brackets, or in what a language prints around a value, such as Optional(…).
   → Use its plain text, as it was generated.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py01: The amount is converted with str(float(amount)), so "100.00" becomes "100.0". > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose orderId is given

1. explains 2 of 2, such as sid "63aec082-724e-4f03-b7c7-c0f97f434254"
   amount was "400.0" when it was signed; your request has "400.00".
     signed  "400.0"   5 characters
     sent    "400.00"  6 characters
                   ^
   Perhaps its decimals were different.
   → Format the amount once, with two decimals, and sign and send that same text.

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py01: The amount is converted with str(float(amount)), so "100.00" becomes "100.0". > one request 1`] = `
1. amount was "400.0" when it was signed; your request has "400.00".
     signed  "400.0"   5 characters
     sent    "400.00"  6 characters
                   ^
   Perhaps its decimals were different.
   → Format the amount once, with two decimals, and sign and send that same text.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py02: An absent order id is the text "None" instead of "null". > one request 1`] = `
1. The order id was "None" when it was signed; for your request it is "null".
     signed  "None"  4 characters
     sent    "null"  4 characters
              ^^^^
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py03: A void signs the amount of the request instead of an empty amount. > one request 1`] = `
1. amount was "1400.00" when it was signed; for your request it is empty.
     signed  "1400.00"  7 characters
     sent    ""         0 characters
              ^^^^^^^
   Perhaps the amount was used for an operation that ignores it.
   → Purchases and refunds sign the amount; voids and inquiries sign an empty text.

2. or: The terms were those of a refund; your request is a void.
   Perhaps the signer read another operationType, or none.
   → Send operationType as exactly purchase, refund, void or inquiry: anything else is signed as a purchase.

Explanation 1 of 2 is the most likely.
! part 1 differs, and the first of these explains it
! part 2 differs, and the first of these explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py04: The time stamp is in seconds instead of milliseconds: int(time.time()). > one request 1`] = `
1. clientTimeStamp was "1737044882" when it was signed; your request has "1737044882636".
     signed  "1737044882"     10 characters
     sent    "1737044882636"  13 characters
                        ^^^
   Perhaps it was in a different unit: 10 digits are seconds, 13 milliseconds, 16 microseconds.
   → Agree on one unit: the text is hashed, so both sides must sign and send the same. Amounts have two decimals, and time stamps are in epoch milliseconds, 13 digits.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py05: The time stamp is in seconds with a decimal fraction, as str(time.time()) writes it. > one request 1`] = `
1. clientTimeStamp was "1737168813.215" when it was signed; your request has "1737168813215".
     signed  "1737168813.215"  14 characters
     sent    "1737168813215"   13 characters
                        ^
   Perhaps it was in a different unit: 10 digits are seconds, 13 milliseconds, 16 microseconds.
   → Agree on one unit: the text is hashed, so both sides must sign and send the same. Amounts have two decimals, and time stamps are in epoch milliseconds, 13 digits.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py06: The token is read from a file with open().read() and keeps the trailing newline. > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose merchantAccountNumber is absent

1. explains 2 of 2, such as sid "N8Zl1wy7A64drMN4rPAmV"
   Between the token and accountNumber, "\\n" was added when it was signed.
   Perhaps the token was different: the signer had a line break at its end.
   → Write it with printf '%s' instead of echo, and take off the line break where a file is read.

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py06: The token is read from a file with open().read() and keeps the trailing newline. > one request 1`] = `
1. Between the token and accountNumber, "\\n" was added when it was signed.
   Perhaps the token was different: the signer had a line break at its end.
   → Write it with printf '%s' instead of echo, and take off the line break where a file is read.

2. or: Between the token and accountNumber, "\\n" was added when it was signed.
   Perhaps accountNumber was "\\nMRC-00219": the signer had a line break at its start.
   → Write it with printf '%s' instead of echo, and take off the line break where a file is read.

Explanation 1 of 2 is the most likely.
✓ part 1 matches
! part 2 differs, and the first of these explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py07: Part 2 is an HMAC-SHA256 with the token as its key, and the token is not among the terms. > one request 1`] = `
1. In part 2: The digests were HMACs with the token as the key.
   → Use a plain SHA-256 of the text with the token in it; the scheme has no HMAC.

✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py08: The two parts are joined with "//" instead of "///". > one request 1`] = `
1. The parts were separated by "//", not "///".
   → Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.

✓ part 1 matches
✓ part 2 matches

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py09: The reference (the order id) is missing in part 2. > one request 1`] = `
1. In part 2: orderId was "" when it was signed; your request has "SO-318073".
     signed  ""           0 characters
     sent    "SO-318073"  9 characters
              ^^^^^^^^^
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py10: The sid passes through uuid.UUID and str(), which converts it to lower case. > one request 1`] = `
1. sid was "dbe72df6-b7cb-4064-b159-9bda162f6522" when it was signed; your request has "DBE72DF6-B7CB-4064-B159-9BDA162F6522".
     signed  "dbe72df6-b7cb-4064-b159-9bda162f6522"  36 characters
     sent    "DBE72DF6-B7CB-4064-B159-9BDA162F6522"  36 characters
              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
   Perhaps its letters had a different case.
   → Sign and send it as it is stored: upper and lower case matter.

No other explanation was found.
! part 1 differs, and this explains it
✓ part 2 matches

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py11: The amount has thousands separators: f"{amount:,.2f}". > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose orderId has capital letters

1. explains 2 of 2, such as sid "f1ad2ecf-5fe0-4e31-9797-ad6a72350b2b"
   amount was "14,700,000.50" when it was signed; your request has "14700000.50".
     signed  "14,700,000.50"  13 characters
     sent    "14700000.50"    11 characters
                ^^^^^
   Perhaps its decimal or thousands separators were different.
   → Sign and send plain digits with a decimal point, whatever the locale; separators belong on the screen only.

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py11: The amount has thousands separators: f"{amount:,.2f}". > one request 1`] = `
1. amount was "14,700,000.50" when it was signed; your request has "14700000.50".
     signed  "14,700,000.50"  13 characters
     sent    "14700000.50"    11 characters
                ^^^^^
   Perhaps its decimal or thousands separators were different.
   → Sign and send plain digits with a decimal point, whatever the locale; separators belong on the screen only.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py12: The token is a bytes object converted with str(), so it is hashed as b'...' with prefix and quotes. > one request 1`] = `
1. The token had 23 characters when it was signed; yours has 20 characters.
   Perhaps it was in brackets, or in what a language prints around a value, such as Optional(…).
   → Use its plain text, as it was generated.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py13: The amount is in minor units (cents) instead of decimal text. > one request 1`] = `
1. amount was "210125" when it was signed; your request has "2101.25".
     signed  "210125"   6 characters
     sent    "2101.25"  7 characters
                  ^
   Perhaps one side uses minor units (hundredths or thousandths).
   → Agree on one unit: the text is hashed, so both sides must sign and send the same. Amounts have two decimals, and time stamps are in epoch milliseconds, 13 digits.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py14: For refund and void without an order id, transactionFCRN is used as order id instead of "null". > one request 1`] = `
1. The order id was "0129765742213" when it was signed; for your request it is "null".
     signed  "0129765742213"  13 characters
     sent    "null"           4 characters
              ^^^^^^^^^^^^^
   Perhaps it was taken from another field.
   → The order term is orderId; in an inquiry it is transactionId if idType is ORDER_ID. Without an order id it is the text null.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py15: Both parts are SHA-1 digests. > one request 1`] = `
1. The digests are those of SHA1; the scheme uses SHA-256.
   → Use SHA-256.

! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py16: In part 2 the token comes before the order id instead of after it. > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose merchantAccountNumber is "0048812290"

1. explains 2 of 2, such as sid "sess_dcc633cf7ae7"
   The terms of part 2 were joined in the order clientTimeStamp, merchantToken, orderIdOrNull, accountNumber, amount.
   → Part 1: clientTimeStamp, sid, amount, reference. Part 2: clientTimeStamp, order id or null (variant A), token, account number, amount, reference.

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py16: In part 2 the token comes before the order id instead of after it. > one request 1`] = `
1. The terms of part 2 were joined in the order clientTimeStamp, merchantToken, orderIdOrNull, accountNumber, amount.
   → Part 1: clientTimeStamp, sid, amount, reference. Part 2: clientTimeStamp, order id or null (variant A), token, account number, amount, reference.

✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py17: An inquiry uses transactionId as order id although idType is not ORDER_ID. > one request 1`] = `
1. The order id was "5b0be098-9ba8-4920-b5a9-4a8be48f8ffc" when it was signed; for your request it is "null".
     signed  "5b0be098-9ba8-4920-b5a9-4a8be48f8ffc"  36 characters
     sent    "null"                                  4 characters
              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
   Perhaps idType was read differently: transactionId is the order id only if idType is ORDER_ID, in upper or lower case.
   → Send idType ORDER_ID when transactionId is an order id, and compare it case-insensitively.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py18: The signer uses the formula of variant A: part 2 has the order id after the time stamp. > one request 1`] = `
1. Part 2 had orderId before merchantToken too.
   → Part 1: clientTimeStamp, sid, amount, reference. Part 2: clientTimeStamp, order id or null (variant A), token, account number, amount, reference.

✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py19: The amount is converted through float ("100.0"), and the absent order id is "None" instead of "null". > one request 1`] = `
1. amount was "300.0" when it was signed; your request has "300.00".
     signed  "300.0"   5 characters
     sent    "300.00"  6 characters
                   ^
   Perhaps its decimals were different.
   → Format the amount once, with two decimals, and sign and send that same text.
 + The order id was "None" when it was signed; for your request it is "null".
     signed  "None"  4 characters
     sent    "null"  4 characters
              ^^^^
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py20: The terms are joined with "|", and the digests are upper-case hexadecimal. > one request 1`] = `
1. The digests were written in uppercase.
   → Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
 + The terms were joined with "|" between them.
   → Join the terms with nothing between them.

! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py21: The time stamp is in seconds, and the token keeps the trailing newline of its file. > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose orderId has capital letters

1. explains 2 of 2, such as sid "1d73033b-be96-45ff-86f8-f8c9e1c6b098"
   clientTimeStamp was "1737679455" when it was signed; your request has "1737679455810".
     signed  "1737679455"     10 characters
     sent    "1737679455810"  13 characters
                        ^^^
   Perhaps it was in a different unit: 10 digits are seconds, 13 milliseconds, 16 microseconds.
   → Agree on one unit: the text is hashed, so both sides must sign and send the same. Amounts have two decimals, and time stamps are in epoch milliseconds, 13 digits.
 + Between the token and accountNumber, "\\n" was added when it was signed.
   Perhaps the token was different: the signer had a line break at its end.
   → Write it with printf '%s' instead of echo, and take off the line break where a file is read.

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py21: The time stamp is in seconds, and the token keeps the trailing newline of its file. > one request 1`] = `
1. clientTimeStamp was "1737679455" when it was signed; your request has "1737679455810".
     signed  "1737679455"     10 characters
     sent    "1737679455810"  13 characters
                        ^^^
   Perhaps it was in a different unit: 10 digits are seconds, 13 milliseconds, 16 microseconds.
   → Agree on one unit: the text is hashed, so both sides must sign and send the same. Amounts have two decimals, and time stamps are in epoch milliseconds, 13 digits.
 + Between the token and accountNumber, "\\n" was added when it was signed.
   Perhaps the token was different: the signer had a line break at its end.
   → Write it with printf '%s' instead of echo, and take off the line break where a file is read.

2. or: clientTimeStamp was "1737679455" when it was signed; your request has "1737679455810".
     signed  "1737679455"     10 characters
     sent    "1737679455810"  13 characters
                        ^^^
   Perhaps it was in a different unit: 10 digits are seconds, 13 milliseconds, 16 microseconds.
   → Agree on one unit: the text is hashed, so both sides must sign and send the same. Amounts have two decimals, and time stamps are in epoch milliseconds, 13 digits.
 + Between the token and accountNumber, "\\n" was added when it was signed.
   Perhaps accountNumber was "\\n00019001": the signer had a line break at its start.
   → Write it with printf '%s' instead of echo, and take off the line break where a file is read.

Explanation 1 of 2 is the most likely.
! part 1 differs, and the first of these explains it
! part 2 differs, and the first of these explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py22: In part 2 the account number comes before the token, and the amount is converted through float. > one request 1`] = `
1. amount was "634.5" when it was signed; your request has "634.50".
     signed  "634.5"   5 characters
     sent    "634.50"  6 characters
                   ^
   Perhaps its decimals were different.
   → Format the amount once, with two decimals, and sign and send that same text.
 + The terms of part 2 were joined in the order clientTimeStamp, accountNumber, merchantToken, amount.
   → Part 1: clientTimeStamp, sid, amount, reference. Part 2: clientTimeStamp, order id or null (variant A), token, account number, amount, reference.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py23: Part 1 lacks the sid, and part 2 is written before part 1. > one request 1`] = `
1. The parts were in the wrong order.
   → Put part 1, which has the session id, first.
 + sid was "" when it was signed; your request has "sess_e1af75dd6c3e".
     signed  ""                   0 characters
     sent    "sess_e1af75dd6c3e"  17 characters
              ^^^^^^^^^^^^^^^^^
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py24: Both parts are SHA-512 digests, written as Base64 instead of hexadecimal. > one request 1`] = `
1. The digests were written in base64, not in hexadecimal.
   → Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
 + The digests are those of SHA512; the scheme uses SHA-256.
   → Use SHA-256.

! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py25: The sid is uuid.hex, without hyphens, and the amount is a normalized Decimal ("1E+2" or "2.5E+3"). > one request 1`] = `
1. amount was "6E+2" when it was signed; your request has "600.00".
     signed  "6E+2"    4 characters
     sent    "600.00"  6 characters
               ^^^^^
   Perhaps it was formatted as a language formats a floating-point number.
   → Keep it as text, or format it with digits only.
 + sid was "9d58667d04f94ffc8f04e563798841bf" when it was signed; your request has "9d58667d-04f9-4ffc-8f04-e563798841bf".
     signed  "9d58667d04f94ffc8f04e563798841bf"      32 characters
     sent    "9d58667d-04f9-4ffc-8f04-e563798841bf"  36 characters
                      ^^^^^^^^^^^^^^^^
   Perhaps dashes, spaces or other separators were removed, added or replaced.
   → Sign and send it in the same form, with the same separators.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py26: A void signs the amount of the request, and transactionFCRN is used as order id instead of "null". > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose operationType is "Void"

1. explains 2 of 2, such as sid "Kasse3-3678"
   amount was "1363.49" when it was signed; for your request it is empty.
     signed  "1363.49"  7 characters
     sent    ""         0 characters
              ^^^^^^^
   Perhaps the amount was used for an operation that ignores it.
   → Purchases and refunds sign the amount; voids and inquiries sign an empty text.
 + The order id was "197162785874" when it was signed; for your request it is "null".
     signed  "197162785874"  12 characters
     sent    "null"          4 characters
              ^^^^^^^^^^^^
   Perhaps it was taken from another field.
   → The order term is orderId; in an inquiry it is transactionId if idType is ORDER_ID. Without an order id it is the text null.

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py26: A void signs the amount of the request, and transactionFCRN is used as order id instead of "null". > one request 1`] = `
1. amount was "1363.49" when it was signed; for your request it is empty.
     signed  "1363.49"  7 characters
     sent    ""         0 characters
              ^^^^^^^
   Perhaps the amount was used for an operation that ignores it.
   → Purchases and refunds sign the amount; voids and inquiries sign an empty text.
 + The order id was "197162785874" when it was signed; for your request it is "null".
     signed  "197162785874"  12 characters
     sent    "null"          4 characters
              ^^^^^^^^^^^^
   Perhaps it was taken from another field.
   → The order term is orderId; in an inquiry it is transactionId if idType is ORDER_ID. Without an order id it is the text null.

2. or: The terms were those of a refund; your request is a void.
   Perhaps the signer read another operationType, or none.
   → Send operationType as exactly purchase, refund, void or inquiry: anything else is signed as a purchase.
 + The order id was "197162785874" when it was signed; for your request it is "null".
     signed  "197162785874"  12 characters
     sent    "null"          4 characters
              ^^^^^^^^^^^^
   Perhaps it was taken from another field.
   → The order term is orderId; in an inquiry it is transactionId if idType is ORDER_ID. Without an order id it is the text null.

Explanation 1 of 2 is the most likely.
! part 1 differs, and the first of these explains it
! part 2 differs, and the first of these explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py27: The amount passes through json.dumps and keeps its quotation marks. > one request 1`] = `
1. amount was "\\"200.00\\"" when it was signed; your request has "200.00".
     signed  "\\"200.00\\""  8 characters
     sent    "200.00"      6 characters
              ^^^^^^^^^^
   Perhaps the signer had quotes around it.
   → Remove the quotes at the signer: env files and control panels may take quotes literally.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py28: The terms of both parts are sorted as text before they are joined. > one request 1`] = `
1. The terms of part 2 were joined in the order accountNumber, clientTimeStamp, amount, merchantToken, orderIdOrNull.
   → Part 1: clientTimeStamp, sid, amount, reference. Part 2: clientTimeStamp, order id or null (variant A), token, account number, amount, reference.

✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py29: The amount is Decimal(float(amount)), which writes the binary fraction with all its digits. > one request 1`] = `
1. amount was "7180.489999999999781721271574497222900390625" when it was signed; your request has "7180.49".
     signed  "7180.489999999999781721271574497222900390625"  44 characters
     sent    "7180.49"                                       7 characters
                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
   Perhaps it was converted to a floating-point number, which is not exact and has few digits.
   → Keep it as text, and calculate amounts in integers or decimals.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py30: The text is encoded as UTF-16 with a byte order mark instead of UTF-8. > one request 1`] = `
1. The text was hashed as UTF-16 with a byte order mark, not as UTF-8.
   → Hash the UTF-8 bytes of the text, and name the encoding in the call: its default may differ.

! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py31: Order id and token are URL-encoded with quote_plus before they are hashed. > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose merchantAccountNumber is absent

1. explains 2 of 2, such as sid "536c36de-d026-4f98-82a9-66c20b24dbcd"
   In part 2: Terms were changed in the same way: it was percent-encoded on one side.
   → Join the texts of the terms as they are sent.

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py31: Order id and token are URL-encoded with quote_plus before they are hashed. > one request 1`] = `
1. In part 2: Terms were changed in the same way: it was percent-encoded on one side.
   → Join the texts of the terms as they are sent.

✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > py32: The signer hashes the text of a Python list, with brackets, quotation marks and commas. > one request 1`] = `
1. Each term was in ', with ", " between them, in [].
   → Join the texts themselves, not what a language prints for a list.

! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, account-number-affix, merchantAccountNumber "M102551" for "102551" 1`] = `
one of 1:
account-number-affix
Between the token and merchantAccountNumber, 1 character was added when it was signed.
Perhaps merchantAccountNumber was "M102551": something was added or removed at its start or end.
Sign and send the same text, with nothing before or after it.
one of 2:
token-affix
Between the token and merchantAccountNumber, 1 character was added when it was signed.
Perhaps the token was different: something was added or removed at its start or end.
Copy exactly the token, with nothing before or after it.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, account-number-dashes, merchantAccountNumber "102551" for "10-25-51" 1`] = `
one of 1:
account-number-dashes
merchantAccountNumber was "102551" when it was signed; your request has "10-25-51".
Perhaps dashes, spaces or other separators were removed, added or replaced.
Sign and send it in the same form, with the same separators.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, account-number-leading-zeros, merchantAccountNumber "0000102551" for "102551" 1`] = `
one of 1:
account-number-leading-zeros
Between the token and merchantAccountNumber, 4 characters were added when it was signed.
Perhaps merchantAccountNumber was "0000102551": its leading zeros were different.
Keep it as text, with the zeros that it was issued with.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, account-number-quotes, merchantAccountNumber "\\"102551\\"" for "102551" 1`] = `
one of 1:
account-number-quotes
account-number-json
merchantAccountNumber was "\\"102551\\"" when it was signed; your request has "102551".
Perhaps the signer had quotes around it.
Remove the quotes at the signer: env files and control panels may take quotes literally.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, amount-currency, amount "1234.50 EGP" for "1234.50" 1`] = `
one of 1:
amount-currency
amount was "1234.50 EGP" when it was signed; your request has "1234.50".
Perhaps a currency was added or removed.
Sign and send only the number.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, amount-digits, amount "١٢٣٤.٥٠" for "1234.50" 1`] = `
one of 1:
amount-digits
amount was "١٢٣٤.٥٠" when it was signed; your request has "1234.50".
Perhaps it was written in the digits of another script.
Format numbers with a fixed locale that has ASCII digits, such as en-US.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, amount-white-space, amount "1234.50" for " 1234.50" 1`] = `
one of 1:
amount-white-space
amount-decimals
amount-separators
amount was "1234.50" when it was signed; your request has " 1234.50".
Perhaps your side has white space.
Find out where the white space comes from (a template, a file, a copied cell), and remove it before signing.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, digest-sign-extended, as 6bffffff86ffffffb273 1`] = `
one of 1:
digest-sign-extended
The digests were written from signed bytes, which become ffffff80 to ffffffff.

Mask each byte: String.format("%02x", b & 0xff).
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, identifier-encoding, identifier "CafÃ©" for "Café" 1`] = `
one of 1:
identifier-encoding
orderId was "CafÃ©" when it was signed; your request has "Café".
Perhaps its UTF-8 bytes were read in another encoding, or vice versa.
Read and write UTF-8 everywhere between the form and the signature.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, identifier-json, identifier "a\\\\/b" for "a/b" 1`] = `
one of 1:
identifier-json
orderId was "a\\\\/b" when it was signed; your request has "a/b".
Perhaps it was escaped as JSON has it, or not unescaped.
Sign the decoded text, not its form in JSON: no \\/ and no \\u00e9.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, identifier-white-space|amount-white-space, identifier " Order-12" for "Order-12" 1`] = `
one of 2:
amount-white-space
amount-padded
Between amount and orderId, " " was added when it was signed.
Perhaps amount was "1234.50 ": the signer had white space.
Find out where the white space comes from (a template, a file, a copied cell), and remove it before signing.
one of 2:
identifier-white-space
Between amount and orderId, " " was added when it was signed.
Perhaps orderId was " Order-12": the signer had white space.
Find out where the white space comes from (a template, a file, a copied cell), and remove it before signing.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, sid-case, sid "5F0C5F4E-9C0B-4A43-8D6E-0D9F3D0A7B11" for "5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11" 1`] = `
one of 1:
sid-case
sid was "5F0C5F4E-9C0B-4A43-8D6E-0D9F3D0A7B11" when it was signed; your request has "5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11".
Perhaps its letters had a different case.
Sign and send it as it is stored: upper and lower case matter.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, signature-bytes-marked, 0x before each part 1`] = `
one of 1:
signature-bytes-marked
The bytes of the signature were marked, as by 0x or dashes.

Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, signature-of-tool, as 6b86b273ff34fce19d6b 1`] = `
one of 1:
signature-of-tool
The signature had the output of sha256sum or openssl around the digests.

Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, timestamp-as-number, clientTimeStamp "1709912345678.0" for 1709912345678 1`] = `
one of 1:
timestamp-as-number
clientTimeStamp was "1709912345678.0" when it was signed; your request has "1709912345678".
Perhaps it was converted to a number, which drops zeros or adds .0.
Keep it as text from where it is entered to where it is signed and sent.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, timestamp-directive, clientTimeStamp "1709912345%3N" for 1709912345678 1`] = `
one of 1:
timestamp-directive
clientTimeStamp was "1709912345%3N" when it was signed; your request has "1709912345678".
Perhaps a format of the date command was not expanded, such as %3N on macOS.
Use epoch milliseconds, 13 digits, on both sides.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, timestamp-taken-twice, clientTimeStamp "1709912345679" for 1709912345678 1`] = `
one of 1:
timestamp-taken-twice
clientTimeStamp was "1709912345679" when it was signed; your request has "1709912345678".
Perhaps the clock was read twice, once for the signature and once for the request.
Take the time stamp once, and use the same value for the signature and for the payment request.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, timestamp-unit, clientTimeStamp "1709912345" for 1709912345678 1`] = `
one of 1:
timestamp-unit
clientTimeStamp was "1709912345" when it was signed; your request has "1709912345678".
Perhaps it was in a different unit: 10 digits are seconds, 13 milliseconds, 16 microseconds.
Agree on one unit: the text is hashed, so both sides must sign and send the same. Amounts have two decimals, and time stamps are in epoch milliseconds, 13 digits.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, token-cut-by-configuration, token "s3cret" for "s3cret#1" 1`] = `
one of 1:
token-cut-by-configuration
token-cut-off
The token had 6 characters when it was signed; yours has 8 characters.
Perhaps a configuration file or shell removed a part of it at a #, $, \\ or =.
Put it in single quotes in .env files and shells, or use MERCHANT_TOKEN_FILE.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, token-development, token "development-only-token" for "TOKEN" 1`] = `
one of 1:
token-development
The token had 22 characters when it was signed; yours has 24 characters.
Perhaps it was the development token.
Set MERCHANT_TOKEN or MERCHANT_TOKEN_FILE where the signature was made, and NODE_ENV=production.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, token-lost-character, token "7Hq2mZ9pL4xVb8sRt3wYc6d" for "TOKEN" 1`] = `
one of 1:
token-lost-character
The token had 23 characters when it was signed; yours has 24 characters.
Perhaps its first or last character was missing.
Copy it again, from the first character to the last.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, token-newline, token "TOKEN\\n" for "TOKEN" 1`] = `
one of 1:
token-newline
Between the token and merchantAccountNumber, "\\n" was added when it was signed.
Perhaps the token was different: the signer had a line break at its end.
Write it with printf '%s' instead of echo, and take off the line break where a file is read.
one of 2:
account-number-newline
Between the token and merchantAccountNumber, "\\n" was added when it was signed.
Perhaps merchantAccountNumber was "\\n102551": the signer had a line break at its start.
Write it with printf '%s' instead of echo, and take off the line break where a file is read.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, token-white-space, token "TOKEN" for "TOKEN " 1`] = `
one of 1:
token-white-space
token-lost-character
token-cut-off
token-dashes
The token had 24 characters when it was signed; yours has 25 characters.
Perhaps your side has white space.
Find out where the white space comes from (a template, a file, a copied cell), and remove it before signing.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, account-number-newline, merchantAccountNumber "102551\\n" for "102551" 1`] = `
one of 1:
account-number-newline
merchantAccountNumber was "102551\\n" when it was signed; your request has "102551".
Perhaps the signer had a line break at its end.
Write it with printf '%s' instead of echo, and take off the line break where a file is read.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, account-number-other-field, accountNumber 1`] = `
one of 1:
account-number-other-field
term-replaced
merchantAccountNumber was "777" when it was signed; your request has "102551".
Perhaps it was taken from the other of accountNumber and merchantAccountNumber.
Send only one of the two fields; merchantAccountNumber takes precedence.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, digest-appended, as 31e3b0c44298fc1c149a 1`] = `
one of 1:
digest-appended
The text itself was written, with the digest of nothing after it, as Go's Sum(text) does.

Write the text to the hash, and call Sum(nil); or call sha256.Sum256([]byte(text)).
The signature contains the merchant token. The token is published: replace it now.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, digest-base64, both 1`] = `
one of 1:
digest-base64
The digests were written in base64, not in hexadecimal.

Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, digest-unpadded, as 6b86b273ff34fce19d6b 1`] = `
one of 1:
digest-unpadded
The digests were written without leading zeros: of each byte below 16, or of the whole.

Write two hexadecimal digits for each byte: %02x, padStart(2, '0').
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, id-type, compared with its case 1`] = `
one of 1:
id-type
identifier-absent
The order id was "null" when it was signed; your request has "Order-12".
Perhaps idType was read differently: transactionId is the order id only if idType is ORDER_ID, in upper or lower case.
Send idType ORDER_ID when transactionId is an order id, and compare it case-insensitively.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, identifier-absent, identifier "undefined" for "Order-12" 1`] = `
one of 1:
identifier-absent
transactionId was "undefined" when it was signed; your request has "Order-12".
Perhaps an absent value was written as another text, or a value was left out.
Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, identifier-escaped, identifier "O\\\\'Brien" for "O'Brien" 1`] = `
one of 1:
identifier-escaped
transactionId was "O\\\\'Brien" when it was signed; your request has "O'Brien".
Perhaps its quotes or backslashes were escaped for a database, a shell or a CSV file.
Escape where the text is written to such a place, never what is signed.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, identifier-normalization, identifier "Café-1" for "Café-1" 1`] = `
one of 1:
identifier-normalization
transactionId was "Cafe\\u{0301}-1" when it was signed; your request has "Café-1".
Perhaps it was in a different Unicode normalization form.
Sign and send the same code points: normalize once, where it enters your system, or use ASCII.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, identifier-white-space, identifier "Order-12 " for "Order-12" 1`] = `
one of 1:
identifier-white-space
transactionId was "Order-12 " when it was signed; your request has "Order-12".
Perhaps the signer had white space.
Find out where the white space comes from (a template, a file, a copied cell), and remove it before signing.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, signature-inner-white-space, a line break 1`] = `
one of 1:
signature-inner-white-space
The signature had white space or a line break inside.

Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, signature-quoted, quotes 1`] = `
one of 1:
signature-quoted
The signature was in quotes.

Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, signature-white-space, a newline 1`] = `
one of 1:
signature-white-space
The signature had white space around it.

Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, terms-changed, in ' 1`] = `
one of 1:
terms-changed
Terms were changed in the same way: the signer had quotes around it.

Join the texts of the terms as they are sent.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, timestamp-byte-order-mark|text-ends, clientTimeStamp "﻿1709912345678" for 1709912345678 1`] = `
one of 1:
text-ends
The hashed text had a byte order mark at its start, or clientTimeStamp had.

Hash exactly the text, with nothing before or after it: echo adds a line break, printf '%s' does not.
one of 2:
timestamp-byte-order-mark
clientTimeStamp was "\\u{FEFF}1709912345678" when it was signed; your request has "1709912345678".
Perhaps the signer had a byte order mark, U+FEFF, at its start.
Save the file that it comes from as UTF-8 without a byte order mark.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, timestamp-epoch, clientTimeStamp "638455091456780000" for 1709912345678 1`] = `
one of 1:
timestamp-epoch
clientTimeStamp was "638455091456780000" when it was signed; your request has "1709912345678".
Perhaps it was counted from another date than 1970, or in another unit.
Use epoch milliseconds, 13 digits, on both sides.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, token-affix, token "TOKEN;" for "TOKEN" 1`] = `
one of 2:
token-affix
Between the token and merchantAccountNumber, ";" was added when it was signed.
Perhaps the token was different: something was added or removed at its start or end.
Copy exactly the token, with nothing before or after it.
one of 2:
account-number-affix
Between the token and merchantAccountNumber, ";" was added when it was signed.
Perhaps merchantAccountNumber was ";102551": something was added or removed at its start or end.
Sign and send the same text, with nothing before or after it.
The search reached its limit before everything was tried.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, token-byte-order-mark, token "﻿TOKEN" for "TOKEN" 1`] = `
one of 1:
token-byte-order-mark
Between transactionId and the token, "\\u{FEFF}" was added when it was signed.
Perhaps the token was different: the signer had a byte order mark, U+FEFF, at its start.
Save the file that it comes from as UTF-8 without a byte order mark.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, token-case, token "ABCDEF0123456789" for "abcdef0123456789" 1`] = `
one of 1:
token-case
The token was another text when it was signed; both have 16 characters.
Perhaps its letters had a different case.
Sign and send it as it is stored: upper and lower case matter.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, token-of-request, used 1`] = `
one of 1:
token-of-request
The token had 7 characters when it was signed; yours has 24 characters.
Perhaps it was the token in the request, not the configured token.
Leave merchantToken out of the request, or sign with it on both sides.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, account-number-as-number, merchantAccountNumber "12345678901234567000" for "12345678901234567001" 1`] = `
one of 1:
account-number-as-number
merchantAccountNumber was "12345678901234567000" when it was signed; your request has "12345678901234567001".
Perhaps it was converted to a number, which drops zeros or adds .0.
Keep it as text from where it is entered to where it is signed and sent.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, account-number-cut-off, merchantAccountNumber "2551" for "102551" 1`] = `
one of 1:
account-number-cut-off
merchantAccountNumber was "2551" when it was signed; your request has "102551".
Perhaps a part of it was left out or masked: 4 of 6 characters remain.
Lengthen the column or field that holds it, and sign and send the whole text.
The search reached its limit before everything was tried.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, account-number-integer, merchantAccountNumber "34153" for "0102551" 1`] = `
one of 1:
account-number-integer
merchantAccountNumber was "34153" when it was signed; your request has "0102551".
Perhaps it was converted to a 32-bit integer, or written in another base.
Keep it as text, or in a 64-bit integer, and write it in decimal digits.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, amount-as-number, amount "1234.5" for "1234.50" 1`] = `
one of 1:
amount-decimals
amount-as-number
amount-lost-character
amount was "1234.5" when it was signed; your request has "1234.50".
Perhaps its decimals were different.
Format the amount once, with two decimals, and sign and send that same text.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, amount-floating-point, amount "19.999999999999996" for "20.00" 1`] = `
one of 1:
amount-floating-point
amount was "19.999999999999996" when it was signed; your request has "20.00".
Perhaps it was converted to a floating-point number, which is not exact and has few digits.
Keep it as text, and calculate amounts in integers or decimals.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, amount-leading-zeros, amount "000000001234.50" for "1234.50" 1`] = `
one of 1:
amount-leading-zeros
amount was "000000001234.50" when it was signed; your request has "1234.50".
Perhaps its leading zeros were different.
Keep it as text, with the zeros that it was issued with.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, amount-newline, before the amount 1`] = `
one of 1:
amount-newline
amount was "\\n1234.50" when it was signed; your request has "1234.50".
Perhaps the signer had a line break at its start.
Write it with printf '%s' instead of echo, and take off the line break where a file is read.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, amount-quotes, amount "\\"1234.50\\"" for "1234.50" 1`] = `
one of 1:
amount-quotes
amount-json
amount was "\\"1234.50\\"" when it was signed; your request has "1234.50".
Perhaps the signer had quotes around it.
Remove the quotes at the signer: env files and control panels may take quotes literally.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, amount-separators, amount "1,234.50" for "1234.50" 1`] = `
one of 1:
amount-separators
amount was "1,234.50" when it was signed; your request has "1234.50".
Perhaps its decimal or thousands separators were different.
Sign and send plain digits with a decimal point, whatever the locale; separators belong on the screen only.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, amount-sign, amount "-1234.50" for "1234.50" 1`] = `
one of 1:
amount-sign
amount was "-1234.50" when it was signed; your request has "1234.50".
Perhaps a plus or minus sign was added or removed.
Sign and send the amount without a plus or minus sign, for refunds too.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, digest-bytes, as [107,134,178,115,255 1`] = `
one of 1:
digest-bytes
The digests were written as lists of bytes.

Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, hashed-twice, of the digits 1`] = `
one of 1:
hashed-twice
The digest was hashed again, from its hexadecimal digits.

Hash each text once.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, identifier-case, identifier "ORDER-12" for "Order-12" 1`] = `
one of 1:
identifier-case
orderId was "ORDER-12" when it was signed; your request has "Order-12".
Perhaps its letters had a different case.
Sign and send it as it is stored: upper and lower case matter.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, identifier-leading-zeros|amount-decimals, identifier "12345678901234567001" for "012345678901234567001" 1`] = `
one of 1:
identifier-separators
identifier-leading-zeros
identifier-lost-character
orderId was "12345678901234567001" when it was signed; your request has "012345678901234567001".
Perhaps its decimal or thousands separators were different.
Sign and send plain digits with a decimal point, whatever the locale; separators belong on the screen only.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, identifier-lost-characters, identifier "Caf?" for "Café" 1`] = `
one of 1:
identifier-lost-characters
orderId was "Caf?" when it was signed; your request has "Café".
Perhaps characters that are not ASCII were dropped or replaced.
Keep the text in a column or an encoding that has all its characters: utf8mb4 in MySQL.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, identifier-marks|token-marks, identifier "Order-12‏" for "Order-12" 1`] = `
one of 2:
identifier-marks
Between orderId and the token, "\\u{200F}" was added when it was signed.
Perhaps orderId was "Order-12\\u{200F}": the signer had an invisible character, such as a right-to-left mark.
Remove invisible characters where the text enters your system.
one of 2:
token-marks
Between orderId and the token, "\\u{200F}" was added when it was signed.
Perhaps the token was different: the signer had an invisible character, such as a right-to-left mark.
Remove invisible characters where the text enters your system.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, identifier-newline|text-ends, identifier "Order-12\\n" for "Order-12" 1`] = `
one of 1:
identifier-newline
Between orderId and the token, "\\n" was added when it was signed.
Perhaps orderId was "Order-12\\n": the signer had a line break at its end.
Write it with printf '%s' instead of echo, and take off the line break where a file is read.
one of 2:
token-newline
Between orderId and the token, "\\n" was added when it was signed.
Perhaps the token was different: the signer had a line break at its start.
Write it with printf '%s' instead of echo, and take off the line break where a file is read.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, identifier-plus, identifier "a b" for "a+b" 1`] = `
one of 1:
identifier-dashes
identifier-plus
orderId was "a b" when it was signed; your request has "a+b".
Perhaps dashes, spaces or other separators were removed, added or replaced.
Sign and send it in the same form, with the same separators.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, other-request, another order id 1`] = `
one of 1:
other-request
orderId was "another" when it was signed; your request has "Order-12".
Perhaps orderId of the other request was used.
Sign and send the same value: take it from one place.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, parts-swapped, both 1`] = `
one of 1:
parts-swapped
The parts were in the wrong order.

Put part 1, which has the session id, first.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, reference-from-another-field, the order id 1`] = `
one of 1:
reference-from-another-field
term-replaced
The reference was "Order-12" when it was signed; for your request it is empty.
Perhaps it was taken from another field.
A purchase has no reference; refund and void use transactionFCRN, an inquiry transactionId, variant B orderId.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, sid-white-space, sid "5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11 " for "5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11" 1`] = `
one of 1:
sid-white-space
sid was "5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11 " when it was signed; your request has "5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11".
Perhaps the signer had white space.
Find out where the white space comes from (a template, a file, a copied cell), and remove it before signing.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, signature-base64, of the hexadecimal 1`] = `
one of 1:
signature-base64
The hexadecimal digits were written in base64.

Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, signature-escaped, as PHP does 1`] = `
one of 1:
signature-escaped
Its slashes were escaped, as some JSON libraries do.

Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, signature-in-json, the answer 1`] = `
one of 1:
signature-in-json
The whole response was used as the signature, not its field "signature".

Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, term-added, the token in part 1, at place 0 1`] = `
one of 1:
term-added
Part 1 had the token at its start too.

Part 1: clientTimeStamp, sid, amount, reference. Part 2: clientTimeStamp, order id or null (variant A), token, account number, amount, reference.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, term-replaced, the token in the place of the sid 1`] = `
one of 1:
term-replaced
sid was another text when it was signed; your request has "5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11".
Perhaps the token stood in its place.
Part 1: clientTimeStamp, sid, amount, reference. Part 2: clientTimeStamp, order id or null (variant A), token, account number, amount, reference.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, terms-added-up, the time stamp and the order id 1`] = `
one of 1:
terms-added-up
clientTimeStamp and orderIdOrNull were added up as numbers.

Convert each term to text before joining them.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, terms-as-pairs, as a query 1`] = `
one of 1:
terms-as-pairs
The terms were joined as name=value, with "&" between them.

Join the texts alone, without their names.
The search reached its limit before everything was tried.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, text-encoding, UTF-16 1`] = `
one of 1:
text-encoding
The text was hashed as UTF-16, not as UTF-8.

Hash the UTF-8 bytes of the text, and name the encoding in the call: its default may differ.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, timestamp-iso, clientTimeStamp "2024-03-08T15:39:05.678Z" for 1709912345678 1`] = `
one of 1:
timestamp-iso
clientTimeStamp was "2024-03-08T15:39:05.678Z" when it was signed; your request has "1709912345678".
Perhaps it was a date as text, not a number.
Use epoch milliseconds, 13 digits, on both sides.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, timestamp-separators, clientTimeStamp "1,709,912,345,678" for 1709912345678 1`] = `
one of 1:
timestamp-separators
clientTimeStamp was "1,709,912,345,678" when it was signed; your request has "1709912345678".
Perhaps its decimal or thousands separators were different.
Sign and send plain digits with a decimal point, whatever the locale; separators belong on the screen only.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, timestamp-white-space, clientTimeStamp "1709912345678" for "1709912345678 " 1`] = `
one of 1:
timestamp-white-space
timestamp-as-number
timestamp-separators
clientTimeStamp was "1709912345678" when it was signed; your request has "1709912345678 ".
Perhaps your side has white space.
Find out where the white space comes from (a template, a file, a copied cell), and remove it before signing.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, token-base64, token "hello world token" for "aGVsbG8gd29ybGQgdG9rZW4=" 1`] = `
one of 1:
token-base64
The token had 17 characters when it was signed; yours has 24 characters.
Perhaps it was base64-encoded or decoded on one side.
Use the plain text on both sides; a Kubernetes secret is base64 in its YAML and plain in the container.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, token-hex, token "hello" for "68656c6c6f" 1`] = `
one of 1:
token-hex
The token had 5 characters when it was signed; yours has 10 characters.
Perhaps it was written in or decoded from hexadecimal.
Use its text as is: the characters are hashed, not the bytes that they may stand for.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, token-in-json, token "{\\"MERCHANT_TOKEN\\":\\"TOKEN\\"}" for "TOKEN" 1`] = `
one of 1:
token-in-json
The token had 45 characters when it was signed; yours has 24 characters.
Perhaps the whole JSON of a secret was used instead of its member, or the reverse.
Parse the secret, and sign with the member that contains the token.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, token-missing, token "undefined" for "TOKEN" 1`] = `
one of 1:
token-missing
token-absent
The token had 9 characters when it was signed; yours has 24 characters.
Perhaps it was missing: an empty text or a placeholder was used.
Check that the variable reaches the process that signs; compare the key check values.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, token-with-its-name, token "MERCHANT_TOKEN=TOKEN" for "TOKEN" 1`] = `
one of 1:
token-with-its-name
Between orderId and the token, 15 characters were added when it was signed.
Perhaps the token was different: its name, or a word such as Bearer, stood before it.
Use only the text after the name: the whole line of a file is not the token.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, variant, B instead of A 1`] = `
one of 1:
variant
The terms were those of variant B, not of variant A.

Set VARIANT to the one that the payment side uses; GET /health says which one a service has.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, account-number-absent, merchantAccountNumber "undefined" for "102551" 1`] = `
one of 1:
account-number-absent
merchantAccountNumber was "undefined" when it was signed; your request has "102551".
Perhaps an absent value was written as another text, or a value was left out.
Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, account-number-white-space, merchantAccountNumber "102551" for " 102551" 1`] = `
one of 1:
account-number-white-space
account-number-as-number
account-number-separators
merchantAccountNumber was "102551" when it was signed; your request has " 102551".
Perhaps your side has white space.
Find out where the white space comes from (a template, a file, a copied cell), and remove it before signing.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, amount-decimals, amount "1235" for "1234.50" 1`] = `
one of 1:
amount-decimals
amount was "1235" when it was signed; your request has "1234.50".
Perhaps its decimals were different.
Format the amount once, with two decimals, and sign and send that same text.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, amount-minor-units, amount "123450" for "1234.50" 1`] = `
one of 1:
amount-minor-units
amount-dashes
amount-floating-point
amount was "123450" when it was signed; your request has "1234.50".
Perhaps one side uses minor units (hundredths or thousandths).
Agree on one unit: the text is hashed, so both sides must sign and send the same. Amounts have two decimals, and time stamps are in epoch milliseconds, 13 digits.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, amount-number-format, amount "1.2345E3" for "1234.50" 1`] = `
one of 1:
amount-number-format
amount-floating-point
amount was "1.2345E3" when it was signed; your request has "1234.50".
Perhaps it was formatted as a language formats a floating-point number.
Keep it as text, or format it with digits only.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, amount-padded, amount "    1234.50" for "1234.50" 1`] = `
one of 1:
amount-padded
amount was "    1234.50" when it was signed; your request has "1234.50".
Perhaps it was padded with spaces to a fixed length.
Trim what comes out of columns of a fixed length.
The search reached its limit before everything was tried.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, digest-upper-case, both 1`] = `
one of 1:
digest-upper-case
The digests were written in uppercase.

Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, identifier-as-number, identifier "12345678901234567000" for "12345678901234567001" 1`] = `
one of 1:
identifier-as-number
transactionFCRN was "12345678901234567000" when it was signed; your request has "12345678901234567001".
Perhaps it was converted to a number, which drops zeros or adds .0.
Keep it as text from where it is entered to where it is signed and sent.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, identifier-cut-off, identifier "1234567890" for "1234567890123456" 1`] = `
one of 1:
identifier-cut-off
transactionFCRN was "1234567890" when it was signed; your request has "1234567890123456".
Perhaps a part of it was left out or masked: 10 of 16 characters remain.
Lengthen the column or field that holds it, and sign and send the whole text.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, identifier-padded, identifier "Order-12            " for "Order-12" 1`] = `
one of 1:
identifier-padded
transactionFCRN was "Order-12            " when it was signed; your request has "Order-12".
Perhaps it was padded with spaces to a fixed length.
Trim what comes out of columns of a fixed length.
The search reached its limit before everything was tried.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, identifier-percent-encoding, identifier "a b" for "a%20b" 1`] = `
one of 1:
identifier-percent-encoding
transactionFCRN was "a b" when it was signed; your request has "a%20b".
Perhaps it was percent-encoded on one side.
Decode it before signing: the text itself is hashed, not its form in a URL.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, one-hash, of both texts 1`] = `
one of 1:
one-hash
Both parts were hashed together.

Hash each part alone, and join the two digests with ///.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, one-part, part 1 1`] = `
one of 1:
one-part
Only part 1 was given.

Send both parts with /// between them.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, operation, a refund as a purchase 1`] = `
one of 1:
operation
The terms were those of a purchase; your request is a refund.
Perhaps the signer read another operationType, or none.
Send operationType as exactly purchase, refund, void or inquiry: anything else is signed as a purchase.
one of 2:
identifier-absent
transactionFCRN was "" when it was signed; your request has "0098765".
Perhaps an absent value was written as another text, or a value was left out.
Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, order-id-from-another-field, transactionFCRN copied into the order id 1`] = `
one of 1:
order-id-from-another-field
term-replaced
The order id was "0098765" when it was signed; for your request it is "null".
Perhaps it was taken from another field.
The order term is orderId; in an inquiry it is transactionId if idType is ORDER_ID. Without an order id it is the text null.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, sid-wrapped, sid "{5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11}" for "5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11" 1`] = `
one of 1:
sid-wrapped
sid was "{5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11}" when it was signed; your request has "5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11".
Perhaps it was in brackets, or in what a language prints around a value, such as Optional(…).
Use its plain text, as it was generated.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, signature-labelled, signature= 1`] = `
one of 1:
signature-labelled
The signature had its field name before it.

Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, signature-percent-encoded, in a URL 1`] = `
one of 1:
signature-percent-encoded
The signature was percent-encoded.

Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, signature-separator, "/" 1`] = `
one of 1:
signature-separator
The parts were separated by "/", not "///".

Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, timestamp-absent, clientTimeStamp "NaN" for 1709912345678 1`] = `
one of 1:
timestamp-absent
clientTimeStamp was "NaN" when it was signed; your request has "1709912345678".
Perhaps an absent value was written as another text, or a value was left out.
Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, timestamp-digits, clientTimeStamp "١٧٠٩٩١٢٣٤٥٦٧٨" for 1709912345678 1`] = `
one of 1:
timestamp-digits
clientTimeStamp was "١٧٠٩٩١٢٣٤٥٦٧٨" when it was signed; your request has "1709912345678".
Perhaps it was written in the digits of another script.
Format numbers with a fixed locale that has ASCII digits, such as en-US.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, timestamp-number-format, clientTimeStamp "1.709912345678E12" for 1709912345678 1`] = `
one of 1:
timestamp-number-format
timestamp-floating-point
clientTimeStamp was "1.709912345678E12" when it was signed; your request has "1709912345678".
Perhaps it was formatted as a language formats a floating-point number.
Keep it as text, or format it with digits only.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, timestamp-time-zone, clientTimeStamp "1709919545678" for 1709912345678 1`] = `
one of 1:
timestamp-time-zone
clientTimeStamp was "1709919545678" when it was signed; your request has "1709912345678".
Perhaps it differed by the offset of a time zone, as when local time is used as UTC.
Epoch milliseconds have no time zone: take them from the clock, not from a formatted date.
The search reached its limit before everything was tried.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, token-percent-encoding, token "a b" for "a%20b" 1`] = `
one of 1:
token-percent-encoding
The token had 3 characters when it was signed; yours has 5 characters.
Perhaps it was percent-encoded on one side.
Decode it before signing: the text itself is hashed, not its form in a URL.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, token-quotes, token "\\"TOKEN\\"" for "TOKEN" 1`] = `
one of 1:
token-quotes
token-json
The token had 26 characters when it was signed; yours has 24 characters.
Perhaps the signer had quotes around it.
Remove the quotes at the signer: env files and control panels may take quotes literally.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, account-number-separators, merchantAccountNumber "102,551" for "102551" 1`] = `
one of 1:
account-number-separators
merchantAccountNumber was "102,551" when it was signed; your request has "102551".
Perhaps its decimal or thousands separators were different.
Sign and send plain digits with a decimal point, whatever the locale; separators belong on the screen only.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, amount-absent, null for an amount 1`] = `
one of 1:
amount-absent
amount was "null" when it was signed; for your request it is empty.
Perhaps an absent value was written as another text, or a value was left out.
Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, amount-not-ignored, an amount that is ignored 1`] = `
one of 1:
amount-not-ignored
amount was "100.00" when it was signed; for your request it is empty.
Perhaps the amount was used for an operation that ignores it.
Purchases and refunds sign the amount; voids and inquiries sign an empty text.
one of 2:
operation
The terms were those of a refund; your request is a void.
Perhaps the signer read another operationType, or none.
Send operationType as exactly purchase, refund, void or inquiry: anything else is signed as a purchase.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, digest-algorithm, sha512 1`] = `
one of 1:
digest-algorithm
The digests are those of SHA512; the scheme uses SHA-256.

Use SHA-256.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, digest-hex-twice, as 36623836623237336666 1`] = `
one of 1:
digest-hex-twice
The digests were written in hexadecimal twice.

Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, hmac, token in the key only 1`] = `
one of 1:
hmac
The digests were HMACs with the token as the key.

Use a plain SHA-256 of the text with the token in it; the scheme has no HMAC.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, identifier-absent|operation|variant, identifier "" for "Order-12" 1`] = `
one of 1:
operation
The terms were those of a purchase; your request is a void.
Perhaps the signer read another operationType, or none.
Send operationType as exactly purchase, refund, void or inquiry: anything else is signed as a purchase.
one of 2:
identifier-absent
transactionFCRN was "" when it was signed; your request has "Order-12".
Perhaps an absent value was written as another text, or a value was left out.
Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, identifier-html, identifier "a&amp;b" for "a&b" 1`] = `
one of 1:
identifier-html
transactionFCRN was "a&amp;b" when it was signed; your request has "a&b".
Perhaps it was escaped for HTML on one side.
Escape for HTML when rendering a page, never what is signed.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, identifier-leading-zeros, identifier "98765" for "0098765" 1`] = `
one of 1:
identifier-as-number
identifier-separators
identifier-leading-zeros
transactionFCRN was "98765" when it was signed; your request has "0098765".
Perhaps it was converted to a number, which drops zeros or adds .0.
Keep it as text from where it is entered to where it is signed and sent.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, identifier-marks|amount-marks, identifier "‏Order-12" for "Order-12" 1`] = `
one of 1:
identifier-marks
transactionFCRN was "\\u{200F}Order-12" when it was signed; your request has "Order-12".
Perhaps the signer had an invisible character, such as a right-to-left mark.
Remove invisible characters where the text enters your system.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, identifier-quotes, identifier "\\"Order-12\\"" for "Order-12" 1`] = `
one of 1:
identifier-quotes
identifier-json
transactionFCRN was "\\"Order-12\\"" when it was signed; your request has "Order-12".
Perhaps the signer had quotes around it.
Remove the quotes at the signer: env files and control panels may take quotes literally.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, sid-absent, sid "" for "5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11" 1`] = `
one of 1:
sid-absent
sid was "" when it was signed; your request has "5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11".
Perhaps an absent value was written as another text, or a value was left out.
Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, sid-dashes, sid "5f0c5f4e9c0b4a438d6e0d9f3d0a7b11" for "5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11" 1`] = `
one of 1:
sid-dashes
sid was "5f0c5f4e9c0b4a438d6e0d9f3d0a7b11" when it was signed; your request has "5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11".
Perhaps dashes, spaces or other separators were removed, added or replaced.
Sign and send it in the same form, with the same separators.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, terms-empty, nothing was hashed 1`] = `
one of 1:
terms-empty
Nothing was hashed: the digests are those of an empty text.

Pass the text to the hash function: update(text) before digest().
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, terms-separated, with "|" 1`] = `
one of 1:
terms-separated
The terms were joined with "|" between them.

Join the terms with nothing between them.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, text-ends, echo 1`] = `
one of 1:
text-ends
The hashed text had a line break at its end, or transactionFCRN had.

Hash exactly the text, with nothing before or after it: echo adds a line break, printf '%s' does not.
one of 2:
identifier-newline
transactionFCRN was "0098765\\n" when it was signed; your request has "0098765".
Perhaps the signer had a line break at its end.
Write it with printf '%s' instead of echo, and take off the line break where a file is read.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, timestamp-floating-point, clientTimeStamp "1.70991e+12" for 1709912345678 1`] = `
one of 1:
timestamp-floating-point
clientTimeStamp was "1.70991e+12" when it was signed; your request has "1709912345678".
Perhaps it was converted to a floating-point number, which is not exact and has few digits.
Keep it as text, and calculate amounts in integers or decimals.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, timestamp-fraction, clientTimeStamp "1709912345678.1" for 1709912345678 1`] = `
one of 1:
timestamp-fraction
clientTimeStamp was "1709912345678.1" when it was signed; your request has "1709912345678".
Perhaps it had decimals, as when seconds with a fraction are multiplied by 1000.
Cut it down to an integer before it is signed and sent.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, timestamp-local-date, clientTimeStamp "2024-03-08T17:39:05.678+02:00" for 1709912345678 1`] = `
one of 1:
timestamp-local-date
clientTimeStamp was "2024-03-08T17:39:05.678+02:00" when it was signed; your request has "1709912345678".
Perhaps it was a local date as text, not a number.
Use epoch milliseconds, 13 digits, on both sides.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, token-hashed, token "9cd61e8961af14d7c7d4c6dde821cc455171dee01477e1362301ad0aa9763db8" for "TOKEN" 1`] = `
one of 1:
token-hashed
The token had 64 characters when it was signed; yours has 24 characters.
Perhaps a hash of it was used in its place.
Join the token itself: only the whole text is hashed.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, token-other, of staging 1`] = `
one of 1:
token-other
The token had 20 characters when it was signed; yours has 24 characters.
Perhaps it was the token named staging.
Use the token of the same environment on both sides; compare the key check values.
`

exports[`dist/test/tools/diagnosis/answers.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, token-utf-16, token "ÿþk\\u00007\\u0000H\\u0000q\\u00002\\u0000m\\u0000Z\\u00009\\u0000p\\u0000L\\u00004\\u0000x\\u0000V\\u0000b\\u00008\\u0000s\\u0000R\\u0000t\\u00003\\u0000w\\u0000Y\\u0000c\\u00006\\u0000d\\u0000" for "TOKEN" 1`] = `
one of 1:
token-utf-16
The token had 50 characters when it was signed; yours has 24 characters.
Perhaps its file was UTF-16 and was read in another encoding.
Save the file that it comes from as UTF-8 without a byte order mark.
`
