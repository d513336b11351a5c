import { createHash, createHmac } from 'node:crypto'
import type { SignatureRequest } from '../../src/scheme/request.js'

/**
 * Signatures as people get them wrong. The texts are written out, and hashed here in another way than the code does: so
 * nothing of what is tested is in what is expected.
 */
export const token = 'k7Hq2mZ9pL4xVb8sRt3wYc6d'

export const sid = '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11'
export const time = '1709912345678' // 2024-03-08T15:39:05.678Z

export const requests = {
  purchase: {
    operationType: 'purchase', amount: '1234.50', merchantAccountNumber: '102551', orderId: 'Order-12', sid, clientTimeStamp: 1709912345678
  },
  refund: {
    operationType: 'refund', amount: '100.00', merchantAccountNumber: '102551', transactionFCRN: '0098765', sid, clientTimeStamp: 1709912345678
  },
  void: { operationType: 'void', merchantAccountNumber: '102551', transactionFCRN: '0098765', sid, clientTimeStamp: 1709912345678 },
  inquiry: {
    operationType: 'inquiry', merchantAccountNumber: '102551', transactionId: 'Order-12', idType: 'order_id', orderId: 'other', sid, clientTimeStamp: 1709912345678
  }
} satisfies Record<string, SignatureRequest>

export type Operation = keyof typeof requests

/** The terms of each of them, by hand. */
const right = {
  purchase: { time, sid, amount: '1234.50', reference: '', order: 'Order-12', token, account: '102551' },
  refund: { time, sid, amount: '100.00', reference: '0098765', order: 'null', token, account: '102551' },
  void: { time, sid, amount: '', reference: '0098765', order: 'null', token, account: '102551' },
  inquiry: { time, sid, amount: '', reference: 'Order-12', order: 'Order-12', token, account: '102551' }
}

export type Texts = typeof right.purchase

export const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex')

/** The two texts with some terms in another way. */
export function preImages (operation: Operation, other: Partial<Texts> = {}): [string, string] {
  const { time, sid, amount, reference, order, token, account } = { ...right[operation], ...other }
  return [time + sid + amount + reference, time + order + token + account + amount + reference]
}

export function signature (operation: Operation, other: Partial<Texts> = {}): string {
  return preImages(operation, other).map(text => sha256(text)).join('///')
}

export interface Mistake {
  readonly hypothesis: string
  readonly what: string
  readonly operation: Operation
  readonly signature: string
  /** What was changed, if it is terms only. */
  readonly terms?: Partial<Texts>
  readonly request?: SignatureRequest
  readonly token?: string
  readonly otherTokens?: Record<string, string>
  readonly otherRequest?: Record<string, unknown>
}

/** A term that was another text. */
export const term = (
  hypothesis: string, what: string, terms: Partial<Texts>, operation: Operation = 'purchase', others: Partial<Mistake> = {}
): Mistake => ({ hypothesis, what, operation, terms, signature: signature(operation, terms), ...others })

/** Anything else. */
export const form = (
  hypothesis: string, what: string, signature: string, operation: Operation = 'purchase', others: Partial<Mistake> = {}
): Mistake => ({ hypothesis, what, operation, signature, ...others })

const [first, second] = preImages('purchase')
const [digest1, digest2] = [sha256(first), sha256(second)]
const right12 = `${digest1}///${digest2}`
const hmac = (text: string): string => createHmac('sha256', token).update(text).digest('hex')
const withOrder = (orderId: string): SignatureRequest => ({ ...requests.purchase, orderId })

