/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`dist/test/system/programs.test.js > TAP > go01: The amount is a float64 formatted with %f, which writes six decimal places. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > go02: An absent order id is formatted with %v and becomes "<nil>" instead of "null". > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > go03: The time stamp is decoded from JSON as float64 and formatted with %v, so it is in scientific notation. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > go04: The time stamp is UnixNano(), in nanoseconds instead of milliseconds. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > go05: The amount is formatted with strconv.FormatFloat(x, 'f', -1, 64), so trailing zeros are missing. > a log, in which other requests are right 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > go05: The amount is formatted with strconv.FormatFloat(x, 'f', -1, 64), so trailing zeros are missing. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > go06: operationType is compared without converting it to lower case, so the refund or void is signed as a purchase. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > go07: The digests are formatted with %X, which writes upper-case hexadecimal. > one request 1`] = `
1. The digests were written in uppercase.
   → Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.

✓ part 1 matches
✓ part 2 matches

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > go08: An inquiry signs the amount of the request instead of an empty text. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > go09: Part 2 lacks the account number. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > go10: An absent order id is formatted with fmt.Sprint() and becomes "<nil>" instead of an empty text. > a log, in which other requests are right 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > go10: An absent order id is formatted with fmt.Sprint() and becomes "<nil>" instead of an empty text. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > go11: An absent order id is the zero value of a string, an empty text, instead of "null". > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > go12: The terms are joined with strings.Join(terms, "|"). > one request 1`] = `
1. The terms were joined with "|" between them.
   → Join the terms with nothing between them.

2. or: The terms were joined with "|" between them, empty ones left out.
   → Join the terms with nothing between them.

Explanations 1 to 2 are equally likely.
! part 1 differs, and the first of these explains it
! part 2 differs, and the first of these explains it

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > go13: The reference is missing in part 2 and present in part 1. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > go14: The environment variable of the token is not set, so os.Getenv() returns an empty token. > one request 1`] = `
1. The token had 0 characters when it was signed; yours has 20 characters.
   Perhaps an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > go15: The token comes from a file with Windows line ends and keeps "\\r\\n". > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose orderId has a character that is not ASCII

1. explains 2 of 2, such as sid "1cec3f19-111c-4810-b21a-2a9bd56009d0"
   Between the token and merchantAccountNumber, "\\r\\n" was added when it was signed.
   Perhaps the token was different: the signer had a line break at its end.
   → Write it with printf '%s' instead of echo, and take off the line break where a file is read.

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > go15: The token comes from a file with Windows line ends and keeps "\\r\\n". > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > go16: The sid is converted with strings.ToLower(). > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > go17: An inquiry by ORDER_ID uses "null" instead of transactionId as order id. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > go18: In part 2 the account number comes before the token. > one request 1`] = `
1. The terms of part 2 were joined in the order clientTimeStamp, accountNumber, merchantToken, amount, referenceNumber.
   → Part 1: clientTimeStamp, sid, amount, reference. Part 2: clientTimeStamp, order id or null (variant A), token, account number, amount, reference.

✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > go19: The amount is formatted with %f (six decimal places), and the absent order id is "<nil>" instead of "null". > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > go20: The time stamp is in scientific notation (%v of a float64), and transactionFCRN is used as order id. > a log, in which other requests are right 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > go20: The time stamp is in scientific notation (%v of a float64), and transactionFCRN is used as order id. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > go21: The digests are Base64, and the terms are joined with ":". > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > go22: The account number is an int without its leading zeros, and the absent order id is an empty text instead of "null". > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > go23: The token is empty because its variable is not set, and the amount lacks trailing zeros. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > go24: The token keeps "\\r\\n" of its file, and the time stamp is in microseconds. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > go25: In both parts the reference comes before the amount, and the parts are joined with "|". > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose merchantAccountNumber is "0048812290"

✗ nothing explains 2 of 2, such as sid "sess_60b41c2facb2"
   Neither part matches, and no cause was found.
   Part 1 does not contain the token, so something else differs: check the time stamp, sid, amount and reference first. Compare the request that was signed with the one that was sent, character by character.
   The search reached its limit before everything was tried.

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > go25: In both parts the reference comes before the amount, and the parts are joined with "|". > one request 1`] = `
✗ part 1 differs
✗ part 2 differs

Neither part matches, and no cause was found.
Part 1 does not contain the token, so something else differs: check the time stamp, sid, amount and reference first. Compare the request that was signed with the one that was sent, character by character.
The search reached its limit before everything was tried.

N texts hashed, the limit; --max-tries raises it; --deep tries many more

`

