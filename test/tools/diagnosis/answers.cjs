/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, account-number-affix, merchantAccountNumber "M102551" for "102551" 1`] = `
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

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, account-number-dashes, merchantAccountNumber "102551" for "10-25-51" 1`] = `
one of 1:
account-number-dashes
merchantAccountNumber was "102551" when it was signed; your request has "10-25-51".
Perhaps dashes, spaces or other separators were removed, added or replaced.
Sign and send it in the same form, with the same separators.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, account-number-leading-zeros, merchantAccountNumber "0000102551" for "102551" 1`] = `
one of 1:
account-number-leading-zeros
Between the token and merchantAccountNumber, 4 characters were added when it was signed.
Perhaps merchantAccountNumber was "0000102551": its leading zeros were different.
Keep it as text, with the zeros that it was issued with.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, account-number-quotes, merchantAccountNumber "\\"102551\\"" for "102551" 1`] = `
one of 1:
account-number-quotes
account-number-json
merchantAccountNumber was "\\"102551\\"" when it was signed; your request has "102551".
Perhaps the signer had quotes around it.
Remove the quotes at the signer: env files and control panels may take quotes literally.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, amount-currency, amount "1234.50 EGP" for "1234.50" 1`] = `
one of 1:
amount-currency
amount was "1234.50 EGP" when it was signed; your request has "1234.50".
Perhaps a currency was added or removed.
Sign and send only the number.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, amount-digits, amount "١٢٣٤.٥٠" for "1234.50" 1`] = `
one of 1:
amount-digits
amount was "١٢٣٤.٥٠" when it was signed; your request has "1234.50".
Perhaps it was written in the digits of another script.
Format numbers with a fixed locale that has ASCII digits, such as en-US.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, amount-white-space, amount "1234.50" for " 1234.50" 1`] = `
one of 1:
amount-white-space
amount-decimals
amount-separators
amount was "1234.50" when it was signed; your request has " 1234.50".
Perhaps your side has white space.
Find out where the white space comes from (a template, a file, a copied cell), and remove it before signing.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, digest-sign-extended, as 6bffffff86ffffffb273 1`] = `
one of 1:
digest-sign-extended
The digests were written from signed bytes, which become ffffff80 to ffffffff.