export const mistakes: readonly Mistake[] = [
  term('amount-as-number', 'trailing zero dropped by a number', { amount: '1234.5' }),
  term('amount-as-number', 'as Python writes a float', { amount: '100.0' }, 'refund'),
  term('amount-decimals', 'no decimals, rounded', { amount: '1235' }),
  term('amount-decimals', 'three decimals', { amount: '1234.500' }),
  term('amount-decimals', 'no decimals, cut off', { amount: '1234' }),
  term('amount-trailing-zeros', 'zeros dropped', { amount: '100' }, 'refund'),
  term('amount-thousands-separators', 'comma', { amount: '1,234.50' }),
  term('amount-thousands-separators', 'as in Germany', { amount: '1.234,50' }),
  term('amount-thousands-separators', 'as in India', { amount: '12,34,567.00' }, 'purchase', {
    request: { ...requests.purchase, amount: '1234567.00' }
  }),
  term('amount-decimal-comma', 'comma', { amount: '1234,50' }),
  term('amount-currency', 'suffix', { amount: '1234.50 EGP' }),
  term('amount-currency', 'prefix', { amount: '$1234.50' }),
  term('amount-currency', 'separators and a suffix', { amount: '1,234.50 EGP' }),
  term('amount-minor-units', 'times a hundred', { amount: '123450' }),
  term('amount-minor-units', 'divided by a hundred', { amount: '1.00' }, 'refund'),
  term('amount-digits', 'Arabic-Indic', { amount: '١٢٣٤.٥٠' }),
  term('amount-digits', 'Arabic separators', { amount: '١٬٢٣٤٫٥٠' }),
  term('amount-leading-zeros', 'twelve digits', { amount: '000000123450' }),
  term('amount-sign', 'negative refund', { amount: '-100.00' }, 'refund'),
  term('amount-sign', 'a sign dropped', { amount: '5.00' }, 'purchase', { request: { ...requests.purchase, amount: '+5.00' } }),
  term('amount-not-ignored', 'an inquiry with an amount', { amount: '100.00' }, 'inquiry', {
    request: { ...requests.inquiry, amount: '100.00' }
  }),
  term('timestamp-unit', 'seconds', { time: '1709912345' }),
  term('timestamp-unit', 'microseconds', { time: '1709912345678000' }),
  term('timestamp-iso', 'ISO 8601', { time: '2024-03-08T15:39:05.678Z' }),
  term('timestamp-time-zone', 'two hours late', { time: '1709919545678' }),
  term('timestamp-time-zone', 'of Kathmandu', { time: '1709933045678' }),
  term('timestamp-local-date', 'two hours ahead', { time: '2024-03-08T17:39:05.678+02:00' }),
  term('timestamp-local-date', 'without a zone, west', { time: '2024-03-08 10:39:05' }),
  term('timestamp-number-format', 'a double in Java', { time: '1.709912345678E12' }),
  term('timestamp-digits', 'Arabic-Indic', { time: '١٧٠٩٩١٢٣٤٥٦٧٨' }),
  term('timestamp-taken-twice', '777 ms later', { time: '1709912346455' }),
  term('sid-case', 'upper', { sid: '5F0C5F4E-9C0B-4A43-8D6E-0D9F3D0A7B11' }),
  term('sid-braces', 'braces', { sid: '{5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11}' }),
  term('sid-dashes', 'removed', { sid: '5f0c5f4e9c0b4a438d6e0d9f3d0a7b11' }),
  term('trimmed', 'an order id', { order: 'Order-12' }, 'purchase', { request: withOrder('Order-12 ') }),
  term('trimmed', 'a session id', { sid: 'abc' }, 'purchase', { request: { ...requests.purchase, sid: ' abc' } }),
  term('white-space-added', 'after the order id', { order: 'Order-12 ' }),
  term('white-space-added', 'after the session id', { sid: `${sid} ` }),
  term('empty-text', 'undefined for a reference', { reference: 'undefined' }),
  term('empty-text', 'None for an order id', { order: 'None' }, 'refund'),
  term('empty-text', 'nothing for an order id', { order: '' }, 'refund'),
  term('empty-text', 'null for an amount', { amount: 'null' }, 'void'),
  term('quoted', 'an order id', { order: '"Order-12"' }),
  term('fcrn-as-order-id', 'copied', { order: '0098765' }, 'refund'),
  term('id-type', 'compared with its case', { order: 'null' }, 'inquiry'),
  term('id-type', 'not looked at', { order: 'Order-12' }, 'inquiry', { request: { ...requests.inquiry, idType: 'FCRN' } }),
  term('order-id-of-inquiry', 'from orderId', { order: 'other' }, 'inquiry'),
  term('reference-from-another-field', 'the order id', { reference: 'Order-12' }),
  term('identifier-case', 'upper', { order: 'ORDER-12' }),
  term('identifier-normalization', 'decomposed', { order: 'Cafe\u0301-1' }, 'purchase', { request: withOrder('Caf\u00e9-1') }),
  term('identifier-percent-encoding', 'decoded', { order: 'a b' }, 'purchase', { request: withOrder('a%20b') }),
  term('identifier-plus', 'space', { order: 'a+b' }, 'purchase', { request: withOrder('a b') }),
  term('identifier-html', 'escaped', { order: 'a&amp;b' }, 'purchase', { request: withOrder('a&b') }),
  term('identifier-html', 'as PHP escapes', { order: 'a&#039;b' }, 'purchase', { request: withOrder("a'b") }),
  term('identifier-html', 'not unescaped', { order: "a'b" }, 'purchase', { request: withOrder('a&apos;b') }),
  term('identifier-encoding', 'mojibake', { order: 'CafÃ©' }, 'purchase', { request: withOrder('Café') }),
  term('identifier-number', 'leading zeros lost', { reference: '98765' }, 'refund'),
  term('identifier-cut-off', '20 characters', { order: 'abcdefghijklmnopqrst' }, 'purchase', { request: withOrder('abcdefghijklmnopqrstuvwxyz') }),
  term('account-number-other-field', 'accountNumber', { account: '777' }, 'purchase', { request: { ...requests.purchase, accountNumber: '777' } }),
  term('account-number-zeros', 'padded', { account: '0000102551' }),
  term('account-number-zeros', 'eleven digits', { account: '00000102551' }),
  term('account-number-as-number', 'rounded', { account: '12345678901234567000' }, 'purchase', {
    request: { ...requests.purchase, merchantAccountNumber: '12345678901234567001' }
  }),
  term('account-number-punctuation', 'dashes', { account: '102551' }, 'purchase', {
    request: { ...requests.purchase, merchantAccountNumber: '10-25-51' }
  }),
  term('token-newline', 'at its end', { token: `${token}\n` }),
  term('token-white-space', 'trimmed', { token }, 'purchase', { token: `${token} ` }),
  term('token-quotes', 'double', { token: `"${token}"` }),
  term('token-byte-order-mark', 'before it', { token: `\ufeff${token}` }),
  term('token-base64', 'decoded', { token: 'hello world token' }, 'purchase', { token: 'aGVsbG8gd29ybGQgdG9rZW4=' }),
  term('token-hex-case', 'upper', { token: 'ABCDEF0123456789' }, 'purchase', { token: 'abcdef0123456789' }),
  term('token-hex-decoded', 'bytes', { token: 'hello' }, 'purchase', { token: '68656c6c6f' }),
  term('token-cut-by-configuration', 'a comment', { token: 's3cret' }, 'purchase', { token: 's3cret#1' }),
  term('token-percent-encoding', 'decoded', { token: 'a b' }, 'purchase', { token: 'a%20b' }),
  term('token-development', 'placeholder', { token: 'development-only-token' }),
  term('token-missing', 'undefined', { token: 'undefined' }),
  term('token-other', 'of staging', { token: 'the token of staging' }, 'purchase', { otherTokens: { staging: 'the token of staging' } }),
  term('token-of-request', 'ignored', { token }, 'purchase', { request: { ...requests.purchase, merchantToken: 'its own' } }),
  term('other-request', 'another order id', { order: 'another' }, 'purchase', { otherRequest: { ...requests.purchase, orderId: 'another' } }),
  term('other-request', 'another token', { token: 'its own' }, 'purchase', { otherRequest: { ...requests.purchase, merchantToken: 'its own' } }),
  form('other-request', 'another operation type and its reference', signature('refund', { order: 'null' }), 'void', {
    otherRequest: requests.refund,
    request: { ...requests.void, amount: '100.00' }
  }),
  form('operation', 'a refund as a purchase', signature('refund', { reference: '' }), 'refund'),
  form('operation', 'a purchase as a void', signature('purchase', { amount: '' })),
  form('variant', 'B instead of A', signature('purchase', { order: '', reference: 'Order-12' })),
  form('terms-separated', 'with |', [
    sha256(`${time}|${sid}|1234.50|`), sha256(`${time}|Order-12|${token}|102551|1234.50|`)
  ].join('///')),
  form('terms-separated', 'with -, empty ones left out', [
    sha256(`${time}-${sid}-1234.50`), sha256(`${time}-Order-12-${token}-102551-1234.50`)
  ].join('///')),
  form('term-order', 'part 2', `${digest1}///${sha256(`${token}${time}Order-121025511234.50`)}`),
  form('term-order', 'part 1', `${sha256(`${sid}${time}1234.50`)}///${digest2}`),
  form('hmac', 'token in the key only', [hmac(first), hmac(`${time}Order-121025511234.50`)].join('///')),
  form('hmac', 'token in the text too', [hmac(first), hmac(second)].join('///')),
  form('hmac', 'in part 2 only', `${digest1}///${hmac(`${time}Order-121025511234.50`)}`),
  form('hashed-twice', 'of the digits', [sha256(digest1), sha256(digest2)].join('///')),
  form('text-encoding', 'UTF-16', [first, second].map(text => sha256(Buffer.from(text, 'utf16le'))).join('///')),
  form('text-encoding', 'Latin-1', [
    sha256(first), sha256(Buffer.from(`${time}Caf\u00e9${token}1025511234.50`, 'latin1'))
  ].join('///'), 'purchase', { request: withOrder('Caf\u00e9') }),
  form('digest-upper-case', 'both', `${digest1.toUpperCase()}///${digest2.toUpperCase()}`),
  form('digest-base64', 'both', [digest1, digest2].map(digest => Buffer.from(digest, 'hex').toString('base64')).join('///')),
  form('digest-base64', 'both, for URLs', [digest1, digest2].map(digest => Buffer.from(digest, 'hex').toString('base64url')).join('///')),
  form('digest-algorithm', 'SHA-512', [first, second].map(text => createHash('sha512').update(text).digest('hex')).join('///')),
  form('digest-algorithm', 'MD5', [first, second].map(text => createHash('md5').update(text).digest('hex')).join('///')),
  form('signature-separator', 'one slash', `${digest1}/${digest2}`),
  form('signature-separator', 'none', digest1 + digest2),
  form('parts-swapped', 'both', `${digest2}///${digest1}`),
  form('one-part', 'part 1', digest1),
  form('one-part', 'part 2', digest2),
  form('signature-white-space', 'a newline', `${right12}\n`),
  form('signature-in-json', 'the answer', `{"signature":"${right12}"}`),
  form('signature-labelled', 'signature=', `signature=${right12}`),
  form('signature-quoted', 'quotes', `"${right12}"`),
  form('signature-escaped', 'as PHP does', right12.replaceAll('/', '\\/')),
  form('signature-percent-encoded', 'in a URL', right12.replaceAll('/', '%2F')),
  form('signature-inner-white-space', 'a line break', right12.replace('///', '///\n')),
  form('sid-another', 'made anew', signature('purchase', { sid: 'd9b2d63d-a233-4123-847a-7c0e0e2f5d5c' }))
]