exports[`dist/test/system/programs.test.js > TAP > go26: Both parts are HMAC-SHA256 of the correct texts, and the token (key and term) keeps a trailing newline. > one request 1`] = `
✗ part 1 differs
✗ part 2 differs

Neither part matches, and no cause was found.
Part 1 does not contain the token, so something else differs: check the time stamp, sid, amount and reference first. Compare the request that was signed with the one that was sent, character by character.
The search reached its limit before everything was tried.

N texts hashed, the limit; --max-tries raises it; --deep tries many more

`

exports[`dist/test/system/programs.test.js > TAP > go27: The text is passed to h.Sum() instead of h.Write(): hex of the text, followed by the digest of nothing. > one request 1`] = `
1. The text itself was written, with the digest of nothing after it, as Go's Sum(text) does.
   → Write the text to the hash, and call Sum(nil); or call sha256.Sum256([]byte(text)).

✓ part 1 matches
✓ part 2 matches

The signature contains the merchant token. The token is published: replace it now.

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > go28: The signer hashes fmt.Sprint() of a slice: the terms are in brackets with spaces between them. > one request 1`] = `
1. Each term was in a list, with " " between them, in [].
   → Join the texts themselves, not what a language prints for a list.

! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > go29: The time stamp is an int64 formatted with %s, which writes "%!s(int64=1736852000123)". > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > go30: The order id passes through json.Marshal, which adds quotation marks and writes "&" as \\u0026. > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose orderId has a character that is not ASCII

✗ nothing explains 2 of 2, such as sid "dXpefZQOjHZogbCCMZ-OD"
   Part 1 matches: the time stamp, sid, amount and reference in part 1 are right.
   Part 2 differs, and no cause was found: compare the order id, account number and token with the signer's, the token by its key check value.
   The search reached its limit before everything was tried.

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > go30: The order id passes through json.Marshal, which adds quotation marks and writes "&" as \\u0026. > one request 1`] = `
✓ part 1 matches
✗ part 2 differs

Part 1 matches: the time stamp, sid, amount and reference in part 1 are right.
Part 2 differs, and no cause was found: compare the order id, account number and token with the signer's, the token by its key check value.
The search reached its limit before everything was tried.

N texts hashed, the limit; --max-tries raises it; --deep tries many more

`

exports[`dist/test/system/programs.test.js > TAP > go31: The order id is a *string formatted with %v, so the address of the variable is hashed. > one request 1`] = `
✓ part 1 matches
✗ part 2 differs

Part 1 matches: the time stamp, sid, amount and reference in part 1 are right.
Part 2 differs, and no cause was found: compare the order id, account number and token with the signer's, the token by its key check value.
The search reached its limit before everything was tried.

N texts hashed, the limit; --max-tries raises it; --deep tries many more

`

exports[`dist/test/system/programs.test.js > TAP > go32: The terms are joined with fmt.Sprintln(), which adds spaces and a newline. > one request 1`] = `
✗ part 1 differs
✗ part 2 differs

Neither part matches, and no cause was found.
Part 1 does not contain the token, so something else differs: check the time stamp, sid, amount and reference first. Compare the request that was signed with the one that was sent, character by character.
The search reached its limit before everything was tried.

N texts hashed, the limit; --max-tries raises it; --deep tries many more

`

exports[`dist/test/system/programs.test.js > TAP > go33: The reference is the shop's internal number of the order instead of the order id of the request. > one request 1`] = `
✗ part 1 differs
✗ part 2 differs

Neither part matches, and no cause was found.
Part 1 does not contain the token, so something else differs: check the time stamp, sid, amount and reference first. Compare the request that was signed with the one that was sent, character by character.
The search reached its limit before everything was tried.

N texts hashed, the limit; --max-tries raises it; --deep tries many more

`

