import { createHash, createHmac } from 'node:crypto'
import { digest, field, made, partsOf, requests, sid, signatureOf, signed, time, token } from './wrong-signatures.js'
import type { Changed, Mistake, Texts, Use } from './wrong-signatures.js'

/** The hashed text, or the hashed text and the value in the request. */
type Wrong = string | readonly [hashed: string, sent: unknown]

const each = (hypothesis: string, changed: Changed, wrongs: readonly Wrong[]): Mistake[] => wrongs.map(wrong =>
  typeof wrong === 'string' ? field(hypothesis, changed, wrong) : field(hypothesis, changed, ...wrong))

/** Returns a mistake in which terms had other texts. */
const term = (
  hypothesis: string, what: string, other: Partial<Texts>, some?: readonly Use[], more?: Parameters<typeof made>[4]
): Mistake => made(hypothesis, what, texts => signatureOf({ ...texts, ...other }), some, more)

const separators = ['|', ' ', '.', '///', '\n', '+', '-']

/** The alphabet and the digits, repeated. */
const long = 'abcdefghijklmnopqrstuvwxyz0123456789-'.repeat(8)

const hmac = ({ token }: Texts, terms: string[]): string => createHmac('sha256', token).update(terms.join('')).digest('hex')
const bytes = (digits: string): Buffer => Buffer.from(digits, 'hex')
const swapped = (texts: Texts): string => signatureOf(texts).split('///').reverse().join('///')

/** The token in part 1, at each place. */
const tokenInPart1 = [0, 1, 2, 3, 4].map(place => made(
  'term-added', `the token in part 1, at place ${place}`,
  texts => {
    const [first, second] = partsOf(texts)
    return `${digest(first.toSpliced(place, 0, texts.token).join(''))}///${digest(second.join(''))}`
  }))