Mask each byte: String.format("%02x", b & 0xff).
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, identifier-encoding, identifier "CafÃ©" for "Café" 1`] = `
one of 1:
identifier-encoding
orderId was "CafÃ©" when it was signed; your request has "Café".
Perhaps its UTF-8 bytes were read in another encoding, or vice versa.
Read and write UTF-8 everywhere between the form and the signature.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, identifier-json, identifier "a\\\\/b" for "a/b" 1`] = `
one of 1:
identifier-json
orderId was "a\\\\/b" when it was signed; your request has "a/b".
Perhaps it was escaped as JSON has it, or not unescaped.
Sign the decoded text, not its form in JSON: no \\/ and no \\u00e9.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, identifier-white-space|amount-white-space, identifier " Order-12" for "Order-12" 1`] = `
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

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, sid-case, sid "5F0C5F4E-9C0B-4A43-8D6E-0D9F3D0A7B11" for "5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11" 1`] = `
one of 1:
sid-case
sid was "5F0C5F4E-9C0B-4A43-8D6E-0D9F3D0A7B11" when it was signed; your request has "5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11".
Perhaps its letters had a different case.
Sign and send it as it is stored: upper and lower case matter.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, signature-bytes-marked, 0x before each part 1`] = `
one of 1:
signature-bytes-marked
The bytes of the signature were marked, as by 0x or dashes.

Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, signature-of-tool, as 6b86b273ff34fce19d6b 1`] = `
one of 1:
signature-of-tool
The signature had the output of sha256sum or openssl around the digests.

Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, timestamp-as-number, clientTimeStamp "1709912345678.0" for 1709912345678 1`] = `
one of 1:
timestamp-as-number
clientTimeStamp was "1709912345678.0" when it was signed; your request has "1709912345678".
Perhaps it was converted to a number, which drops zeros or adds .0.
Keep it as text from where it is entered to where it is signed and sent.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, timestamp-directive, clientTimeStamp "1709912345%3N" for 1709912345678 1`] = `
one of 1:
timestamp-directive
clientTimeStamp was "1709912345%3N" when it was signed; your request has "1709912345678".
Perhaps a format of the date command was not expanded, such as %3N on macOS.
Use epoch milliseconds, 13 digits, on both sides.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, timestamp-taken-twice, clientTimeStamp "1709912345679" for 1709912345678 1`] = `
one of 1:
timestamp-taken-twice
clientTimeStamp was "1709912345679" when it was signed; your request has "1709912345678".
Perhaps the clock was read twice, once for the signature and once for the request.
Take the time stamp once, and use the same value for the signature and for the payment request.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, timestamp-unit, clientTimeStamp "1709912345" for 1709912345678 1`] = `
one of 1:
timestamp-unit
clientTimeStamp was "1709912345" when it was signed; your request has "1709912345678".
Perhaps it was in a different unit: 10 digits are seconds, 13 milliseconds, 16 microseconds.
Agree on one unit: the text is hashed, so both sides must sign and send the same. Amounts have two decimals, and time stamps are in epoch milliseconds, 13 digits.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, token-cut-by-configuration, token "s3cret" for "s3cret#1" 1`] = `
one of 1:
token-cut-by-configuration
token-cut-off
The token had 6 characters when it was signed; yours has 8 characters.
Perhaps a configuration file or shell removed a part of it at a #, $, \\ or =.
Put it in single quotes in .env files and shells, or use MERCHANT_TOKEN_FILE.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, token-development, token "development-only-token" for "TOKEN" 1`] = `
one of 1:
token-development
The token had 22 characters when it was signed; yours has 24 characters.
Perhaps it was the development token.
Set MERCHANT_TOKEN or MERCHANT_TOKEN_FILE where the signature was made, and NODE_ENV=production.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, token-lost-character, token "7Hq2mZ9pL4xVb8sRt3wYc6d" for "TOKEN" 1`] = `
one of 1:
token-lost-character
The token had 23 characters when it was signed; yours has 24 characters.
Perhaps its first or last character was missing.
Copy it again, from the first character to the last.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, token-newline, token "TOKEN\\n" for "TOKEN" 1`] = `
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

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > B, token-white-space, token "TOKEN" for "TOKEN " 1`] = `
one of 1:
token-white-space
token-lost-character
token-cut-off
token-dashes
The token had 24 characters when it was signed; yours has 25 characters.
Perhaps your side has white space.
Find out where the white space comes from (a template, a file, a copied cell), and remove it before signing.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, account-number-newline, merchantAccountNumber "102551\\n" for "102551" 1`] = `
one of 1:
account-number-newline
merchantAccountNumber was "102551\\n" when it was signed; your request has "102551".
Perhaps the signer had a line break at its end.
Write it with printf '%s' instead of echo, and take off the line break where a file is read.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, account-number-other-field, accountNumber 1`] = `
one of 1:
account-number-other-field
term-replaced
merchantAccountNumber was "777" when it was signed; your request has "102551".
Perhaps it was taken from the other of accountNumber and merchantAccountNumber.
Send only one of the two fields; merchantAccountNumber takes precedence.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, digest-appended, as 31e3b0c44298fc1c149a 1`] = `
one of 1:
digest-appended
The text itself was written, with the digest of nothing after it, as Go's Sum(text) does.

Write the text to the hash, and call Sum(nil); or call sha256.Sum256([]byte(text)).
The signature contains the merchant token. The token is published: replace it now.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, digest-base64, both 1`] = `
one of 1:
digest-base64
The digests were written in base64, not in hexadecimal.

Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, digest-unpadded, as 6b86b273ff34fce19d6b 1`] = `
one of 1:
digest-unpadded
The digests were written without leading zeros: of each byte below 16, or of the whole.

