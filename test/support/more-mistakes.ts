import { createHash } from 'node:crypto'
import { form, preImages, requests, sha256, sid, signature, term, time, token } from './mistakes.js'
import type { Mistake, Operation, Texts } from './mistakes.js'

/** A text that was hashed; or that, and what the request has in its place. */
type Wrong = string | readonly [text: string, sent: unknown]

const fields: Record<Exclude<keyof Texts, 'token'>, string> = {
  time: 'clientTimeStamp', sid: 'sid', amount: 'amount', reference: 'transactionFCRN', order: 'orderId', account: 'merchantAccountNumber'
}

/** A mistake for each of several texts that a term was. */
const each = (hypothesis: string, name: keyof Texts, wrongs: readonly Wrong[], operation: Operation = 'purchase'): Mistake[] =>
  wrongs.map(wrong => {
    if (typeof wrong === 'string') return term(hypothesis, `${name} ${JSON.stringify(wrong)}`, { [name]: wrong }, operation)
    const [text, sent] = wrong
    return term(hypothesis, `${name} ${JSON.stringify(text)} for ${JSON.stringify(sent)}`, { [name]: text }, operation, name === 'token'
      ? { token: String(sent) }
      : { request: { ...requests[operation], [fields[name]]: sent } })
  })

const [first, second] = preImages('purchase')
const [digest1, digest2] = [sha256(first), sha256(second)]
const right = `${digest1}///${digest2}`

const digests = (algorithm: string): string =>
  [first, second].map(text => createHash(algorithm).update(text).digest('hex')).join('///')

/** The alphabet and the digits, over and over. */
const long = 'abcdefghijklmnopqrstuvwxyz0123456789-'.repeat(8)

const separated = (separator: string, ...parts: string[][]): string => parts.map(texts => sha256(texts.join(separator))).join('///')

/**
 * The mistakes of ./mistakes.ts in all their forms: for each text that a hypothesis may yield one that no other text of
 * it explains.
 */