exports[`dist/test/system/programs.test.js > TAP > go34: Both parts are SHA-1 digests, and the amount is formatted with one decimal place. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ja01: The amount is a double joined as text, so "100.00" becomes "100.0". > a log, in which other requests are right 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ja01: The amount is a double joined as text, so "100.00" becomes "100.0". > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ja02: The amount is a double joined as text, which is in scientific notation from ten millions ("1.25000005E7"). > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ja03: A purchase has a null reference, which Java joins as the text "null" instead of an empty text. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ja04: The amount is formatted with String.format("%.2f") in a German locale, so it has a decimal comma. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ja05: The amount is BigDecimal.stripTrailingZeros().toString(), so "100.00" becomes "1E+2". > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ja06: Integer.toHexString() writes the bytes of the digests without leading zeros, so the parts are too short. > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose orderId is given

1. explains 2 of 2, such as sid "11c7b0f7-5546-44c0-961d-00c303842b60"
   The digests were written without leading zeros: of each byte below 16, or of the whole.
   → Write two hexadecimal digits for each byte: %02x, padStart(2, '0').

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > ja06: Integer.toHexString() writes the bytes of the digests without leading zeros, so the parts are too short. > one request 1`] = `
1. The digests were written without leading zeros: of each byte below 16, or of the whole.
   → Write two hexadecimal digits for each byte: %02x, padStart(2, '0').

✓ part 1 matches
✓ part 2 matches

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > ja07: The backend takes System.currentTimeMillis() instead of the time stamp of the request; it is a little later. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ja08: The time stamp is converted through a local date and time without its zone, so it is two hours too late. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ja09: An absent order id is null, which Java joins as the text "null" instead of an empty text. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ja10: The order id is an Optional joined as text: "Optional[...]". > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ja11: Both parts are SHA-512 digests instead of SHA-256. > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose merchantAccountNumber is "2200918"

1. explains 2 of 2, such as sid "9d58667d-04f9-4ffc-8f04-e563798841bf"
   The digests are those of SHA512; the scheme uses SHA-256.
   → Use SHA-256.

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > ja11: Both parts are SHA-512 digests instead of SHA-256. > one request 1`] = `
1. The digests are those of SHA512; the scheme uses SHA-256.
   → Use SHA-256.

! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > ja12: The token is the Base64 text of the Kubernetes secret, which nobody decoded. > one request 1`] = `
1. The token had 40 characters when it was signed; yours has 30 characters.
   Perhaps it was base64-encoded or decoded on one side.
   → Use the plain text on both sides; a Kubernetes secret is base64 in its YAML and plain in the container.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > ja13: The amount is rounded to a whole number with setScale(0, HALF_UP). > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ja14: Copied line: part 1 is computed from the terms of part 2, so both parts are equal. > one request 1`] = `
1. Part 1 had the terms of part 2.
   → Part 1: clientTimeStamp, sid, amount, reference. Part 2: clientTimeStamp, order id or null (variant A), token, account number, amount, reference.

! part 1 differs, and this explains it
✓ part 2 matches

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > ja15: The signer uses the subtotal of the cart, without tax and delivery, instead of the amount of the request. > one request 1`] = `
✗ part 1 differs
✗ part 2 differs

Neither part matches, and no cause was found.
Part 1 does not contain the token, so something else differs: check the time stamp, sid, amount and reference first. Compare the request that was signed with the one that was sent, character by character.
The search reached its limit before everything was tried.

N texts hashed, the limit; --max-tries raises it; --deep tries many more

`

exports[`dist/test/system/programs.test.js > TAP > ja16: The order id comes from the session and is the one of the previous order. > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose amount begins with 5

✗ nothing explains 2 of 2, such as sid "Lx2hoDSEzHICBChOM9twd"
   Part 1 matches: the time stamp, sid, amount and reference in part 1 are right.
   Part 2 differs, and no cause was found: compare the order id, account number and token with the signer's, the token by its key check value.
   The search reached its limit before everything was tried.

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > ja16: The order id comes from the session and is the one of the previous order. > one request 1`] = `
✓ part 1 matches
✗ part 2 differs

Part 1 matches: the time stamp, sid, amount and reference in part 1 are right.
Part 2 differs, and no cause was found: compare the order id, account number and token with the signer's, the token by its key check value.
The search reached its limit before everything was tried.

N texts hashed, the limit; --max-tries raises it; --deep tries many more

`