Write two hexadecimal digits for each byte: %02x, padStart(2, '0').
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, id-type, compared with its case 1`] = `
one of 1:
id-type
identifier-absent
The order id was "null" when it was signed; your request has "Order-12".
Perhaps idType was read differently: transactionId is the order id only if idType is ORDER_ID, in upper or lower case.
Send idType ORDER_ID when transactionId is an order id, and compare it case-insensitively.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, identifier-absent, identifier "undefined" for "Order-12" 1`] = `
one of 1:
identifier-absent
transactionId was "undefined" when it was signed; your request has "Order-12".
Perhaps an absent value was written as another text, or a value was left out.
Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, identifier-escaped, identifier "O\\\\'Brien" for "O'Brien" 1`] = `
one of 1:
identifier-escaped
transactionId was "O\\\\'Brien" when it was signed; your request has "O'Brien".
Perhaps its quotes or backslashes were escaped for a database, a shell or a CSV file.
Escape where the text is written to such a place, never what is signed.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, identifier-normalization, identifier "Café-1" for "Café-1" 1`] = `
one of 1:
identifier-normalization
transactionId was "Cafe\\u{0301}-1" when it was signed; your request has "Café-1".
Perhaps it was in a different Unicode normalization form.
Sign and send the same code points: normalize once, where it enters your system, or use ASCII.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, identifier-white-space, identifier "Order-12 " for "Order-12" 1`] = `
one of 1:
identifier-white-space
transactionId was "Order-12 " when it was signed; your request has "Order-12".
Perhaps the signer had white space.
Find out where the white space comes from (a template, a file, a copied cell), and remove it before signing.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, signature-inner-white-space, a line break 1`] = `
one of 1:
signature-inner-white-space
The signature had white space or a line break inside.

Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, signature-quoted, quotes 1`] = `
one of 1:
signature-quoted
The signature was in quotes.

Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, signature-white-space, a newline 1`] = `
one of 1:
signature-white-space
The signature had white space around it.

Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, terms-changed, in ' 1`] = `
one of 1:
terms-changed
Terms were changed in the same way: the signer had quotes around it.