/** Mistakes that diagnose finds: the named cause is first in every use. */
export const namedMistakes: readonly Mistake[] = [
  ...each('amount-as-number', 'amount', ['1234.5', ['100.0', '100.00'], ['100', '100.00'], ['1234567', '1234567.00']]),
  ...each('amount-decimals', 'amount', ['1235', '1234.500', ['1234.567', '1234.5670'], ['1000.0', '999.95']]),
  ...each('amount-separators', 'amount', ['1,234.50', '1.234,50', '1 234,50', ['1’000.00', '1000.00']]),
  ...each('amount-separators', 'amount', ['1234,50', '1234٫50', ['1234.50', '1234,50'], ['100,00', '100.00']]),
  ...each('amount-currency', 'amount', ['1234.50 EGP', '$1234.50', 'EGP 1234.50', ['1234.50', '$1234.50']]),
  ...each('amount-currency', 'amount', ['1234.50&nbsp;EGP', 'EGP&nbsp;1,234.50', '&pound;1234.50', '&#36;1,234.50', '1.234,50&nbsp;&euro;']),
  ...each('amount-minor-units', 'amount', ['123450', '1234500', '12.345', ['5', '0.05']]),
  ...each('amount-digits', 'amount', ['١٢٣٤.٥٠', '١٬٢٣٤٫٥٠', '١٢٣٤٫٥٠', ['9876.05', '９８７６.０５']]),
  ...each('amount-leading-zeros', 'amount', ['000000001234.50', '01234.50', ['.50', '0.50'], ['0.50', '.50']]),
  field('amount-minor-units+amount-leading-zeros', 'amount', '000000123450'),
  ...each('amount-sign', 'amount', ['-1234.50', '+1234.50', ['5.00', '+5.00'], ['5.00', '-5.00']]),
  ...each('amount-number-format', 'amount', ['1.2345E3', '1.2345e+3']),
  ...each('amount-floating-point', 'amount', [['19.999999999999996', '20.00'], ['0.30000000000000004', '0.3'], ['19.990000000000002', '19.99']]),
  term('amount-not-ignored', 'an amount that is ignored', { amount: '100.00' }, ['void', 'inquiry'], { request: { amount: '100.00' } }),
  ...['0', '0.00', '0.0'].map(amount => term('amount-not-ignored', `the amount ${amount}`, { amount }, ['void', 'inquiry'])),
  term('amount-absent', 'null for an amount', { amount: 'null' }, ['void', 'inquiry']),
  term('amount-absent', 'no amount, though there are references', { amount: '' }, ['purchase', 'B'], {
    request: { transactionFCRN: '0098765', transactionId: 'T-1' }
  }),
  ...each('amount-quotes', 'amount', ['"1234.50"', "'1234.50'"]),
  ...each('amount-white-space', 'amount', [['1234.50', ' 1234.50'], ' 1234.50']),

  ...each('timestamp-unit', 'clientTimeStamp', ['1709912345', '1709912345000', '1709912346', [time, '1709912345678000000'], [time, 1709912345]]),
  ...each('timestamp-iso', 'clientTimeStamp', [
    '2024-03-08T15:39:05.678Z', '2024-03-08T15:39:05Z', '2024-03-08 15:39:05', [time, '2024-03-08T15:39:05.678Z']
  ]),
  ...each('timestamp-time-zone', 'clientTimeStamp', ['1709919545678', '1709933045678', '1709911445678', '1709861945678']),
  ...each('timestamp-local-date', 'clientTimeStamp', [
    '2024-03-08T17:39:05.678+02:00', '2024-03-08 10:39:05', '2024-03-08T21:24:05+0545'
  ]),
  ...[['timestamp-local-date', '2024-03-08T17:39:05.678+02:00'], ['timestamp-taken-twice', '1709912345687']].map(([name, time = '']) =>
    term(`${name}+amount-decimals`, `${time} and 1234.5`, { time, amount: '1234.5' }, ['purchase', 'refund', 'B'])),
  ...each('timestamp-number-format', 'clientTimeStamp', ['1.709912345678E12', '1.709912345678e+12', '1.709912345678E+12']),
  ...each('timestamp-as-number', 'clientTimeStamp', ['1709912345678.0']),
  ...each('timestamp-separators', 'clientTimeStamp', ['1,709,912,345,678']),
  ...each('timestamp-digits', 'clientTimeStamp', ['١٧٠٩٩١٢٣٤٥٦٧٨', '۱۷۰۹۹۱۲۳۴۵۶۷۸', [time, '١٧٠٩٩١٢٣٤٥٦٧٨']]),
  ...each('timestamp-taken-twice', 'clientTimeStamp', ['1709912345679']),
  ...each('timestamp-another-value', 'clientTimeStamp', ['1709912346455', '1709912405678', '1709912285678']),
  ...each('amount-another-value', 'amount', ['1200.00', '1425.57', ['24.00', '20.00'], ['1250.00', '14.00']]),
  ...each('account-number-another-value', 'merchantAccountNumber', ['102552', '152551']),
  term('identifier-another-value', 'the order before it', { order: '100730' }, ['purchase'], { request: { orderId: '100731' } }),
  made('timestamp-another-value', 'in part 2 alone', texts => [
    digest(partsOf(texts)[0].join('')), digest(partsOf({ ...texts, time: '1709912346455' })[1].join(''))
  ].join('///')),
  ...each('timestamp-fraction', 'clientTimeStamp', ['1709912345678.1', '1709912345678.12', '1709912345678.123', '1709912345678.4521']), // PHP, Python
  ...each('timestamp-white-space', 'clientTimeStamp', [[time, `${time} `]]),
  ...each('timestamp-absent', 'clientTimeStamp', ['NaN', 'undefined']),

  ...each('sid-case', 'sid', ['5F0C5F4E-9C0B-4A43-8D6E-0D9F3D0A7B11', [sid, '5F0C5F4E-9C0B-4A43-8D6E-0D9F3D0A7B11']]),
  ...each('sid-wrapped', 'sid', [`{${sid}}`, `(${sid})`, [sid, `{${sid}}`]]),
  ...each('sid-wrapped', 'sid', [`urn:uuid:${sid}`, [sid, `urn:uuid:${sid}`], [sid, `URN:UUID:${sid}`]]),
  ...each('sid-dashes', 'sid', [
    '5f0c5f4e9c0b4a438d6e0d9f3d0a7b11', '5f0c5f4e_9c0b_4a43_8d6e_0d9f3d0a7b11', [sid, '5f0c5f4e9c0b4a438d6e0d9f3d0a7b11']
  ]),
  ...each('sid-white-space', 'sid', [`${sid} `, ['abc', ' abc']]),
  ...each('sid-absent', 'sid', ['']),

  ...each('identifier-white-space', 'identifier', ['Order-12 ', ['a b', ' a b '], [' a b', ' a b '], ['0098765', '0098765\t']]),
  field('identifier-white-space|amount-white-space', 'identifier', ' Order-12'), // the same text
  ...each('identifier-newline|text-ends', 'identifier', ['Order-12\n', 'Order-12\r\n']),
  field('identifier-absent|operation|variant', 'identifier', ''), // a purchase has no reference
  ...each('identifier-absent', 'identifier', ['undefined', 'None']),
  ...['undefined', 'NULL', 'nil', 'NaN', 'false', 'None', '<nil>', '%!s(<nil>)'].map(order => term('identifier-absent', `${order} for an absent order id`, { order }, ['refund', 'void'])),
  term('identifier-absent', 'nothing for an absent order id', { order: '' }, ['refund', 'void']),
  ...['null', 'undefined', 'None'].map(reference => term('identifier-absent', `${reference} for an absent reference`, { reference }, ['purchase'])),
  ...each('identifier-marks|amount-marks', 'identifier', ['\u200fOrder-12']), // after the amount, or before the reference
  ...each('identifier-marks', 'identifier', [['Order-12', '\u2066Order-12\u2069']]),
  ...each('identifier-marks|token-marks', 'identifier', ['Order-12\u200f']),
  ...each('identifier-quotes', 'identifier', ['"Order-12"', "'Order-12'", ['Order-12', '"Order-12"']]),
  ...each('identifier-case', 'identifier', ['ORDER-12', 'order-12', ['AB-1', 'ab-1']]),
  ...each('identifier-normalization', 'identifier', [['Cafe\u0301-1', 'Caf\u00e9-1'], ['ﬁé', 'ﬁe\u0301'], ['fié', 'ﬁé']]),
  ...each('identifier-percent-encoding', 'identifier', [['a b', 'a%20b'], ['a%2Fb%20c', 'a/b c'], ['a/b%20c', 'a/b c']]),
  field('identifier-percent-encoding+identifier-percent-encoding', 'identifier', 'a%252Fb', 'a/b'),
  ...each('identifier-plus', 'identifier', [['a b', 'a+b'], ['a+b%2Fc', 'a b/c']]),
  ...each('identifier-html', 'identifier', [['a&amp;b', 'a&b'], ['a&#039;b', "a'b"], ['a&lt;b', 'a<b'], ["a'b", 'a&#39;b']]),
  ...each('identifier-json', 'identifier', [['a\\/b', 'a/b'], ['Caf\\u00e9', 'Café'], ['Café', 'Caf\\u00e9'], ['a/b', 'a\\/b']]),
  ...each('identifier-encoding', 'identifier', [['CafÃ©', 'Café'], ['Café', 'CafÃ©'], ['طلب', 'ط·ظ„ط¨']]),
  field('identifier-leading-zeros', 'identifier', '98765', '0098765'),
  ...['00098765', '000000098765'].map(text => field('identifier-leading-zeros|amount-decimals', 'identifier', text, '98765')), // the same text
  field('identifier-leading-zeros|amount-decimals', 'identifier', '12345678901234567001', '012345678901234567001'), // two changes with the same text
  ...each('identifier-as-number', 'identifier', [['12345678901234567000', '12345678901234567001']]),
  ...each('identifier-part-not-signed', 'identifier', [['S00412', 'S00412-1'], ['S00412', 'S00412x2'], ['5521', '5521_1795771201'],
    ['5521', 'WC-5521'], ['00912', 'SHOP-00912'], ['R/2026', 'R/2026/0441/2'], ['20488', 'AB20488']]),
  ...each('identifier-spreadsheet', 'identifier', [['1200000', '12E5'], ['1.20E+06', '12E5'], ['12-Mar', 'MAR-12'],
    ['1234567890123450000', '1234567890123456789'], ['1.23457E+18', '1234567890123456789']]),
  ...each('identifier-cut-off', 'identifier', [10, 12, 36, 255].map(length => [long.slice(0, length), long])),
  term('order-id-from-another-field', 'transactionFCRN copied into the order id', { order: '0098765' }, ['refund', 'void']),
  term('id-type', 'compared with its case', { order: 'null' }, ['inquiry']),
  made('id-type', 'not looked at', texts => signatureOf({ ...texts, order: 'Order-12' }), ['inquiry'], { request: { idType: 'FCRN' } }),
  term('order-id-from-another-field', 'from orderId', { order: 'other' }, ['inquiry'], { request: { orderId: 'other' } }),
  term('reference-from-another-field', 'the order id', { reference: 'Order-12' }, ['purchase']),
  term('reference-from-another-field', 'transactionFCRN', { reference: '0098765' }, ['inquiry', 'B'], { request: { transactionFCRN: '0098765' } }),
  term('reference-from-another-field', 'transactionId', { reference: 'T-1' }, ['refund', 'void'], { request: { transactionId: 'T-1', orderId: 'Order-12' } }),

  term('account-number-other-field', 'accountNumber', { account: '777' }, undefined, { request: { accountNumber: '777' } }),
  ...each('account-number-leading-zeros', 'merchantAccountNumber', ['0000102551', '0102551', '00000000000000102551', ['0', '000']]),
  ...each('account-number-as-number', 'merchantAccountNumber', [['12345678901234567000', '12345678901234567001'], '102551.0']),
  ...each('account-number-separators', 'merchantAccountNumber', ['102,551', '102 551']),
  ...each('account-number-dashes', 'merchantAccountNumber', [['102551', '10-25-51'], ['102551', '10.25.51']]),
  ...each('account-number-white-space', 'merchantAccountNumber', [['102551', ' 102551'], ['102551', '10 25 51']]),
  ...each('account-number-newline', 'merchantAccountNumber', ['102551\n']),
  ...each('account-number-quotes', 'merchantAccountNumber', ['"102551"']),
  ...each('account-number-integer', 'merchantAccountNumber', [['34153', '0102551']]), // octal in YAML
  ...each('account-number-absent', 'merchantAccountNumber', ['undefined', 'null', '']),

  ...each('token-newline', 'token', [`${token}\n`, `${token}\r\n`, `${token}\r`, [token, `${token}\n`]]),
  ...each('token-white-space', 'token', [[token, `${token} `], `${token} `, ` ${token} `, ['ab', ' a b ']]),
  ...each('token-lost-character', 'token', [token.slice(1), token.slice(0, -1)]),
  ...each('token-quotes', 'token', [`"${token}"`, `'${token}'`, `\`${token}\``, [token, `"${token}"`]]),
  ...each('token-byte-order-mark', 'token', [`\ufeff${token}`, [token, `\ufeff${token}`]]),
  ...each('token-base64', 'token', [
    ['hello world token', 'aGVsbG8gd29ybGQgdG9rZW4='], 'azdIcTJtWjlwTDR4VmI4c1J0M3dZYzZk', ['a?>b~~', 'YT8-Yn5-'], ['toke', 'dG9rZQ==']
  ]),
  ...each('token-base64+token-base64', 'token', ['YXpkSWNUSnRXamx3VERSNFZtSTRjMUowTTNkWll6Wms=', ['hello', 'YUdWc2JHOD0=']]),
  ...each('token-case', 'token', [['ABCDEF0123456789', 'abcdef0123456789'], ['abcdef0123456789', 'ABCDEF0123456789']]),
  ...each('token-hex', 'token', [['hello', '68656c6c6f'], ['é', 'c3a9'], ['Ã©', 'C3A9']]),
  made('token-hex', 'decoded to bytes that are no text', texts => {
    const [first, second] = partsOf(texts).map(terms => terms.join('')) as [string, string]
    const [before = '', after = ''] = second.split(texts.token)
    return `${digest(first)}///${digest(Buffer.concat([Buffer.from(before), bytes('ff00c3a9'), Buffer.from(after)]))}`
  }, undefined, { options: { merchantToken: 'ff00c3a9' } }),
  ...each('token-cut-by-configuration', 'token', [
    ['s3cret', 's3cret#1'], ['s3cret', 's3cret  # of 2024'], ['s3cret', 's3cret$ab9'], ['s3cret=1', 'key=s3cret=1']
  ]),
  ...each('token-expanded', 'token', [['s3crett', 's3cret$' + '{ab9}t']]), // ${ab9} is an empty variable of the shell
  ...each('token-with-its-name', 'token', [`MERCHANT_TOKEN=${token}`, `Bearer ${token}`]),
  ...each('token-hashed', 'token', ['sha256', 'md5'].flatMap(algorithm => (['hex', 'base64'] as const).map(form =>
    createHash(algorithm).update(token).digest(form)))),
  ...each('token-percent-encoding', 'token', [['a b', 'a%20b'], ['a%20b', 'a b'], ['a/b', 'a%2fb']]),
  ...each('token-missing', 'token', ['undefined', '', 'None', '$MERCHANT_TOKEN']),
  term('token-other', 'of staging', { token: 'the token of staging' }, undefined, { options: { otherTokens: { staging: 'the token of staging' } } }),
  term('token-of-request', 'used', { token: 'its own' }, undefined, { request: { merchantToken: 'its own' } }),
  term('other-request', 'another order id', { order: 'another' }, ['purchase'], { options: { otherRequest: { ...requests.purchase, orderId: 'another' } } }),
  term('other-request', 'another token', { token: 'its own' }, ['refund'], { options: { otherRequest: { ...requests.refund, merchantToken: 'its own' } } }),

  made('operation', 'a refund as a purchase', texts => signatureOf({ ...texts, reference: '' }), ['refund']),
  made('operation', 'a purchase as a void', texts => signatureOf({ ...texts, amount: '', reference: '0098765' }), ['purchase'], { request: { transactionFCRN: '0098765' } }),
  made('operation', 'a purchase as a refund', texts => signatureOf({ ...texts, reference: '0098765' }), ['purchase'], { request: { transactionFCRN: '0098765' } }),
  made('operation', 'a purchase as an inquiry', texts => signatureOf({ ...texts, amount: '', reference: 'T-1', order: 'null' }), ['purchase'], { request: { transactionId: 'T-1' } }),
  made('variant', 'B instead of A', texts => signatureOf({ ...texts, order: '', reference: 'Order-12' }), ['purchase']),
  made('variant', 'A instead of B', texts => signatureOf({ ...texts, order: 'Order-12', reference: '' }), ['B']),

  ...separators.flatMap(separator => [
    made('terms-separated', `with ${JSON.stringify(separator)}`, texts => signed(texts, terms => digest(terms.join(separator)))),
    made('terms-separated', `with ${JSON.stringify(separator)}, empty ones left out`, texts => signed(texts, terms => digest(terms.filter(Boolean).join(separator))))
  ]),
  ...tokenInPart1,
  made('term-replaced', 'the token in the place of the sid', texts => [
    digest(partsOf({ ...texts, sid: texts.token })[0].join('')), digest(partsOf(texts)[1].join(''))
  ].join('///')),
  made('term-added', 'the sid in part 2 too, at its end', texts => [
    digest(partsOf(texts)[0].join('')), digest([...partsOf(texts)[1], texts.sid].join(''))
  ].join('///')),
  made('term-added', 'the amount twice in part 1', texts => [
    digest([...partsOf(texts)[0], texts.amount].join('')), digest(partsOf(texts)[1].join(''))
  ].join('///'), ['refund', 'B']),
  made('timestamp-absent', 'no time stamp in either part', texts => signatureOf({ ...texts, time: '' })),
  made('term-order', 'part 2, the token first', texts => {
    const { time, order, token, account, amount, reference } = texts
    return `${digest(partsOf(texts)[0].join(''))}///${digest(token + time + order + account + amount + reference)}`
  }),
  made('term-order', 'part 1, the sid first', texts =>
    `${digest(texts.sid + texts.time + texts.amount + texts.reference)}///${digest(partsOf(texts)[1].join(''))}`),
  made('term-order+term-replaced', 'part 1, with the account number for the amount', ({ account, sid, time, reference, ...texts }) =>
    `${digest(sid + time + account + reference)}///${digest(partsOf({ account, sid, time, reference, ...texts })[1].join(''))}`, ['purchase', 'refund', 'B']),
  made('term-order+amount-as-number', 'part 2, with another form of the amount', ({ time, order, token, account, ...texts }) => {
    const [first] = partsOf({ time, order, token, account, ...texts })
    return `${digest(first.join(''))}///${digest(`${token}1234.5${time}${account}${order}`)}`
  }, ['purchase']),
  made('amount-newline', 'before the amount', texts => signatureOf({ ...texts, amount: `\n${texts.amount}` }), ['purchase']),
  term('term-order', 'order id and account number', { order: '102551', account: 'Order-12' }, ['purchase']),
  made('terms-added-up', 'the time stamp and the order id', texts =>
    `${digest(partsOf(texts)[0].join(''))}///${digest(`1709912446409${texts.token}${texts.account}${texts.amount}`)}`, ['purchase'], { request: { orderId: '100731' } }),
  ...["'", '"'].map(quote => made('terms-wrapped', `in ${quote}`, texts => signed(texts, terms => digest(terms.map(term => quote + term + quote).join(''))))),
  ...[['Optional("', '")'], ["['", "']"], ['Some("', '")']].map(([start, end]) => made('terms-wrapped', `in ${start}…${end}`, texts =>
    signed(texts, terms => digest(terms.map(term => term === '' ? '' : start + term + end).join(''))))),
  made('terms-wrapped', 'in Optional("…"), but the number and the configured token', texts => signed(texts, ([time, ...terms]) => digest(
    [`Optional(${time})`, ...terms.map(term => term === '' || term === 'null' || term === token ? term : `Optional("${term}")`)].join(''))), ['purchase', 'refund']),
  made('terms-as-pairs', 'as a query', texts => signed(texts, terms => {
    const names = terms.length === 4 ? ['clientTimeStamp', 'sid', 'amount'] : ['clientTimeStamp', 'orderId', 'merchantToken', 'merchantAccountNumber', 'amount']
    return digest(names.map((name, index) => `${name}=${terms[index]}`).join('&'))
  }), ['purchase']),
  ...([
    ['digest-unpadded', text => [...bytes(digest(text))].map(byte => byte.toString(16)).join('')],
    ['digest-sign-extended', text => [...bytes(digest(text))].map(byte => (byte << 24 >> 24 >>> 0).toString(16)).join('')],
    ['digest-bytes', text => JSON.stringify([...bytes(digest(text))])],
    ['digest-bytes', text => `[${new Int8Array(bytes(digest(text))).join(', ')}]`],
    ['digest-hex-twice', text => Buffer.from(digest(text)).toString('hex')],
    ['digest-appended', text => Buffer.from(text).toString('hex') + digest('')],
    ['signature-labelled', text => `${digest(text)}  -`],
    ['signature-labelled', text => `SHA2-256(stdin)= ${digest(text)}`],
    ['signature-labelled', text => `${digest(text)} *stdin`],
    ['signature-labelled', text => `${digest(text)}  /tmp/part 1.txt`]
  ] as Array<[string, (text: string) => string]>).map(([name, write]) => made(name, `as ${write('1').slice(0, 20)}`, texts => signed(texts, terms => write(terms.join(''))))),
  made('hash-reused', 'the text of part 1 is in part 2, too', texts => {
    const [first, second] = partsOf(texts).map(terms => terms.join('')) as [string, string]
    return `${digest(first)}///${digest(first + second)}`
  }),
  made('hash-reused', 'the text of part 2 is in part 1, too', texts => {
    const [first, second] = partsOf(texts).map(terms => terms.join('')) as [string, string]
    return `${digest(second + first)}///${digest(second)}`
  }),
  ...['', 'undefined', 'null', '[object Object]'].map(text => made('nothing-hashed', JSON.stringify(text), () => `${digest(text)}///${digest(text)}`)),
  ...['', 'undefined', 'null', '[object Object]'].map(text => made('nothing-hashed', `${JSON.stringify(text)} in part 2`, texts =>
    `${digest(partsOf(texts)[0].join(''))}///${digest(text)}`)),
  made('digest-signed', 'as a signed number', texts => signed(texts, terms => BigInt.asIntN(256, BigInt(`0x${digest(terms.join(''))}`)).toString(16)), ['refund']),
  ...each('identifier-wrapped', 'identifier', ['Optional("Order-12")']), // Swift
  ...each('identifier-padded', 'identifier', ['Order-12'.padEnd(20), 'Order-12'.padEnd(20, '\0')]),
  ...each('token-padded', 'token', [token.padEnd(64)]),
  ...each('identifier-dashes', 'identifier', [['ORD\u20147731', 'ORD--7731'], ['ORD--7731', 'ORD\u20147731']]),
  field('amount-number-format', 'amount', '0.12345e4'), // Ruby
  made('signature-labelled', 'as CryptoKit prints it', texts => signed(texts, terms => `SHA256 digest: ${digest(terms.join(''))}`)),
  made('one-hash', 'of both texts', texts => digest(partsOf(texts).flat().join(''))),
  made('hmac', 'token in the key only', texts => signed(texts, terms => hmac(texts, terms.filter(term => term !== texts.token)))),
  made('hmac', 'token in the text too', texts => signed(texts, terms => hmac(texts, terms))),
  made('hmac', 'in part 2 only', texts => {
    const [first, second] = partsOf(texts)
    return `${digest(first.join(''))}///${hmac(texts, second.filter(term => term !== texts.token))}`
  }),
  made('hashed-twice', 'of the digits', texts => signed(texts, terms => digest(digest(terms.join(''))))),
  made('hashed-twice', 'of the bytes', texts => signed(texts, terms => digest(bytes(digest(terms.join('')))))),
  ...[['', '\n'], ['', '\r\n'], ['\ufeff', ''], ['-n ', '\n'], ['"', '"\r\n'], ['"', '" \r\n'], ['', ' \r\n']].map(([before, after]) =>
    made('text-ends', `${before}…${after}`, texts => signed(texts, terms => digest(before + terms.join('') + after)))),
  made('text-encoding', 'UTF-16', texts => signed(texts, terms => digest(Buffer.from(terms.join(''), 'utf16le')))),
  made('text-encoding', 'UTF-16, big-endian', texts => signed(texts, terms => digest(Buffer.from(terms.join(''), 'utf16le').swap16()))),
  made('text-encoding+text-ends', 'UTF-16 of Java, with its mark', texts =>
    signed(texts, terms => digest(Buffer.from(`\ufeff${terms.join('')}`, 'utf16le').swap16()))),
  ...['sha512', 'md5', 'sha1', 'sha224', 'sha384', 'sha3-256', 'blake2s256', 'blake2b512', 'sha3-512'].map(algorithm =>
    made('digest-algorithm', algorithm, texts => signed(texts, terms => digest(terms.join(''), algorithm)))),

  made('digest-upper-case', 'both', texts => signatureOf(texts).toUpperCase()),
  made('digest-upper-case', 'the second one', texts => signatureOf(texts).replace(/[^/]+$/, part => part.toUpperCase())),
  made('digest-base64', 'both', texts => signed(texts, terms => bytes(digest(terms.join(''))).toString('base64'))),
  made('digest-base64', 'both, for URLs', texts => signed(texts, terms => bytes(digest(terms.join(''))).toString('base64url'))),
  made('signature-base64', 'of the hexadecimal', texts => signed(texts, terms => Buffer.from(digest(terms.join(''))).toString('base64'))),
  ...['/', '', '|', '////////'].map(separator => made('signature-separator', JSON.stringify(separator), texts => signatureOf(texts).replace('///', separator))),
  made('parts-swapped', 'both', swapped),
  made('one-part', 'part 2', texts => String(signatureOf(texts).split('///')[1])),
  made('signature-white-space', 'a newline', texts => `${signatureOf(texts)}\n`),
  made('signature-white-space', 'before it', texts => `\t ${signatureOf(texts)}`),
  made('signature-in-json', 'the answer', texts => JSON.stringify({ signature: signatureOf(texts) })),
  made('signature-labelled', 'signature=', texts => `signature=${signatureOf(texts)}`),
  made('signature-labelled', 'Signature:', texts => `Signature : ${signatureOf(texts)}`),
  made('signature-quoted', 'quotes', texts => `"${signatureOf(texts)}"`),
  made('signature-quoted', 'apostrophes', texts => `'${signatureOf(texts)}'`),
  made('signature-escaped', 'as PHP does', texts => signatureOf(texts).replaceAll('/', '\\/')),
  made('signature-percent-encoded', 'in a URL', texts => signatureOf(texts).replaceAll('/', '%2F')),
  made('signature-percent-encoded', 'in lower case', texts => signatureOf(texts).replaceAll('/', '%2f')),
  made('signature-inner-white-space', 'a line break', texts => signatureOf(texts).replace('///', '///\n')),
  made('signature-bytes-marked', '0x before each part', texts => signatureOf(texts).replace(/(?=\b[0-9a-f]{64})/g, '0x')),

  field('amount-separators+amount-currency', 'amount', '$1,234.50'),
  field('timestamp-floating-point', 'clientTimeStamp', '1.70991e+12'), // %g
  ...each('timestamp-epoch', 'clientTimeStamp', ['638455091456780000', '133543859456780000']), // C#, Windows
  field('identifier-affix', 'identifier', 'Order-12;'),
  term('identifier-affix', 'x after the order id', { order: 'Order-12x' }, ['purchase']),
  ...each('token-affix', 'token', [`${token};`, `${token}x`]),
  field('amount-decimals', 'amount', '1234.50000000'),
  made('terms-wrapped', 'as a JSON array', texts => signed(texts, terms => digest(JSON.stringify(terms)))),
  field('amount-affix', 'amount', '1234.50f'),
  field('timestamp-affix', 'clientTimeStamp', '1709912345678n'),
  field('account-number-affix', 'merchantAccountNumber', 'M102551'),
  field('account-number-cut-off', 'merchantAccountNumber', '2551'),
  ...each('identifier-escaped', 'identifier', [["O\\'Brien", "O'Brien"], ["O''Brien", "O'Brien"]]),
  field('identifier-lost-characters', 'identifier', 'Caf?', 'Café'),
  field('identifier-plain-letters', 'identifier', 'Cafe', 'Café'),
  field('identifier-plain-letters', 'identifier', 'امر-7731', 'أمر-7731'),
  field('identifier-look-alike', 'identifier', 'کرسی-501', 'كرسي-501'),
  field('identifier-look-alike', 'identifier', 'Order-С1', 'Order-C1'), // a Cyrillic letter
  field('token-look-alike', 'token', token.replace('c', 'с')),
  field('identifier-case', 'identifier', 'İNV-77', 'inv-77'), // by Turkish rules
  field('identifier-cut-by-bytes', 'identifier', 'طلب-ش\ufffd', 'طلب-شراء-7731'),
  made('identifier-cut-by-bytes', 'as bytes', texts => {
    const [first, second] = partsOf({ ...texts, order: '' }) as [string[], string[]]
    const cut = Buffer.from('طلب-شراء-7731').subarray(0, 10)
    const end = Buffer.from(second.slice(2).join(''))
    return `${digest(first.join(''))}///${digest(Buffer.concat([Buffer.from(texts.time), cut, Buffer.from(texts.token), end]))}`
  }, ['purchase'], { request: { orderId: 'طلب-شراء-7731' } }),
  ...[`$${'{…}'}`, '$…', '{{…}}', '{…}'].map(form => made('terms-not-expanded', form, texts => signed(texts, terms => {
    const ofPart2 = ['clientTimeStamp', 'orderId', 'merchantToken', 'merchantAccountNumber', 'amount']
    const names = terms.length === 4 ? ['clientTimeStamp', 'sid', 'amount'] : ofPart2
    return digest(names.map(name => form.replace('…', name)).join(''))
  }), ['purchase'])),
  made('terms-not-expanded', 'names as in Python', texts => signed(texts, terms => digest(
    terms.length === 4 ? '{client_time_stamp}{sid}{amount}' : '{client_time_stamp}{order_id}{merchant_token}{account_number}{amount}'
  )), ['purchase']),
  made('hmac', 'key and text exchanged', texts => signed(texts, terms =>
    hmac({ ...texts, token: terms.filter(term => term !== texts.token).join('') }, [texts.token]))),

  // PHP with serialize_precision 17 and 100, Python, C and Java: all digits of a double, or of a float of 32 bits.
  ...each('amount-floating-point', 'amount', [
    ['87.120000000000005', '87.12'], ['87.1200000000000045474735088646411895751953125', '87.12'], ['59.990000000000002', '59.99'],
    ['59.99000000000000198952', '59.99'], ['87.120002746582031', '87.12'], ['87.12000274658203125', '87.12'], ['59,990000000000002', '59.99'],
    ['5.9990000000e+01', '59.99'], ['0x1.dfeb851eb851fp+5', '59.99'], ['1234.5699462890625', '1234.57']
  ]),
  made('amount-floating-point', 'in part 2 alone', texts => [
    digest(partsOf(texts)[0].join('')), digest(partsOf({ ...texts, amount: '87.120000000000005' })[1].join(''))
  ].join('///'), ['purchase'], { request: { amount: '87.12' } }),
  // Casts and columns of 8 to 64 bits: their largest value, their smallest one, and the lowest bits.
  ...each('account-number-integer', 'merchantAccountNumber', [
    ['127', '102551'], ['255', '102551'], ['32767', '102551'], ['65535', '102551'], ['8388607', '10025511'], ['16777215', '80025511'],
    ['2147483647', '900100200300'], ['4294967295', '900100200300'], ['-2147483648', '900100200300'], ['-28521', '102551'],
    ['-1842931860', '900100200300'], ['0x19097', '102551']
  ]),
  ...each('identifier-integer', 'identifier', [
    ['9223372036854775807', '99887766554433221100'], ['18446744073709551615', '99887766554433221100'], ['9007199254740991', '10099887766554433'],
    ['-9223372036854775808', '99887766554433221100']
  ]),
  field('timestamp-integer', 'clientTimeStamp', '2147483647'),
  field('amount-integer', 'amount', '9999.99', '123456.78'), // DECIMAL(6,2) of MySQL
  // Spreadsheets of 1900 and 1904, at UTC and at UTC+2; Python's toordinal; the seconds of Apple's and of NTP.
  ...each('timestamp-epoch', 'clientTimeStamp', ['45359.65214905093', '45359.6521490509', '45359', '43897.65214905093', '45359.73548238426',
    '738953', '731605145.678', '3918901145', '19790']),
  // Python's isoformat(), str() and timegm() of local time, Java, Ruby, Go, PHP, JavaScript and SQL.
  ...each('timestamp-iso', 'clientTimeStamp', ['2024-03-08T15:39:05.678000', '2024-03-08T15:39:05.678412+00:00', '2024-03-08 15:39:05 UTC',
    '2024-03-08 15:39:05,678', 'Friday, 08-Mar-2024 15:39:05 UTC', '08.03.2024 15:39:05', '20240308T153905Z', '03/08/2024 03:39 PM']),
  ...each('timestamp-local-date', 'clientTimeStamp', ['2024-03-08T17:39:05.678000', '2024-03-08T17:39:05.678412', '2024-03-08 17:39:05+02:00',
    '2024-03-08 17:39:05 +0200', '3/8/2024, 5:39:05 PM', 'Fri, 08 Mar 2024 18:39:05 +0300']),
  ...each('timestamp-time-zone', 'clientTimeStamp', ['1709919545', '1709919545000', '1709932145', '1709932145000']),
  // Markup around a value.
  ...each('identifier-wrapped', 'identifier', ['<b>Order-12</b>', '<code>Order-12</code>', '**Order-12**', '<![CDATA[Order-12]]>', '&lt;p&gt;Order-12&lt;/p&gt;']),
  field('amount-wrapped', 'amount', '<span>1234.50</span>'),
  ...each('identifier-html', 'identifier', ['Order&#45;12', 'Order&#x2d;12', 'Order&#x2D;12', ['a/b-1', 'a&#47;b&#45;1']]),
  // A token that was typed, or copied from a screen or a log. It has no 0 and no 1.
  ...each('token-look-alike', 'token', [token.replace('Z', '2'), token.replace('9', 'g'), token.replace('2', 'Z').replace('b8', 'bB'),
    ['wO7dlK', 'w07d1K']]),
  ...each('token-typing-error', 'token', [token.replace('H', 'h'), token.replace('m', ''), token.replace('Vb', 'bV'), token.replace('L4', 'L44'),
    token.replace('R', 'f'), token.replace('t3', 't7J3'.replace('J', '')), token.replace('4xVb', '')]),
  ...each('token-masked', 'token', ['*'.repeat(24), '********', '\u2022'.repeat(12), '****Yc6d', 'k7Hq****Yc6d', 'k7Hq\u2026Yc6d', 'k7Hq...Yc6d',
    '[REDACTED]', '[Filtered]', "SecretStr('**********')", 'xxxxxxxx', '####']),
  ...each('account-number-typing-error', 'merchantAccountNumber', ['120551', '10251'])
]