exports[`dist/test/system/programs.test.js > TAP > ja17: The amount has the currency after it: "100.00 EGP". > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ja18: The amount is a double joined as text ("100.0", "149.5"), and the reference of the purchase is the text "null". > one request 1`] = `
1. The joined text of amount and the reference was "400.0null" when it was signed; your request has "400.00".
   Perhaps amount was "400.0": its decimals were different.
   → Format the amount once, with two decimals, and sign and send that same text.
   Perhaps the reference was "null": an absent value was written as another text, or a value was left out.
   → Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.

! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > ja19: The amount has a decimal comma of the locale, and the time stamp is in seconds. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ja20: The absent order id is the text "null" instead of an empty text, and the digests are upper-case hexadecimal. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ja21: The amount is in scientific notation (stripTrailingZeros(), "1E+2"), and the token is its own Base64 text. > a log, in which other requests are right 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ja21: The amount is in scientific notation (stripTrailingZeros(), "1E+2"), and the token is its own Base64 text. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ja22: transactionFCRN is a long without its leading zeros, and part 2 lacks the account number. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ja23: The parts are swapped, and the amount is rounded to a whole number. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ja24: The order id is "Optional[...]", and the time stamp is taken again a little later. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ja25: new BigInteger(1, digest).toString(16) drops the leading zeros of a part, so only some signatures are wrong. > one request 1`] = `
1. The digests were written without leading zeros: of each byte below 16, or of the whole.
   → Write two hexadecimal digits for each byte: %02x, padStart(2, '0').

✓ part 1 matches
✓ part 2 matches

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > ja26: The texts are encoded as ISO-8859-1, the default of the server; other characters become "?". > a log, in which other requests are right 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ja26: The texts are encoded as ISO-8859-1, the default of the server; other characters become "?". > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ja27: The texts are hashed twice: SHA-256 of the hexadecimal SHA-256. > one request 1`] = `
1. The digest was hashed again, from its hexadecimal digits.
   → Hash each text once.

! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > ja28: The token is a char[] joined as text, so the type and the identity of the array are hashed. > one request 1`] = `
✓ part 1 matches
✗ part 2 differs

Part 1 matches: the time stamp, sid, amount and reference in part 1 are right.
Part 2 differs, and no cause was found: compare the order id, account number and token with the signer's, the token by its key check value.
The search reached its limit before everything was tried.

N texts hashed, the limit; --max-tries raises it; --deep tries many more

`

exports[`dist/test/system/programs.test.js > TAP > ja29: The amount is formatted in the locale ar-EG, so it has Arabic-Indic digits and an Arabic decimal separator. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ja30: The texts are encoded as UTF-16 (big-endian, with a byte order mark) instead of UTF-8. > one request 1`] = `
✗ part 1 differs
✗ part 2 differs

Neither part matches, and no cause was found.
Part 1 does not contain the token, so something else differs: check the time stamp, sid, amount and reference first. Compare the request that was signed with the one that was sent, character by character.
The search reached its limit before everything was tried.

N texts hashed, the limit; --max-tries raises it; --deep tries many more

`

exports[`dist/test/system/programs.test.js > TAP > js01: The amount is a number, so trailing zeros are missing ("100.00" becomes "100", "149.50" becomes "149.5"). > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > js02: An absent order id is the text "undefined" instead of "null". > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > js03: Date.now() is called twice: part 2 has a time stamp that is some milliseconds later than the one of part 1. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > js04: An inquiry without amount signs the text "undefined" as its amount. > a log, in which other requests are right 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > js04: An inquiry without amount signs the text "undefined" as its amount. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > js05: The sid is generated again with randomUUID() for the signature, so it differs from the sid of the request. > one request 1`] = `
✗ part 1 differs
✓ part 2 matches

Part 2 matches: the token, and the time stamp, amount and reference in part 2, are right. Part 1 differs in something else, most often the sid: generate the sid once, for the signature and the payment request.
The search reached its limit before everything was tried.

N texts hashed, the limit; --max-tries raises it; --deep tries many more

`

