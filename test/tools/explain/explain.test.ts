import t from 'tap'
import type { SignatureRequest } from '../../../src/scheme/request.js'
import { readerOf, type Variant } from '../../../src/scheme/variants.js'
import { explain } from '../../../tools/explain/explain.js'
import { warningsOf, type Warning } from '../../../tools/explain/warnings.js'
import { requests, signature, token } from '../../support/wrong-signatures.js'

function warningsAbout (variant: Variant, request: object): Warning[] {
  const sent = request as SignatureRequest
  return warningsOf(readerOf(variant).read(sent), sent)
}

const sourcesOf = (request: Record<string, unknown>, variant: 'A' | 'B' = 'A') =>
  Object.fromEntries(explain(request as never, { variant }).terms
    .map(({ name, text, source }) => [name, [text, source]]))

const refund = { ...requests.refund, amount: '100.00' }

t.test('a refund, with the token', async t => {
  const explanation = explain(refund, { variant: 'A', merchantToken: token })
  t.same(explanation, {
    variant: 'A',
    operation: 'refund',
    terms: [
      { name: 'clientTimeStamp', text: '1709912345678', source: 'clientTimeStamp' },
      { name: 'sid', text: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11', source: 'sid' },
      { name: 'amount', text: '100.00', source: 'amount' },
      { name: 'referenceNumber', text: '0098765', source: 'transactionFCRN' },
      { name: 'orderIdOrNull', text: 'null', source: 'the text null: orderId is absent' },
      { name: 'merchantToken', text: '<merchantToken>', source: 'the configured token' },
      { name: 'accountNumber', text: '102551', source: 'merchantAccountNumber' }
    ],
    part1: {
      preImage: '17099123456785f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11100.000098765',
      digest: signature('refund', { amount: '100.00' }).slice(0, 64)
    },
    part2: {
      preImage: '1709912345678null<merchantToken>102551100.000098765',
      digest: signature('refund', { amount: '100.00' }).slice(67)
    },
    signature: signature('refund', { amount: '100.00' }),
    warnings: []
  })
  t.notMatch(JSON.stringify(explanation), token)
})

t.test('the token of the request is masked too', async t => {
  const explanation = explain({ ...requests.purchase, merchantToken: 'its own token' }, { variant: 'A' })
  t.notMatch(JSON.stringify(explanation), 'its own token')
  t.equal(explanation.terms.find(({ name }) => name === 'merchantToken')?.source, 'merchantToken of the request')
  t.equal(explanation.part2.digest, signature('purchase', { token: 'its own token' }).slice(67))
})

t.test('each term has its source', async t => {
  t.match(sourcesOf({ ...requests.purchase, amount: 'null', orderId: null }), {
    amount: ['', 'nothing: amount has the text null, which counts as empty'],
    referenceNumber: ['', 'nothing: a purchase has no reference'],
    orderIdOrNull: ['null', 'the text null: orderId is null']
  })
  t.match(sourcesOf({ ...requests.void, amount: '5.00', transactionFCRN: '' }), {
    amount: ['', 'nothing: a void does not use the amount'],
    referenceNumber: ['', 'nothing: transactionFCRN is empty']
  })
  t.match(sourcesOf(requests.inquiry), {
    amount: ['', 'nothing: an inquiry does not use the amount'],
    referenceNumber: ['Order-12', 'transactionId'],
    orderIdOrNull: ['Order-12', 'transactionId, since idType is ORDER_ID']
  })
  t.match(sourcesOf({ ...requests.inquiry, idType: 'FCRN' }).orderIdOrNull, ['null', 'the text null: idType is not ORDER_ID'])
  t.match(sourcesOf({ ...requests.inquiry, transactionId: '' }).orderIdOrNull, ['null', 'the text null: there is no transactionId'])
  t.match(sourcesOf({ ...requests.purchase, merchantAccountNumber: '', accountNumber: '7' }).accountNumber, ['7', 'accountNumber'])
})

t.test('a request that cannot be signed is not explained', async t => {
  t.throws(() => explain({ ...requests.purchase, amount: '0' }, { variant: 'A' }), { code: 'ERR_AMOUNT_NOT_POSITIVE' })
  t.throws(() => explain({ ...requests.purchase, sid: 'x' }, { variant: 'B' }), { code: 'ERR_SID_INVALID' })
  t.throws(() => explain([] as never, { variant: 'B' }), { code: 'ERR_REQUEST' })
  t.throws(() => explain(requests.purchase, { variant: 'B', merchantToken: '' }), { code: 'ERR_MERCHANT_TOKEN' })
  t.throws(() => explain(requests.purchase, undefined as never), { code: 'ERR_VARIANT' })
})

t.test('a clear cache, and what else its signature is valid for', async t => {
  const { operationType, amount, orderId, ...account } = requests.purchase
  const clearCache = { ...account, operationType: 'clearCache' }
  t.match(explain(clearCache, { variant: 'A' }), { operation: 'clearCache', alsoSignedLike: 'inquiry', warnings: [] })
  t.match(sourcesOf(clearCache), {
    amount: ['', 'nothing: a clear cache does not use the amount'],
    orderIdOrNull: ['null', 'the text null: a clear cache has no order id']
  })
  t.match(explain({ ...clearCache, amount: '1.00' }, { variant: 'A' }), {
    operation: 'purchase', warnings: [{ message: 'operationType is clearCache, which has no other fields, so this is signed as a purchase.' }]
  })
})

t.test('two terms may join to one character', async t => {
  const { part1 } = explain({ ...requests.purchase, sid: 's\ud83d', amount: '\ude00' }, { variant: 'A' })
  t.equal(part1.digest, '1ee62772375d33c95121007ff656e088829193d4a44cf4bb07dc096f26e447ec') // printf '%s' 1709912345678s😀 | sha256sum
})

const { purchase, inquiry } = requests
const someSid = '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11'
const format = ['amount-format', 'amount', 'amount is not digits, a point and two decimals, as in 100.00.'] as const
const noMilliseconds = (has: string) => ['timestamp-not-milliseconds', 'clientTimeStamp',
  `clientTimeStamp ${has}; epoch milliseconds have 13, seconds 10, microseconds 16.`] as const
const noAmount = (what: string) => ['amount-missing', 'amount', `amount is absent or empty, and ${what} is signed without one.`] as const
const unused = (field: string, what: string) => ['field-not-used', field, `${field} is given, but ${what} does not use it.`] as const
const notText = (field: string, type: string) =>
  ['not-a-string', field, `${field} was ${type}, and the text that JavaScript makes of it is hashed. Send a string.`] as const

for (const [what, variant, request, ...expected] of [
  ['an amount that is a number', 'A', { ...refund, amount: 100.5 }, ['not-a-string', 'amount',
    'amount was a number, and the text that JavaScript makes of it is hashed: 100.00 becomes 100. Send a string.'], format],
  ['no amount', 'A', { ...purchase, amount: null }, noAmount('a purchase')],
  ['an amount in an inquiry', 'A', { ...inquiry, amount: '1', orderId: '' }, unused('amount', 'an inquiry')],
  ['seconds', 'A', { ...purchase, clientTimeStamp: 1709912345 }, noMilliseconds('has 10 digits')],
  ['a time stamp as text', 'A', { ...purchase, clientTimeStamp: '1709912345678' }],
  ['a fraction of a millisecond', 'A', { ...purchase, clientTimeStamp: 1709912345678.5 },
    notText('clientTimeStamp', 'a number'), noMilliseconds('is not a number')],
  ['an inquiry by another id', 'A', { ...inquiry, idType: 'FCRN', orderId: undefined },
    ['id-type-unknown', 'idType', 'idType is not ORDER_ID, so transactionId is not used as the order id.']],
  ['an unknown operation', 'A', { ...purchase, operationType: 'refnd' }, ['operation-unknown', 'operationType',
    'operationType is not purchase, refund, void, inquiry or clearCache, so this is signed as a purchase.']],
  ['white space', 'A', { ...purchase, orderId: 'a\n' },
    ['white-space', 'orderId', 'orderId begins or ends with white space, which is hashed too.']],
  ['a zero-width space', 'A', { ...purchase, orderId: 'a\u200bb\u00adc' }, ['invisible-character', 'orderId',
    'orderId has an invisible or unusual character inside, U+200B, which is hashed too.']],
  ['decomposed', 'A', { ...purchase, orderId: 'e\u0301' }, ['not-normalized', 'orderId',
    "orderId is not in Unicode's composed form (NFC): text that looks the same elsewhere may have other bytes."]],
  ['half of a pair', 'A', { ...purchase, orderId: 'a\ud800' },
    ['lone-surrogate', 'orderId', 'orderId has half of a surrogate pair, which is hashed as U+FFFD.']],
  ['an object', 'A', { ...purchase, orderId: {} }, notText('orderId', 'an object')],
  ['two account numbers', 'A', { ...purchase, accountNumber: '1' }, ['two-account-numbers', 'accountNumber',
    'merchantAccountNumber and accountNumber are both given; merchantAccountNumber is used.']],
  ['a key in another case', 'A', { ...purchase, AMOUNT: '1.00' },
    ['key-case', 'amount', 'The request has the key AMOUNT, which is not read: the field is amount.']],
  ['a token', 'A', { ...purchase, merchantToken: 'mine' }, ['token-in-request', 'merchantToken',
    'The request contains merchantToken, which is used instead of the configured token.']],
  ['the text undefined in variant B', 'B', { ...purchase, amount: 'undefined' },
    ['text-counts-as-empty', 'amount', 'amount has the text undefined, which counts as empty.']]
] as ReadonlyArray<[string, 'A' | 'B', object, ...Array<readonly [string, string, string]>]>) {
  t.test(`a warning about ${what}`, async t => {
    const warnings = warningsAbout(variant, { ...request, sid: someSid })
    t.strictSame(warnings.map(({ code, field, message }) => [code, field, message]), expected)
  })
}

t.test('white space in each signed text causes a warning', async t => {
  for (const [request, field, variant = 'A'] of [
    [purchase, 'sid'], [purchase, 'clientTimeStamp'], [purchase, 'merchantAccountNumber'], [purchase, 'merchantToken'],
    [purchase, 'amount'], [purchase, 'orderId'], [refund, 'transactionFCRN'], [inquiry, 'transactionId'], [inquiry, 'idType'],
    [{ ...purchase, merchantAccountNumber: '' }, 'accountNumber'], [{ ...purchase, sid: someSid }, 'orderId', 'B']
  ] as const) {
    const warnings = warningsAbout(variant, { ...request, [field]: '1 ' })
    t.same(warnings.filter(({ code }) => code === 'white-space').map(({ field }) => field), [field])
  }
})