Join the texts of the terms as they are sent.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, timestamp-byte-order-mark|text-ends, clientTimeStamp "﻿1709912345678" for 1709912345678 1`] = `
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

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, timestamp-epoch, clientTimeStamp "638455091456780000" for 1709912345678 1`] = `
one of 1:
timestamp-epoch
clientTimeStamp was "638455091456780000" when it was signed; your request has "1709912345678".
Perhaps it was counted from another date than 1970, or in another unit.
Use epoch milliseconds, 13 digits, on both sides.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, token-affix, token "TOKEN;" for "TOKEN" 1`] = `
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

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, token-byte-order-mark, token "﻿TOKEN" for "TOKEN" 1`] = `
one of 1:
token-byte-order-mark
Between transactionId and the token, "\\u{FEFF}" was added when it was signed.
Perhaps the token was different: the signer had a byte order mark, U+FEFF, at its start.
Save the file that it comes from as UTF-8 without a byte order mark.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, token-case, token "ABCDEF0123456789" for "abcdef0123456789" 1`] = `
one of 1:
token-case
The token was another text when it was signed; both have 16 characters.
Perhaps its letters had a different case.
Sign and send it as it is stored: upper and lower case matter.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > inquiry, token-of-request, used 1`] = `
one of 1:
token-of-request
The token had 7 characters when it was signed; yours has 24 characters.
Perhaps it was the token in the request, not the configured token.
Leave merchantToken out of the request, or sign with it on both sides.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, account-number-as-number, merchantAccountNumber "12345678901234567000" for "12345678901234567001" 1`] = `
one of 1:
account-number-as-number
merchantAccountNumber was "12345678901234567000" when it was signed; your request has "12345678901234567001".
Perhaps it was converted to a number, which drops zeros or adds .0.
Keep it as text from where it is entered to where it is signed and sent.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, account-number-cut-off, merchantAccountNumber "2551" for "102551" 1`] = `
one of 1:
account-number-cut-off
merchantAccountNumber was "2551" when it was signed; your request has "102551".
Perhaps a part of it was left out or masked: 4 of 6 characters remain.
Lengthen the column or field that holds it, and sign and send the whole text.
The search reached its limit before everything was tried.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, account-number-integer, merchantAccountNumber "34153" for "0102551" 1`] = `
one of 1:
account-number-integer
merchantAccountNumber was "34153" when it was signed; your request has "0102551".
Perhaps it was converted to a 32-bit integer, or written in another base.
Keep it as text, or in a 64-bit integer, and write it in decimal digits.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, amount-as-number, amount "1234.5" for "1234.50" 1`] = `
one of 1:
amount-decimals
amount-as-number
amount-lost-character
amount was "1234.5" when it was signed; your request has "1234.50".
Perhaps its decimals were different.
Format the amount once, with two decimals, and sign and send that same text.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, amount-floating-point, amount "19.999999999999996" for "20.00" 1`] = `
one of 1:
amount-floating-point
amount was "19.999999999999996" when it was signed; your request has "20.00".
Perhaps it was converted to a floating-point number, which is not exact and has few digits.
Keep it as text, and calculate amounts in integers or decimals.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, amount-leading-zeros, amount "000000001234.50" for "1234.50" 1`] = `
one of 1:
amount-leading-zeros
amount was "000000001234.50" when it was signed; your request has "1234.50".
Perhaps its leading zeros were different.
Keep it as text, with the zeros that it was issued with.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, amount-newline, before the amount 1`] = `
one of 1:
amount-newline
amount was "\\n1234.50" when it was signed; your request has "1234.50".
Perhaps the signer had a line break at its start.
Write it with printf '%s' instead of echo, and take off the line break where a file is read.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, amount-quotes, amount "\\"1234.50\\"" for "1234.50" 1`] = `
one of 1:
amount-quotes
amount-json
amount was "\\"1234.50\\"" when it was signed; your request has "1234.50".
Perhaps the signer had quotes around it.
Remove the quotes at the signer: env files and control panels may take quotes literally.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, amount-separators, amount "1,234.50" for "1234.50" 1`] = `
one of 1:
amount-separators
amount was "1,234.50" when it was signed; your request has "1234.50".
Perhaps its decimal or thousands separators were different.
Sign and send plain digits with a decimal point, whatever the locale; separators belong on the screen only.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, amount-sign, amount "-1234.50" for "1234.50" 1`] = `
one of 1:
amount-sign
amount was "-1234.50" when it was signed; your request has "1234.50".
Perhaps a plus or minus sign was added or removed.
Sign and send the amount without a plus or minus sign, for refunds too.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, digest-bytes, as [107,134,178,115,255 1`] = `
one of 1:
digest-bytes
The digests were written as lists of bytes.

Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, hashed-twice, of the digits 1`] = `
one of 1:
hashed-twice
The digest was hashed again, from its hexadecimal digits.

Hash each text once.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, identifier-case, identifier "ORDER-12" for "Order-12" 1`] = `
one of 1:
identifier-case
orderId was "ORDER-12" when it was signed; your request has "Order-12".
Perhaps its letters had a different case.
Sign and send it as it is stored: upper and lower case matter.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, identifier-leading-zeros|amount-decimals, identifier "12345678901234567001" for "012345678901234567001" 1`] = `
one of 1:
identifier-separators
identifier-leading-zeros
identifier-lost-character
orderId was "12345678901234567001" when it was signed; your request has "012345678901234567001".
Perhaps its decimal or thousands separators were different.
Sign and send plain digits with a decimal point, whatever the locale; separators belong on the screen only.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, identifier-lost-characters, identifier "Caf?" for "Café" 1`] = `
one of 1:
identifier-lost-characters
orderId was "Caf?" when it was signed; your request has "Café".
Perhaps characters that are not ASCII were dropped or replaced.
Keep the text in a column or an encoding that has all its characters: utf8mb4 in MySQL.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, identifier-marks|token-marks, identifier "Order-12‏" for "Order-12" 1`] = `
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

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, identifier-newline|text-ends, identifier "Order-12\\n" for "Order-12" 1`] = `
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

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, identifier-plus, identifier "a b" for "a+b" 1`] = `
one of 1:
identifier-dashes
identifier-plus
orderId was "a b" when it was signed; your request has "a+b".
Perhaps dashes, spaces or other separators were removed, added or replaced.
Sign and send it in the same form, with the same separators.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, other-request, another order id 1`] = `
one of 1:
other-request
orderId was "another" when it was signed; your request has "Order-12".
Perhaps orderId of the other request was used.
Sign and send the same value: take it from one place.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, parts-swapped, both 1`] = `
one of 1:
parts-swapped
The parts were in the wrong order.

Put part 1, which has the session id, first.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, reference-from-another-field, the order id 1`] = `
one of 1:
reference-from-another-field
term-replaced
The reference was "Order-12" when it was signed; for your request it is empty.
Perhaps it was taken from another field.
A purchase has no reference; refund and void use transactionFCRN, an inquiry transactionId, variant B orderId.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, sid-white-space, sid "5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11 " for "5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11" 1`] = `
one of 1:
sid-white-space
sid was "5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11 " when it was signed; your request has "5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11".
Perhaps the signer had white space.
Find out where the white space comes from (a template, a file, a copied cell), and remove it before signing.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, signature-base64, of the hexadecimal 1`] = `
one of 1:
signature-base64
The hexadecimal digits were written in base64.

Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, signature-escaped, as PHP does 1`] = `
one of 1:
signature-escaped
Its slashes were escaped, as some JSON libraries do.

Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, signature-in-json, the answer 1`] = `
one of 1:
signature-in-json
The whole response was used as the signature, not its field "signature".

Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, term-added, the token in part 1, at place 0 1`] = `
one of 1:
term-added
Part 1 had the token at its start too.

Part 1: clientTimeStamp, sid, amount, reference. Part 2: clientTimeStamp, order id or null (variant A), token, account number, amount, reference.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, term-replaced, the token in the place of the sid 1`] = `
one of 1:
term-replaced
sid was another text when it was signed; your request has "5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11".
Perhaps the token stood in its place.
Part 1: clientTimeStamp, sid, amount, reference. Part 2: clientTimeStamp, order id or null (variant A), token, account number, amount, reference.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, terms-added-up, the time stamp and the order id 1`] = `
one of 1:
terms-added-up
clientTimeStamp and orderIdOrNull were added up as numbers.

Convert each term to text before joining them.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, terms-as-pairs, as a query 1`] = `
one of 1:
terms-as-pairs
The terms were joined as name=value, with "&" between them.

Join the texts alone, without their names.
The search reached its limit before everything was tried.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, text-encoding, UTF-16 1`] = `
one of 1:
text-encoding
The text was hashed as UTF-16, not as UTF-8.

Hash the UTF-8 bytes of the text, and name the encoding in the call: its default may differ.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, timestamp-iso, clientTimeStamp "2024-03-08T15:39:05.678Z" for 1709912345678 1`] = `
one of 1:
timestamp-iso
clientTimeStamp was "2024-03-08T15:39:05.678Z" when it was signed; your request has "1709912345678".
Perhaps it was a date as text, not a number.
Use epoch milliseconds, 13 digits, on both sides.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, timestamp-separators, clientTimeStamp "1,709,912,345,678" for 1709912345678 1`] = `
one of 1:
timestamp-separators
clientTimeStamp was "1,709,912,345,678" when it was signed; your request has "1709912345678".
Perhaps its decimal or thousands separators were different.
Sign and send plain digits with a decimal point, whatever the locale; separators belong on the screen only.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, timestamp-white-space, clientTimeStamp "1709912345678" for "1709912345678 " 1`] = `
one of 1:
timestamp-white-space
timestamp-as-number
timestamp-separators
clientTimeStamp was "1709912345678" when it was signed; your request has "1709912345678 ".
Perhaps your side has white space.
Find out where the white space comes from (a template, a file, a copied cell), and remove it before signing.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, token-base64, token "hello world token" for "aGVsbG8gd29ybGQgdG9rZW4=" 1`] = `
one of 1:
token-base64
The token had 17 characters when it was signed; yours has 24 characters.
Perhaps it was base64-encoded or decoded on one side.
Use the plain text on both sides; a Kubernetes secret is base64 in its YAML and plain in the container.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, token-hex, token "hello" for "68656c6c6f" 1`] = `
one of 1:
token-hex
The token had 5 characters when it was signed; yours has 10 characters.
Perhaps it was written in or decoded from hexadecimal.
Use its text as is: the characters are hashed, not the bytes that they may stand for.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, token-in-json, token "{\\"MERCHANT_TOKEN\\":\\"TOKEN\\"}" for "TOKEN" 1`] = `
one of 1:
token-in-json
The token had 45 characters when it was signed; yours has 24 characters.
Perhaps the whole JSON of a secret was used instead of its member, or the reverse.
Parse the secret, and sign with the member that contains the token.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, token-missing, token "undefined" for "TOKEN" 1`] = `
one of 1:
token-missing
token-absent
The token had 9 characters when it was signed; yours has 24 characters.
Perhaps it was missing: an empty text or a placeholder was used.
Check that the variable reaches the process that signs; compare the key check values.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, token-with-its-name, token "MERCHANT_TOKEN=TOKEN" for "TOKEN" 1`] = `
one of 1:
token-with-its-name
Between orderId and the token, 15 characters were added when it was signed.
Perhaps the token was different: its name, or a word such as Bearer, stood before it.
Use only the text after the name: the whole line of a file is not the token.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > purchase, variant, B instead of A 1`] = `
one of 1:
variant
The terms were those of variant B, not of variant A.

Set VARIANT to the one that the payment side uses; GET /health says which one a service has.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, account-number-absent, merchantAccountNumber "undefined" for "102551" 1`] = `
one of 1:
account-number-absent
merchantAccountNumber was "undefined" when it was signed; your request has "102551".
Perhaps an absent value was written as another text, or a value was left out.
Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, account-number-white-space, merchantAccountNumber "102551" for " 102551" 1`] = `
one of 1:
account-number-white-space
account-number-as-number
account-number-separators
merchantAccountNumber was "102551" when it was signed; your request has " 102551".
Perhaps your side has white space.
Find out where the white space comes from (a template, a file, a copied cell), and remove it before signing.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, amount-decimals, amount "1235" for "1234.50" 1`] = `
one of 1:
amount-decimals
amount was "1235" when it was signed; your request has "1234.50".
Perhaps its decimals were different.
Format the amount once, with two decimals, and sign and send that same text.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, amount-minor-units, amount "123450" for "1234.50" 1`] = `
one of 1:
amount-minor-units
amount-dashes
amount-floating-point
amount was "123450" when it was signed; your request has "1234.50".
Perhaps one side uses minor units (hundredths or thousandths).
Agree on one unit: the text is hashed, so both sides must sign and send the same. Amounts have two decimals, and time stamps are in epoch milliseconds, 13 digits.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, amount-number-format, amount "1.2345E3" for "1234.50" 1`] = `
one of 1:
amount-number-format
amount-floating-point
amount was "1.2345E3" when it was signed; your request has "1234.50".
Perhaps it was formatted as a language formats a floating-point number.
Keep it as text, or format it with digits only.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, amount-padded, amount "    1234.50" for "1234.50" 1`] = `
one of 1:
amount-padded
amount was "    1234.50" when it was signed; your request has "1234.50".
Perhaps it was padded with spaces to a fixed length.
Trim what comes out of columns of a fixed length.
The search reached its limit before everything was tried.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, digest-upper-case, both 1`] = `
one of 1:
digest-upper-case
The digests were written in uppercase.

Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, identifier-as-number, identifier "12345678901234567000" for "12345678901234567001" 1`] = `
one of 1:
identifier-as-number
transactionFCRN was "12345678901234567000" when it was signed; your request has "12345678901234567001".
Perhaps it was converted to a number, which drops zeros or adds .0.
Keep it as text from where it is entered to where it is signed and sent.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, identifier-cut-off, identifier "1234567890" for "1234567890123456" 1`] = `
one of 1:
identifier-cut-off
transactionFCRN was "1234567890" when it was signed; your request has "1234567890123456".
Perhaps a part of it was left out or masked: 10 of 16 characters remain.
Lengthen the column or field that holds it, and sign and send the whole text.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, identifier-padded, identifier "Order-12            " for "Order-12" 1`] = `
one of 1:
identifier-padded
transactionFCRN was "Order-12            " when it was signed; your request has "Order-12".
Perhaps it was padded with spaces to a fixed length.
Trim what comes out of columns of a fixed length.
The search reached its limit before everything was tried.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, identifier-percent-encoding, identifier "a b" for "a%20b" 1`] = `
one of 1:
identifier-percent-encoding
transactionFCRN was "a b" when it was signed; your request has "a%20b".
Perhaps it was percent-encoded on one side.
Decode it before signing: the text itself is hashed, not its form in a URL.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, one-hash, of both texts 1`] = `
one of 1:
one-hash
Both parts were hashed together.

Hash each part alone, and join the two digests with ///.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, one-part, part 1 1`] = `
one of 1:
one-part
Only part 1 was given.

Send both parts with /// between them.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, operation, a refund as a purchase 1`] = `
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

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, order-id-from-another-field, transactionFCRN copied into the order id 1`] = `
one of 1:
order-id-from-another-field
term-replaced
The order id was "0098765" when it was signed; for your request it is "null".
Perhaps it was taken from another field.
The order term is orderId; in an inquiry it is transactionId if idType is ORDER_ID. Without an order id it is the text null.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, sid-wrapped, sid "{5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11}" for "5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11" 1`] = `
one of 1:
sid-wrapped
sid was "{5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11}" when it was signed; your request has "5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11".
Perhaps it was in brackets, or in what a language prints around a value, such as Optional(…).
Use its plain text, as it was generated.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, signature-labelled, signature= 1`] = `
one of 1:
signature-labelled
The signature had its field name before it.

Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, signature-percent-encoded, in a URL 1`] = `
one of 1:
signature-percent-encoded
The signature was percent-encoded.

Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, signature-separator, "/" 1`] = `
one of 1:
signature-separator
The parts were separated by "/", not "///".

Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, timestamp-absent, clientTimeStamp "NaN" for 1709912345678 1`] = `
one of 1:
timestamp-absent
clientTimeStamp was "NaN" when it was signed; your request has "1709912345678".
Perhaps an absent value was written as another text, or a value was left out.
Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, timestamp-digits, clientTimeStamp "١٧٠٩٩١٢٣٤٥٦٧٨" for 1709912345678 1`] = `
one of 1:
timestamp-digits
clientTimeStamp was "١٧٠٩٩١٢٣٤٥٦٧٨" when it was signed; your request has "1709912345678".
Perhaps it was written in the digits of another script.
Format numbers with a fixed locale that has ASCII digits, such as en-US.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, timestamp-number-format, clientTimeStamp "1.709912345678E12" for 1709912345678 1`] = `
one of 1:
timestamp-number-format
timestamp-floating-point
clientTimeStamp was "1.709912345678E12" when it was signed; your request has "1709912345678".
Perhaps it was formatted as a language formats a floating-point number.
Keep it as text, or format it with digits only.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, timestamp-time-zone, clientTimeStamp "1709919545678" for 1709912345678 1`] = `
one of 1:
timestamp-time-zone
clientTimeStamp was "1709919545678" when it was signed; your request has "1709912345678".
Perhaps it differed by the offset of a time zone, as when local time is used as UTC.
Epoch milliseconds have no time zone: take them from the clock, not from a formatted date.
The search reached its limit before everything was tried.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, token-percent-encoding, token "a b" for "a%20b" 1`] = `
one of 1:
token-percent-encoding
The token had 3 characters when it was signed; yours has 5 characters.
Perhaps it was percent-encoded on one side.
Decode it before signing: the text itself is hashed, not its form in a URL.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > refund, token-quotes, token "\\"TOKEN\\"" for "TOKEN" 1`] = `
one of 1:
token-quotes
token-json
The token had 26 characters when it was signed; yours has 24 characters.
Perhaps the signer had quotes around it.
Remove the quotes at the signer: env files and control panels may take quotes literally.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, account-number-separators, merchantAccountNumber "102,551" for "102551" 1`] = `
one of 1:
account-number-separators
merchantAccountNumber was "102,551" when it was signed; your request has "102551".
Perhaps its decimal or thousands separators were different.
Sign and send plain digits with a decimal point, whatever the locale; separators belong on the screen only.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, amount-absent, null for an amount 1`] = `
one of 1:
amount-absent
amount was "null" when it was signed; for your request it is empty.
Perhaps an absent value was written as another text, or a value was left out.
Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, amount-not-ignored, an amount that is ignored 1`] = `
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

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, digest-algorithm, sha512 1`] = `
one of 1:
digest-algorithm
The digests are those of SHA512; the scheme uses SHA-256.

Use SHA-256.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, digest-hex-twice, as 36623836623237336666 1`] = `
one of 1:
digest-hex-twice
The digests were written in hexadecimal twice.

Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, hmac, token in the key only 1`] = `
one of 1:
hmac
The digests were HMACs with the token as the key.

Use a plain SHA-256 of the text with the token in it; the scheme has no HMAC.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, identifier-absent|operation|variant, identifier "" for "Order-12" 1`] = `
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

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, identifier-html, identifier "a&amp;b" for "a&b" 1`] = `
one of 1:
identifier-html
transactionFCRN was "a&amp;b" when it was signed; your request has "a&b".
Perhaps it was escaped for HTML on one side.
Escape for HTML when rendering a page, never what is signed.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, identifier-leading-zeros, identifier "98765" for "0098765" 1`] = `
one of 1:
identifier-as-number
identifier-separators
identifier-leading-zeros
transactionFCRN was "98765" when it was signed; your request has "0098765".
Perhaps it was converted to a number, which drops zeros or adds .0.
Keep it as text from where it is entered to where it is signed and sent.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, identifier-marks|amount-marks, identifier "‏Order-12" for "Order-12" 1`] = `
one of 1:
identifier-marks
transactionFCRN was "\\u{200F}Order-12" when it was signed; your request has "Order-12".
Perhaps the signer had an invisible character, such as a right-to-left mark.
Remove invisible characters where the text enters your system.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, identifier-quotes, identifier "\\"Order-12\\"" for "Order-12" 1`] = `
one of 1:
identifier-quotes
identifier-json
transactionFCRN was "\\"Order-12\\"" when it was signed; your request has "Order-12".
Perhaps the signer had quotes around it.
Remove the quotes at the signer: env files and control panels may take quotes literally.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, sid-absent, sid "" for "5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11" 1`] = `
one of 1:
sid-absent
sid was "" when it was signed; your request has "5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11".
Perhaps an absent value was written as another text, or a value was left out.
Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, sid-dashes, sid "5f0c5f4e9c0b4a438d6e0d9f3d0a7b11" for "5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11" 1`] = `
one of 1:
sid-dashes
sid was "5f0c5f4e9c0b4a438d6e0d9f3d0a7b11" when it was signed; your request has "5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11".
Perhaps dashes, spaces or other separators were removed, added or replaced.
Sign and send it in the same form, with the same separators.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, terms-empty, nothing was hashed 1`] = `
one of 1:
terms-empty
Nothing was hashed: the digests are those of an empty text.

Pass the text to the hash function: update(text) before digest().
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, terms-separated, with "|" 1`] = `
one of 1:
terms-separated
The terms were joined with "|" between them.

Join the terms with nothing between them.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, text-ends, echo 1`] = `
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

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, timestamp-floating-point, clientTimeStamp "1.70991e+12" for 1709912345678 1`] = `
one of 1:
timestamp-floating-point
clientTimeStamp was "1.70991e+12" when it was signed; your request has "1709912345678".
Perhaps it was converted to a floating-point number, which is not exact and has few digits.
Keep it as text, and calculate amounts in integers or decimals.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, timestamp-fraction, clientTimeStamp "1709912345678.1" for 1709912345678 1`] = `
one of 1:
timestamp-fraction
clientTimeStamp was "1709912345678.1" when it was signed; your request has "1709912345678".
Perhaps it had decimals, as when seconds with a fraction are multiplied by 1000.
Cut it down to an integer before it is signed and sent.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, timestamp-local-date, clientTimeStamp "2024-03-08T17:39:05.678+02:00" for 1709912345678 1`] = `
one of 1:
timestamp-local-date
clientTimeStamp was "2024-03-08T17:39:05.678+02:00" when it was signed; your request has "1709912345678".
Perhaps it was a local date as text, not a number.
Use epoch milliseconds, 13 digits, on both sides.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, token-hashed, token "9cd61e8961af14d7c7d4c6dde821cc455171dee01477e1362301ad0aa9763db8" for "TOKEN" 1`] = `
one of 1:
token-hashed
The token had 64 characters when it was signed; yours has 24 characters.
Perhaps a hash of it was used in its place.
Join the token itself: only the whole text is hashed.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, token-other, of staging 1`] = `
one of 1:
token-other
The token had 20 characters when it was signed; yours has 24 characters.
Perhaps it was the token named staging.
Use the token of the same environment on both sides; compare the key check values.
`

exports[`dist/test/tools/diagnosis/diagnose.test.js > TAP > the right cause is first for a mistake of each name in one of its uses > void, token-utf-16, token "ÿþk\\u00007\\u0000H\\u0000q\\u00002\\u0000m\\u0000Z\\u00009\\u0000p\\u0000L\\u00004\\u0000x\\u0000V\\u0000b\\u00008\\u0000s\\u0000R\\u0000t\\u00003\\u0000w\\u0000Y\\u0000c\\u00006\\u0000d\\u0000" for "TOKEN" 1`] = `
one of 1:
token-utf-16
The token had 50 characters when it was signed; yours has 24 characters.
Perhaps its file was UTF-16 and was read in another encoding.
Save the file that it comes from as UTF-8 without a byte order mark.
`