exports[`dist/test/system/programs.test.js > TAP > js06: The order id has "#" before it, as the shop shows it to its customers. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > js07: The amount is formatted with toLocaleString('en-US'), so it has thousands separators. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > js08: Both digests are written as Base64 instead of hexadecimal. > one request 1`] = `
1. The digests were written in base64, not in hexadecimal.
   → Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.

✓ part 1 matches
✓ part 2 matches

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > js09: Part 2 has the sid in the place of the order id. > a log, in which other requests are right 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > js09: Part 2 has the sid in the place of the order id. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > js10: An absent order id is the text "undefined" instead of an empty text. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > js11: The amount is in minor units: Math.round(amount * 100). > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > js12: The time stamp is ISO 8601 text from toISOString() instead of epoch milliseconds. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > js13: Array.join() without argument puts commas between the terms. > one request 1`] = `
1. The terms were joined with "," between them.
   → Join the terms with nothing between them.

! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > js14: The parts are swapped: the part with the token comes first. > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail

1. explains 2 of 2, such as sid "4DFF5A30-F21B-4DB7-A8E0-9BDF9108EA14"
   The parts were in the wrong order.
   → Put part 1, which has the session id, first.

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > js14: The parts are swapped: the part with the token comes first. > one request 1`] = `
1. The parts were in the wrong order.
   → Put part 1, which has the session id, first.

! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > js15: A purchase uses the order id as referenceNumber, as variant B does. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > js16: The environment variable of the token is not set, so the text "undefined" is hashed as token. > one request 1`] = `
1. The token had 9 characters when it was signed; yours has 64 characters.
   Perhaps it was missing: an empty text or a placeholder was used.
   → Check that the variable reaches the process that signs; compare the key check values.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > js17: The account number is converted to a number and loses its leading zeros. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > js18: A refund signs an empty amount, as if it were a void. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > js19: The amount is a number without trailing zeros, and the absent order id is the text "undefined". > a log, in which other requests are right 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > js19: The amount is a number without trailing zeros, and the absent order id is the text "undefined". > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > js20: The digests are Base64url, and the parts are joined with ".". > one request 1`] = `
1. The digests were written in base64, not in hexadecimal.
 + The parts were separated by ".", not "///".
   → Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.

✓ part 1 matches
✓ part 2 matches

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > js21: The sid is generated again, and part 2 has a later time stamp from a second call of Date.now(). > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > js22: The token keeps a trailing newline, and the digests are upper-case hexadecimal. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > js23: A refund signs an empty amount, and transactionFCRN is used as order id instead of "null". > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > js24: An inquiry signs the amount of the request, and the missing order id is an empty text instead of "null". > a log, in which other requests are right 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > js24: An inquiry signs the amount of the request, and the missing order id is an empty text instead of "null". > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > js25: The time stamp is in seconds, and the terms are joined with ":". > one request 1`] = `
✗ part 1 differs
✗ part 2 differs

Neither part matches, and no cause was found.
Part 1 does not contain the token, so something else differs: check the time stamp, sid, amount and reference first. Compare the request that was signed with the one that was sent, character by character.
The search reached its limit before everything was tried.

N texts hashed, the limit; --max-tries raises it; --deep tries many more

`

exports[`dist/test/system/programs.test.js > TAP > js26: Both parts are HMAC-SHA256 without the token as term, and their key is the old token. > one request 1`] = `
✗ part 1 differs
✗ part 2 differs

Neither part matches, and no cause was found.
Part 1 does not contain the token, so something else differs: check the time stamp, sid, amount and reference first. Compare the request that was signed with the one that was sent, character by character.
The search reached its limit before everything was tried.

N texts hashed, the limit; --max-tries raises it; --deep tries many more

`

