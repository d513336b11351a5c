import { createHash } from 'node:crypto'
import { digest, field, made, partsOf, sid, signatureOf, time, token } from './wrong-signatures.js'
import type { Changed, Mistake } from './wrong-signatures.js'

type Wrong = string | readonly [hashed: string, sent: unknown]

const each = (changed: Changed, wrongs: readonly Wrong[]): Mistake[] => wrongs.map(wrong =>
  typeof wrong === 'string' ? field('', changed, wrong) : field('', changed, ...wrong))

/**
 * Mistakes of clients in PHP, Java, C#, Python, Go, Swift, Kotlin and JavaScript, collected before the hypotheses were
 * written. The share that diagnose finds measures how well the hypotheses cover unforeseen mistakes. Do not add a
 * hypothesis for one of them: add mistakes, and watch the share.
 */
export const unnamedMistakes: readonly Mistake[] = [
  ...each('identifier', [
    ["O\\'Brien", "O'Brien"], // PHP's addslashes
    ["O''Brien", "O'Brien"], // SQL
    ['Optional[Order-12]', 'Order-12'], // Java
    ['Optional("Order-12")', 'Order-12'], // Swift
    ['Some(Order-12)', 'Order-12'], // Kotlin, Scala
    ['[Order-12]', 'Order-12'], // a list in Java or Go
    ["['Order-12']", 'Order-12'], // a list in Python
    ["b'Order-12'", 'Order-12'], // bytes in Python
    ["('Order-12',)", 'Order-12'], // a comma too many in Python
    ['"\\"Order-12\\""', 'Order-12'], // stringified twice
    ['SHİPPİNG-12', 'Shipping-12'], // upper case in Turkish
    ['Caf?', 'Café'], // as ASCII
    ['Caf\ufffd', 'Café'], // Latin-1 read as UTF-8
    ['CafÃ© â‚¬', 'Café €'], // UTF-8 read as Windows-1252
    ['Caf%E9', 'Café'], // JavaScript's escape
    ['Cafe', 'Café'], // for a system without accents
    ['Party-1', 'Party🎉-1'], // a column without four-byte characters
    ['T3JkZXItMTI=', 'Order-12'], // base64
    ['4f726465722d3132', 'Order-12'], // hexadecimal
    ['#Order-12', 'Order-12'], // as shops show it
    ['1001', '#1001'],
    ['12', 'Order-12'], // the digits only
    ['Order-12-1', 'Order-12'], // the second attempt
    ['Order-12_1', 'Order-12'],
    ['Order\u201312', 'Order-12'], // a dash of a word processor
    ['\u201cOrder-12\u201d', 'Order-12'], // its quotes
    ['Order-12\u200b', 'Order-12'], // copied from a page
    ['a\u00a0b', 'a b'],
    ['a b', 'a  b'], // as HTML shows it
    ['a_b', 'a b'],
    ['order-12-b', 'Order 12/b'], // a slug
    ['a&#x2F;b', 'a/b'],
    ['<![CDATA[Order-12]]>', 'Order-12'],
    ['="10001"', '10001'], // for Excel
    ['1.0001E+4', '10001'],
    ['Order-12            ', 'Order-12'], // CHAR(20)
    ['{Order-12}', 'Order-12'],
    ['Order-12;', 'Order-12'],
    ['order-12\n', 'ORDER-12']
  ]),
  ...each('amount', [
    ['1998', '19.99'], // (int) (19.99 * 100)
    ['1234.56005859375', '1234.56'], // a float in Java
    ['19.989999771118164', '19.99'],
    '    1234.50', // sprintf('%11s')
    '(1234.50)', // accountants
    '1234.50-', // SAP
    '1,234.50/-', // in India
    '***1234.50', // cheques
    '1.2345e+03', // Go
    '12345', // the power of ten
    '12345000',
    ['1235', '1234.10'], // rounded up
    '1234.50f',
    '1234-50',
    '$1,234.50',
    '\u200f1234.50', // in a page from right to left
    '1.234,50 €',
    "'1234.50",
    'amount=1234.50',
    '[1234.50]',
    '1234.50000000'
  ]),
  ...each('clientTimeStamp', [
    '638455091456780000', // C#: ticks
    '133543859456780000', // Windows: file time
    '731605145.678', // Swift: since 2001
    '515361870', // (int) of a long
    '18e1eb7cc4e', // hexadecimal
    'ltitntxq', // base 36
    '1.70991e+12', // %g
    '1709912346000', // to the second
    '1709856000000', // to the day
    '0.67800000 1709912345', // PHP: microtime()
    'Fri, 08 Mar 2024 15:39:05 +0000', // PHP: date('r')
    'Fri Mar 08 15:39:05 UTC 2024', // Java: Date.toString()
    '2024-03-08T15:39:05.678000Z',
    '2024-03-08 15:39:05.678000', // Python: str(datetime)
    '2024-03-08 15:39:05+00:00',
    '2024-03-08 15:39:05.678 +0000 UTC', // Go
    'Fri Mar 08 2024 15:39:05 GMT+0000 (Coordinated Universal Time)', // JavaScript
    '3/8/2024, 3:39:05 PM',
    '08/03/2024 15:39:05',
    '20240308153905678',
    '2024-03-08',
    '/Date(1709912345678)/', // C#
    '1709912345678n',
    '1709912345678L',
    '1709919545' // local time, in seconds
  ]),
  ...each('sid', [
    '4e5f0c5f0b9c434a8d6e0d9f3d0a7b11', // C#: Guid.ToByteArray()
    'XwxfTpwLSkONbg2fPQp7EQ==', // its bytes in base64
    '5f0c5f4e', // the first group
    '00000000-0000-0000-0000-000000000000',
    'Optional(5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11)',
    `<${sid}>`,
    `session-${sid}`,
    '5F0C5F4E9C0B4A438D6E0D9F3D0A7B11',
    '[object Object]',
    `UUID('${sid}')`
  ]),
  ...each('merchantAccountNumber', [
    '2551', // the last four
    '****2551',
    '10-25-51',
    '1025514', // with a check digit
    'M102551',
    '102551/01',
    '1.02551E+05',
    "'102551",
    'MTAyNTUx',
    '<nil>',
    '102551n'
  ]),
  ...each('token', [
    '6b374871326d5a39704c3478566238735274337759633664', // hexadecimal
    'd6cYw3tRs8bVx4Lp9Zm2qH7k', // from its end
    `${token}\0`, // C
    `${token};`,
    `"${token}",`, // a line of JSON
    `<${token}>`,
    `export MERCHANT_TOKEN=${token}`,
    `MERCHANT_TOKEN: ${token}`,
    `${token}\\n`,
    `${token}\u200b`,
    'azdIcTJtWjlwTDR4VmI4c1J0M3dZYzZkCg==', // echo | base64
    'changeme',
    '********',
    `b'${token}'`,
    '102551', // the account number
    `Basic ${token}`
  ]),
  made('', 'the token before everything', texts => [
    digest(partsOf(texts)[0].join('')), digest(texts.token + texts.time + texts.order + texts.account + texts.amount + texts.reference)
  ].join('///')),
  made('', 'the token at both ends of part 2', texts => partsOf(texts).map(([...terms], index) =>
    digest(terms.join('') + (index === 1 ? token : ''))).join('///')),
  made('', 'the digest of part 1 in part 2, after the token', texts => {
    const first = digest(partsOf(texts)[0].join(''))
    return `${first}///${digest(texts.time + texts.order + token + first + texts.account + texts.amount + texts.reference)}`
  }),
  made('', 'with a NUL between the terms', texts => partsOf(texts).map(terms => digest(terms.join('\0'))).join('///')),
  made('', 'with a comma and a space between the terms', texts => partsOf(texts).map(terms => digest(terms.join(', '))).join('///')),
  made('', 'a bar after each term', texts => partsOf(texts).map(terms => digest(terms.map(term => `${term}|`).join(''))).join('///')),
  made('', 'as a JSON array', texts => partsOf(texts).map(terms => digest(JSON.stringify(terms))).join('///')),
  made('', 'everything in lower case', texts => partsOf(texts).map(terms => digest(terms.join('').toLowerCase())).join('///'), ['purchase', 'inquiry', 'B']),
  made('', 'everything in base64', texts => partsOf(texts).map(terms => digest(Buffer.from(terms.join('')).toString('base64'))).join('///')),
  made('', 'a NUL at the end', texts => partsOf(texts).map(terms => digest(terms.join('') + '\0')).join('///')),
  made('', 'the amount before the session id', texts => [
    digest(texts.time + texts.amount + sid + texts.reference), digest(partsOf(texts)[1].join(''))
  ].join('///'), ['purchase', 'refund', 'B']),
  made('', 'the session id in part 2 too', texts => [
    digest(partsOf(texts)[0].join('')), digest(texts.time + sid + texts.order + token + texts.account + texts.amount + texts.reference)
  ].join('///')),
  made('', 'the operation in both parts', (texts, use) => partsOf(texts).map(terms => digest(terms.join('') + use)).join('///'),
    ['purchase', 'refund', 'void', 'inquiry']),
  made('', 'without the account number', texts => signatureOf({ ...texts, account: '' })),
  made('', 'as UTF-16, the big end first', texts => partsOf(texts).map(terms =>
    digest(Buffer.from(terms.join(''), 'utf16le').swap16())).join('///')),
  made('', 'SHA-512/256', texts => partsOf(texts).map(terms => digest(terms.join(''), 'sha512-256')).join('///')),
  made('', 'an HMAC with the token as the message', texts => [
    digest(partsOf(texts)[0].join('')), digest(token + partsOf(texts)[1].join(''))
  ].join('///')),
  made('', 'with bytes as C# shows them', texts => signatureOf(texts).split('///').map(part =>
    part.toUpperCase().replace(/..(?=.)/g, '$&-')).join('///')),
  made('', 'with 0x before each part', texts => signatureOf(texts).split('///').map(part => `0x${part}`).join('///')),
  made('', 'as webhooks have it', texts => `sha256=${signatureOf(texts)}`),
  made('', 'the whole in base64', texts => Buffer.from(signatureOf(texts)).toString('base64')),
  made('', 'with the bytes reversed in part 2', texts => {
    const [first, second] = partsOf(texts).map(terms => terms.join('')) as [string, string]
    return `${digest(first)}///${createHash('sha256').update([...second].reverse().join('')).digest('hex')}`
  }),
  made('', 'the time stamp in seconds in part 2 only', texts => [
    digest(partsOf(texts)[0].join('')), digest(partsOf({ ...texts, time: time.slice(0, 10) })[1].join(''))
  ].join('///'))
]