export const moreMistakes: readonly Mistake[] = [
  ...each('amount-as-number', 'amount', ['1.2345E+3', ['100', '100.00']]),
  ...each('amount-decimals', 'amount', [
    ['1234.57', '1234.567'], ['1235', '1234.567'], ['1234.6', '1234.567'], ['1234.567', '1234.5670'],
    ['1234', '1234.567'], ['1234.5', '1234.567'], ['1234.56', '1234.567'], ['1.00', '0.999'], ['0.1', '.05'], ['1000.0', '999.95']
  ]),
  ...each('amount-trailing-zeros', 'amount', ['1234.5', ['1200.05', '1200.0500']]),
  ...each('amount-thousands-separators', 'amount', [
    '1.234.50', '1 234.50', '1\u00a0234.50', '1\u202f234.50', "1'234.50", '1_234.50', '1 234,50',
    ['1.234.567.00', '1234567.00'], ['1,234,567', '1234567'], ['1234.50', '1,234.50'], ['1234567.50', '1.234.567,50']
  ]),
  ...each('amount-decimal-comma', 'amount', ['1234٫50', ['1234.50', '1234,50'], ['1234.50', '1234٫50']]),
  ...each('amount-currency', 'amount', [
    '1234.50 USD', '1234.50 EUR', '1234.50 GBP', '1234.50 SAR', '1234.50 AED', '1234.50 KWD', '1234.50 QAR', '1234.50 BHD',
    '1234.50 OMR', '1234.50 JOD', '1234.50 $', '1234.50 €', '1234.50 £', '1234.50 LE', '1234.50 ج.م', '1234.50EGP',
    'EGP 1234.50', 'EGP1234.50', '1235 EGP', ['1234.50', '1234.50 EGP'], ['1234.50', '$1234.50']
  ]),
  ...each('amount-minor-units', 'amount', ['1234500', '123450.00', '12.35', '12.345', ['0.0123', '1.23'], ['5', '0.05']]),
  ...each('amount-digits', 'amount', [
    '۱۲۳۴.۵۰', '１２３４.５０', '१२३४.५०', '١٢٣٤٫٥٠', '١,٢٣٤.٥٠', '۱,۲۳۴.۵۰', '１,２３４.５０', '१,२३४.५०',
    ['1234.50', '١٢٣٤.٥٠'], ['1,234.50', '١٢٣٤.٥٠'], ['1,234.50', '١٬٢٣٤٫٥٠'],
    ['1234.50', '۱۲۳۴٫۵۰'], ['9876.05', '９８７６.０５'], ['9876.05', '९८७६.०५']
  ]),
  ...each('amount-leading-zeros', 'amount', ['01234.50', '000000001234.50', ['.50', '0.50'], ['1234.50', '01234.50'], ['0.50', '.50']]),
  ...each('amount-sign', 'amount', ['+1234.50', '-1234.50', ['5.00', '-5.00']]),
  ...each('amount-not-ignored', 'amount', ['0', '0.00', '0.0'], 'void'),
  term('amount-not-ignored', 'amount "" of a purchase that brings references', { amount: '' }, 'purchase', {
    request: { ...requests.purchase, transactionFCRN: '0098765', transactionId: 'T-1' }
  }),

  ...each('timestamp-unit', 'time', [
    '1709912345678000000', '1709912346', '1709912345000', '1709912345.678', [time, '1709912345678000'], [time, '1709912345678000000'],
    ['1709912345000', '1709912345']
  ]),
  ...each('timestamp-iso', 'time', [
    '2024-03-08T15:39:05Z', '2024-03-08T15:39:05+00:00', '2024-03-08T15:39:05', '2024-03-08T15:39:05.678', '2024-03-08 15:39:05',
    '20240308153905', 'Fri, 08 Mar 2024 15:39:05 GMT', [time, '2024-03-08T15:39:05.678Z']
  ]),
  ...each('timestamp-time-zone', 'time', ['1709913245678', '1709911445678', '1709962745678', '1709861945678']), // 15 minutes, 14 hours
  ...each('timestamp-local-date', 'time', [
    '2024-03-08T21:24:05+05:45', '2024-03-08T21:24:05+0545', '2024-03-08T21:24:05.678', '2024-03-08T21:24:05',
    '2024-03-08T10:39:05.678-05:00', '2024-03-08T12:09:05-03:30'
  ]),
  ...each('timestamp-number-format', 'time', [
    '1709912345678.0', '1.709912345678e+12', '1.709912345678E+12', '1,709,912,345,678'
  ]),
  ...each('timestamp-digits', 'time', ['۱۷۰۹۹۱۲۳۴۵۶۷۸', '１７０９９１２３４５６７８', '१७०९९१२३४५६७८', [time, '١٧٠٩٩١٢٣٤٥٦٧٨']]),
  ...each('timestamp-taken-twice', 'time', ['1709912345679', '1709912345677', '1709912405678', '1709912285678']), // 1 and 60,000 ms

  ...each('sid-case', 'sid', [[sid, '5F0C5F4E-9C0B-4A43-8D6E-0D9F3D0A7B11']]),
  ...each('sid-braces', 'sid', [`(${sid})`, `urn:uuid:${sid}`, [sid, `{${sid}}`], [sid, `urn:uuid:${sid}`], [sid, `URN:UUID:${sid}`]]),
  ...each('sid-dashes', 'sid', ['5f0c5f4e_9c0b_4a43_8d6e_0d9f3d0a7b11', [sid, '5f0c5f4e9c0b4a438d6e0d9f3d0a7b11']]),

  ...each('trimmed', 'order', [['a b', ' a b '], ['a b ', ' a b '], [' a b', ' a b '], ['ab', ' a b ']]),
  ...each('trimmed', 'time', [[time, `${time} `]]),
  ...each('trimmed', 'amount', [['1234.50', ' 1234.50']]),
  ...each('trimmed', 'account', [['102551', ' 102551']]),
  ...each('trimmed', 'reference', [['0098765', '0098765\t']], 'refund'),
  ...each('white-space-added', 'order', [' Order-12', 'Order-12\n', 'Order-12\r\n', 'Order-12\t', 'Order-12\u00a0', '\ufeffOrder-12']),
  ...each('white-space-added', 'amount', [' '], 'void'),
  ...each('white-space-added', 'account', ['102551\n']),
  ...each('white-space-added', 'reference', ['0098765\n'], 'refund'),
  ...each('white-space-added', 'time', [`\ufeff${time}`]),
  ...each('empty-text', 'order', ['undefined', 'NULL', 'nil', 'NaN', 'false'], 'refund'),
  ...each('empty-text', 'order', ['null', '']),
  ...each('empty-text', 'reference', ['None'], 'refund'),
  ...each('empty-text', 'account', ['undefined', '']),
  ...each('empty-text', 'time', ['NaN']),
  ...each('empty-text', 'sid', ['']),
  ...each('quoted', 'order', ["'Order-12'", ['Order-12', '"Order-12"'], ['Order-12', "'Order-12'"]]),
  ...each('quoted', 'amount', ['"1234.50"']),
  ...each('quoted', 'account', ['"102551"']),
  ...each('quoted', 'amount', ['""'], 'void'),

  term('id-type', 'an id type that is no order id, looked at', { order: 'null' }, 'inquiry', {
    request: { ...requests.inquiry, orderId: 'null-1' }
  }),
  term('reference-from-another-field', 'transactionFCRN', { reference: '0098765' }, 'inquiry', {
    request: { ...requests.inquiry, transactionFCRN: '0098765' }
  }),
  term('reference-from-another-field', 'transactionId', { reference: 'T-1' }, 'refund', {
    request: { ...requests.refund, transactionId: 'T-1' }
  }),

  ...each('identifier-case', 'order', ['order-12']),
  ...each('identifier-case', 'reference', [['AB-1', 'ab-1']], 'refund'),
  ...each('identifier-normalization', 'order', [['ﬁé', 'ﬁe\u0301'], ['ﬁe\u0301', 'ﬁé'], ['fié', 'ﬁé'], ['fie\u0301', 'ﬁé']]),
  ...each('identifier-percent-encoding', 'order', [['a%2Fb%20c', 'a/b c'], ['a/b%20c', 'a/b c']]),
  ...each('identifier-plus', 'order', [['a b', 'a+b'], ['a+b/c', 'a b/c'], ['a+b%2Fc', 'a b/c']]),
  ...each('identifier-html', 'order', [
    ['a&#39;b', "a'b"], ['a&#x27;b', "a'b"], ['a&apos;b', "a'b"], ["é'&amp;b", "é'&b"], ['a&lt;b', 'a<b'], ['a&gt;b', 'a>b'],
    ['a&quot;b', 'a"b'], ['Caf&#233;&amp;1', 'Café&1'], ['a&b', 'a&amp;b'], ['a<b', 'a&lt;b'], ['a>b', 'a&gt;b'], ['a"b', 'a&quot;b'],
    ['a&lt;b', 'a&amp;lt;b'], ["a'b", 'a&#39;b'], ["a'b", 'a&#039;b'], ["a'b", 'a&#x27;b']
  ]),
  ...each('identifier-encoding', 'order', [['Café', 'CafÃ©']]),
  ...each('identifier-number', 'order', [
    ['12345678901234567000', '12345678901234567001'], ['12345678901234567001', '012345678901234567001'], ['098765', '98765'],
    ['00098765', '98765'], ['000098765', '98765'], ['0000098765', '98765'], ['000000098765', '98765']
  ]),
  ...each('identifier-cut-off', 'order', [10, 12, 16, 24, 30, 32, 36, 40, 50, 64, 100, 128, 255].map(length => [long.slice(0, length), long])),

  term('account-number-other-field', 'merchantAccountNumber, which is 0', { account: '0' }, 'purchase', {
    request: { ...requests.purchase, merchantAccountNumber: 0, accountNumber: '102551' }
  }),
  ...each('account-number-zeros', 'account', ['0102551', '00000000000000102551', ['102551', '00102551'], ['0', '000']]),
  ...each('account-number-as-number', 'account', ['102551.0', '102,551']),
  ...each('account-number-punctuation', 'account', [['102551', '10 25 51'], ['102551', '10.25.51']]),

  ...each('token-newline', 'token', [`${token}\r\n`, `${token}\r`, [token, `${token}\n`], [token, `${token}\r\n`]]),
  ...each('token-white-space', 'token', [`${token} `, `${token}\t`, ['a b', ' a b '], ['ab', ' a b ']]),
  ...each('token-quotes', 'token', [`'${token}'`, `\`${token}\``, [token, `"${token}"`], [token, `'${token}'`], [token, `\`${token}\``]]),
  ...each('token-byte-order-mark', 'token', [[token, `\ufeff${token}`]]),
  ...each('token-base64', 'token', [
    'azdIcTJtWjlwTDR4VmI4c1J0M3dZYzZk', ['YT8+Yn5+', 'a?>b~~'], ['YT8-Yn5-', 'a?>b~~'], ['a?>b~~', 'YT8+Yn5+'], ['a?>b~~', 'YT8-Yn5-'],
    ['éñà', '6fHg'], ['toke', 'dG9rZQ==']
  ]),
  ...each('token-hex-case', 'token', [['abcdef0123456789', 'ABCDEF0123456789']]),
  ...each('token-hex-decoded', 'token', [['é', 'c3a9'], ['Ã©', 'C3A9']]),
  ...each('token-cut-by-configuration', 'token', [
    ['s3cret', 's3cret  # of 2024'], ['s3crett', 's3cret$' + '{ab9}t'], ['s3cret', 's3cret$ab9'], ['ab', 'a\\b'],
    ['s3cret=1', 'key=s3cret=1']
  ]),
  ...each('token-percent-encoding', 'token', [['a%20b', 'a b'], ['a b', 'a+b'], ['a/b', 'a%2fb']]),
  ...each('token-missing', 'token', ['', 'null', 'None', 'MERCHANT_TOKEN', '$' + '{MERCHANT_TOKEN}', '$MERCHANT_TOKEN']),

  form('operation', 'a purchase as a refund', signature('purchase', { reference: '0098765' }), 'purchase', {
    request: { ...requests.purchase, transactionFCRN: '0098765' }
  }),
  form('operation', 'a purchase as an inquiry', signature('purchase', { amount: '', reference: 'T-1', order: 'null' }), 'purchase', {
    request: { ...requests.purchase, transactionId: 'T-1' }
  }),
  form('operation', 'a void as an inquiry', signature('void', { reference: 'T-1' }), 'void', {
    request: { ...requests.void, transactionId: 'T-1', orderId: 'Order-12' }
  }),
  form('operation', 'an inquiry as a purchase', signature('inquiry', { reference: '', order: 'other' }), 'inquiry'),

  ...['|', ':', ',', ' ', ';', '&', '_', '.', '/', '///', '\n', '||', '+', '-'].flatMap(separator => [
    form('terms-separated', `with ${JSON.stringify(separator)}`,
      separated(separator, [time, sid, '1234.50', ''], [time, 'Order-12', token, '102551', '1234.50', ''])),
    form('terms-separated', `with ${JSON.stringify(separator)}, empty ones left out`,
      separated(separator, [time, sid, '1234.50'], [time, 'Order-12', token, '102551', '1234.50']))
  ]),
  form('text-encoding', 'UTF-16, of a text that is not ASCII', [
    sha256(Buffer.from(first, 'utf16le')), sha256(Buffer.from(`${time}Caf\u00e9${token}1025511234.50`, 'utf16le'))
  ].join('///'), 'purchase', { request: { ...requests.purchase, orderId: 'Caf\u00e9' } }),

  form('digest-upper-case', 'the second one', `${digest1}///${digest2.toUpperCase()}`),
  ...['sha1', 'sha224', 'sha384'].map(algorithm => form('digest-algorithm', algorithm, digests(algorithm))),
  form('signature-separator', 'a bar', `${digest1}|${digest2}`),
  form('signature-separator', 'eight characters', `${digest1}////////${digest2}`),
  form('signature-labelled', 'Signature:', `Signature : ${right}`),
  form('signature-quoted', 'apostrophes', `'${right}'`),
  form('signature-percent-encoded', 'in lower case', right.replaceAll('/', '%2f')),
  form('signature-white-space', 'before it', `\t ${right}`)
]