exports[`dist/test/system/programs.test.js > TAP > js27: The signer hashes JSON.stringify() of the array of terms. > one request 1`] = `
1. Each term was in ", with "," between them, in [].
   → Join the texts themselves, not what a language prints for a list.

! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > js28: The order id is URL-encoded with encodeURIComponent before it is hashed. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > js29: The text is hashed as 'latin1', which keeps only the low byte of each character, instead of UTF-8. > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose merchantAccountNumber has capital letters

1. explains 2 of 2, such as sid "8f2cf5d8-22a2-41e4-ab61-9e6aca025ba1"
   The text was hashed as Latin-1, not as UTF-8.
   → Hash the UTF-8 bytes of the text, and name the encoding in the call: its default may differ.

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > js29: The text is hashed as 'latin1', which keeps only the low byte of each character, instead of UTF-8. > one request 1`] = `
1. The text was hashed as Latin-1, not as UTF-8.
   → Hash the UTF-8 bytes of the text, and name the encoding in the call: its default may differ.

! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > js30: The amount is an object { value, currency }, so the text "[object Object]" is hashed. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > js31: Time stamp and order id are numbers, so "+" adds them in part 2 instead of joining their texts. > one request 1`] = `
1. clientTimeStamp and orderIdOrNull were added up as numbers.
   → Convert each term to text before joining them.

✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > js32: The promise of the secrets manager is not awaited, so the text "[object Promise]" is hashed as token. > one request 1`] = `
1. The token had 16 characters when it was signed; yours has 24 characters.
   Perhaps it was missing: an empty text or a placeholder was used.
   → Check that the variable reaches the process that signs; compare the key check values.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > ph01: The amount is formatted with number_format($amount, 2), which adds thousands separators. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ph02: An absent order id is null, which PHP joins as an empty text instead of "null". > a log, in which other requests are right 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ph02: An absent order id is null, which PHP joins as an empty text instead of "null". > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ph03: The amount is cast to float, so trailing zeros are missing. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ph04: The time stamp is time() * 1000: the milliseconds are always 000 and differ from those of the request. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ph05: The token in the .env file has quotation marks, and the reader of the file keeps them. > one request 1`] = `
1. The token had 66 characters when it was signed; yours has 64 characters.
   Perhaps the signer had quotes around it.
   → Remove the quotes at the signer: env files and control panels may take quotes literally.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > ph06: Both parts are MD5 digests instead of SHA-256. > one request 1`] = `
1. The digests are those of MD5; the scheme uses SHA-256.
   → Use SHA-256.

! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > ph07: The token passes through urldecode(), so each "+" becomes a space. > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose merchantAccountNumber is "0007712345"

1. explains 2 of 2, such as sid "9F1D14AF-5C3F-4C45-A2E7-0E4B77BC2C4E"
   The token was another text when it was signed; both have 33 characters.
   Perhaps dashes, spaces or other separators were removed, added or replaced.
   → Sign and send it in the same form, with the same separators.

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > ph07: The token passes through urldecode(), so each "+" becomes a space. > one request 1`] = `
1. The token was another text when it was signed; both have 33 characters.
   Perhaps dashes, spaces or other separators were removed, added or replaced.
   → Sign and send it in the same form, with the same separators.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > ph08: Both parts are HMAC-SHA256 of the correct texts with the token as key. > one request 1`] = `
1. The digests were HMACs with the token as the key, and in the text too.
   → Use a plain SHA-256 of the text with the token in it; the scheme has no HMAC.

! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > ph09: The order id is cast to int and loses its leading zeros. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ph10: An absent order id is the upper-case text "NULL" instead of "null". > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ph11: A void signs the amount "0.00" instead of an empty text. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ph12: The amount has a decimal comma: number_format($amount, 2, ',', ''). > a log, in which other requests are right 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ph12: The amount has a decimal comma: number_format($amount, 2, ',', ''). > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ph13: A refund uses the order id as referenceNumber instead of transactionFCRN. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ph14: The reference is missing in part 1 and present in part 2. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ph15: Part 1 lacks the sid. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ph16: The signer uses the old token, which was replaced. > one request 1`] = `
✓ part 1 matches
✗ part 2 differs

Part 1 matches: the time stamp, sid, amount and reference in part 1 are right.
Part 2 differs, and no cause was found: compare the order id, account number and token with the signer's, the token by its key check value.
The search reached its limit before everything was tried.

N texts hashed, the limit; --max-tries raises it; --deep tries many more

`

exports[`dist/test/system/programs.test.js > TAP > ph17: The signer takes the account number of another branch from its configuration. > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose orderId is given

✗ nothing explains 2 of 2, such as sid "808e92ac-188f-4610-9de8-02c31d52a982"
   Part 1 matches: the time stamp, sid, amount and reference in part 1 are right.
   Part 2 differs, and no cause was found: compare the order id, account number and token with the signer's, the token by its key check value.
   The search reached its limit before everything was tried.

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > ph17: The signer takes the account number of another branch from its configuration. > one request 1`] = `
✓ part 1 matches
✗ part 2 differs

Part 1 matches: the time stamp, sid, amount and reference in part 1 are right.
Part 2 differs, and no cause was found: compare the order id, account number and token with the signer's, the token by its key check value.
The search reached its limit before everything was tried.

N texts hashed, the limit; --max-tries raises it; --deep tries many more

`

exports[`dist/test/system/programs.test.js > TAP > ph18: The variable is in single quotes, so the text '$merchantToken' is hashed instead of the token. > one request 1`] = `
1. The token had 14 characters when it was signed; yours has 33 characters.
   Perhaps a placeholder was not replaced by its value.
   → Check that the variable reaches the code that signs, and that its quotes expand it.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > ph19: The absent order id is an empty text instead of "null", and the amount has thousands separators. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ph20: The token keeps the quotation marks of the .env file, and the time stamp is microtime(true), in seconds with a fraction. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ph21: The amount has a decimal comma and dots between thousands, and the digests are upper-case hexadecimal. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ph22: Part 2 is an HMAC-SHA256 with the token as key and without the token as term, and all terms are joined with "|". > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose sid has small letters

1. explains 2 of 2, such as sid "sess_dcc633cf7ae7"
   The terms were joined with "|" between them.
   → Join the terms with nothing between them.
 + In part 2: The digests were HMACs with the token as the key.
   → Use a plain SHA-256 of the text with the token in it; the scheme has no HMAC.

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > ph22: Part 2 is an HMAC-SHA256 with the token as key and without the token as term, and all terms are joined with "|". > one request 1`] = `
1. The terms were joined with "|" between them.
   → Join the terms with nothing between them.
 + In part 2: The digests were HMACs with the token as the key.
   → Use a plain SHA-256 of the text with the token in it; the scheme has no HMAC.

! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > ph23: A void signs the amount "0", and the absent order id is "NULL" instead of "null". > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ph24: Both parts are MD5 digests, and they are joined with "//". > one request 1`] = `
1. The parts were separated by "//", not "///".
   → Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
 + The digests are those of MD5; the scheme uses SHA-256.
   → Use SHA-256.

! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > ph25: idType is compared without converting it to upper case, so the order id is "null", and the parts are joined with "/". > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ph26: A refund uses the order id as referenceNumber, and the account number is that of another branch. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ph27: The signature passes through json_encode(), which escapes its slashes: "\\/\\/\\/". > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose merchantAccountNumber is "00019001"

1. explains 2 of 2, such as sid "1e4e4bb0-b12b-4f25-b842-f7087f048c84"
   Its slashes were escaped, as some JSON libraries do.
   → Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > ph27: The signature passes through json_encode(), which escapes its slashes: "\\/\\/\\/". > one request 1`] = `
1. Its slashes were escaped, as some JSON libraries do.
   → Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.

✓ part 1 matches
✓ part 2 matches

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > ph28: The order id passes through htmlspecialchars(), so "&" becomes "&amp;". > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ph29: The texts are encoded as UTF-8 twice (utf8_encode() of text that is UTF-8). > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ph30: The signer hashes query strings from http_build_query() instead of the joined values. > one request 1`] = `
1. The terms were joined as name=value, with "&" between them.
   → Join the texts alone, without their names.

! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > ph31: The file of the token starts with a UTF-8 byte order mark, which becomes part of the token. > one request 1`] = `
1. The token had 37 characters when it was signed; yours has 36 characters.
   Perhaps the signer had a byte order mark, U+FEFF, at its start.
   → Save the file that it comes from as UTF-8 without a byte order mark.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > ph32: The order id is an array, so the text "Array" is hashed as reference. > a log, in which other requests are right 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > ph32: The order id is an array, so the text "Array" is hashed as reference. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > py01: The amount is converted with str(float(amount)), so "100.00" becomes "100.0". > a log, in which other requests are right 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > py01: The amount is converted with str(float(amount)), so "100.00" becomes "100.0". > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > py02: An absent order id is the text "None" instead of "null". > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > py03: A void signs the amount of the request instead of an empty amount. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > py04: The time stamp is in seconds instead of milliseconds: int(time.time()). > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > py05: The time stamp is in seconds with a decimal fraction, as str(time.time()) writes it. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > py06: The token is read from a file with open().read() and keeps the trailing newline. > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose merchantAccountNumber is absent

1. explains 2 of 2, such as sid "N8Zl1wy7A64drMN4rPAmV"
   Between the token and accountNumber, "\\n" was added when it was signed.
   Perhaps the token was different: the signer had a line break at its end.
   → Write it with printf '%s' instead of echo, and take off the line break where a file is read.

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > py06: The token is read from a file with open().read() and keeps the trailing newline. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > py07: Part 2 is an HMAC-SHA256 with the token as its key, and the token is not among the terms. > one request 1`] = `
1. In part 2: The digests were HMACs with the token as the key.
   → Use a plain SHA-256 of the text with the token in it; the scheme has no HMAC.

✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > py08: The two parts are joined with "//" instead of "///". > one request 1`] = `
1. The parts were separated by "//", not "///".
   → Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.

✓ part 1 matches
✓ part 2 matches

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > py09: The reference (the order id) is missing in part 2. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > py10: The sid passes through uuid.UUID and str(), which converts it to lower case. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > py11: The amount has thousands separators: f"{amount:,.2f}". > a log, in which other requests are right 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > py11: The amount has thousands separators: f"{amount:,.2f}". > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > py12: The token is a bytes object converted with str(), so it is hashed as b'...' with prefix and quotes. > one request 1`] = `
1. The token had 23 characters when it was signed; yours has 20 characters.
   Perhaps it was in brackets, or in what a language prints around a value, such as Optional(…).
   → Use its plain text, as it was generated.

No other explanation was found.
✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > py13: The amount is in minor units (cents) instead of decimal text. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > py14: For refund and void without an order id, transactionFCRN is used as order id instead of "null". > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > py15: Both parts are SHA-1 digests. > one request 1`] = `
1. The digests are those of SHA1; the scheme uses SHA-256.
   → Use SHA-256.

! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > py16: In part 2 the token comes before the order id instead of after it. > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose merchantAccountNumber is "0048812290"

1. explains 2 of 2, such as sid "sess_dcc633cf7ae7"
   The terms of part 2 were joined in the order clientTimeStamp, merchantToken, orderIdOrNull, accountNumber, amount.
   → Part 1: clientTimeStamp, sid, amount, reference. Part 2: clientTimeStamp, order id or null (variant A), token, account number, amount, reference.

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > py16: In part 2 the token comes before the order id instead of after it. > one request 1`] = `
1. The terms of part 2 were joined in the order clientTimeStamp, merchantToken, orderIdOrNull, accountNumber, amount.
   → Part 1: clientTimeStamp, sid, amount, reference. Part 2: clientTimeStamp, order id or null (variant A), token, account number, amount, reference.

✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > py17: An inquiry uses transactionId as order id although idType is not ORDER_ID. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > py18: The signer uses the formula of variant A: part 2 has the order id after the time stamp. > one request 1`] = `
1. Part 2 had orderId before merchantToken too.
   → Part 1: clientTimeStamp, sid, amount, reference. Part 2: clientTimeStamp, order id or null (variant A), token, account number, amount, reference.

✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > py19: The amount is converted through float ("100.0"), and the absent order id is "None" instead of "null". > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > py20: The terms are joined with "|", and the digests are upper-case hexadecimal. > one request 1`] = `
1. The digests were written in uppercase.
   → Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
 + The terms were joined with "|" between them.
   → Join the terms with nothing between them.

! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > py21: The time stamp is in seconds, and the token keeps the trailing newline of its file. > a log, in which other requests are right 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > py21: The time stamp is in seconds, and the token keeps the trailing newline of its file. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > py22: In part 2 the account number comes before the token, and the amount is converted through float. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > py23: Part 1 lacks the sid, and part 2 is written before part 1. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > py24: Both parts are SHA-512 digests, written as Base64 instead of hexadecimal. > one request 1`] = `
1. The digests were written in base64, not in hexadecimal.
   → Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
 + The digests are those of SHA512; the scheme uses SHA-256.
   → Use SHA-256.

! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > py25: The sid is uuid.hex, without hyphens, and the amount is a normalized Decimal ("1E+2" or "2.5E+3"). > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > py26: A void signs the amount of the request, and transactionFCRN is used as order id instead of "null". > a log, in which other requests are right 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > py26: A void signs the amount of the request, and transactionFCRN is used as order id instead of "null". > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > py27: The amount passes through json.dumps and keeps its quotation marks. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > py28: The terms of both parts are sorted as text before they are joined. > one request 1`] = `
1. The terms of part 2 were joined in the order accountNumber, clientTimeStamp, amount, merchantToken, orderIdOrNull.
   → Part 1: clientTimeStamp, sid, amount, reference. Part 2: clientTimeStamp, order id or null (variant A), token, account number, amount, reference.

✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > py29: The amount is Decimal(float(amount)), which writes the binary fraction with all its digits. > one request 1`] = `
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

exports[`dist/test/system/programs.test.js > TAP > py30: The text is encoded as UTF-16 with a byte order mark instead of UTF-8. > one request 1`] = `
1. The text was hashed as UTF-16 with a byte order mark, not as UTF-8.
   → Hash the UTF-8 bytes of the text, and name the encoding in the call: its default may differ.

! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > py31: Order id and token are URL-encoded with quote_plus before they are hashed. > a log, in which other requests are right 1`] = `
✗ 2 of 4 fail: each whose merchantAccountNumber is absent

1. explains 2 of 2, such as sid "536c36de-d026-4f98-82a9-66c20b24dbcd"
   In part 2: Terms were changed in the same way: it was percent-encoded on one side.
   → Join the texts of the terms as they are sent.

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > py31: Order id and token are URL-encoded with quote_plus before they are hashed. > one request 1`] = `
1. In part 2: Terms were changed in the same way: it was percent-encoded on one side.
   → Join the texts of the terms as they are sent.

✓ part 1 matches
! part 2 differs, and this explains it

N texts hashed

`

exports[`dist/test/system/programs.test.js > TAP > py32: The signer hashes the text of a Python list, with brackets, quotation marks and commas. > one request 1`] = `
1. Each term was in ', with ", " between them, in [].
   → Join the texts themselves, not what a language prints for a list.

! part 1 differs, and this explains it
! part 2 differs, and this explains it

N texts hashed

`
