import t from 'tap'
import { irregularitiesOf } from '../../../src/guard/irregularities.js'
import type { SignatureRequest } from '../../../src/scheme/request.js'
import { readerOf, type Variant } from '../../../src/scheme/variants.js'

const common = {
  merchantAccountNumber: '102551', sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11', clientTimeStamp: 1709912345678
}
const purchase = { ...common, operationType: 'purchase', amount: '100.00', orderId: 'ORDER-12345' }

const irregularities = (variant: Variant, request: SignatureRequest) =>
  irregularitiesOf(request, readerOf(variant).read(request)).map(({ kind, field, sent }) => [kind, field, sent])

for (const [what, change, ...expected] of [
  ['a purchase', {}],
  ['a number for an amount', { amount: 100.5 }, ['type', 'amount', 'a number']],
  ['an array', { operationType: ['purchase'] }, ['type', 'operationType', 'an array']],
  ['an object', { orderId: {} }, ['type', 'orderId', 'an object']],
  ['a time stamp as text', { clientTimeStamp: '1' }, ['type', 'clientTimeStamp', 'a string']],
  ['half a millisecond', { clientTimeStamp: 1.5 }, ['type', 'clientTimeStamp', 'a number']],
  ['the text null', { orderId: 'null' }, ['counts-as-empty', 'orderId', 'null']],
  ['an operation of another case', { operationType: 'PURCHASE' }],
  ['an unknown operation', { operationType: ' refund' }, ['unknown-operation', 'operationType', ' refund']],
  ['a field of another operation', { transactionFCRN: '9' }, ['not-used', 'transactionFCRN', '']],
  ['two account numbers', { accountNumber: '102551' }, ['two-account-numbers', 'accountNumber', '']],
  ['a token', { merchantToken: 'canary' }, ['own-token', 'merchantToken', '']],
  ['a token that is not used', { merchantToken: 0 }, ['type', 'merchantToken', 'a number']],
  ['a key in another case', { AMOUNT: '1.00' }, ['key-case', 'amount', 'AMOUNT']],
  ['the longest key in another case', { MerchantAccountNumber: '1' },
    ['key-case', 'merchantAccountNumber', 'MerchantAccountNumber']],
  ['two keys in another case', { Sid: '2', ORDERID: '1' }, ['key-case', 'orderId', 'ORDERID'], ['key-case', 'sid', 'Sid']],
  ['the sign of the kelvin, a k to decoders that ignore the case', { merchantTo\u212aen: '' },
    ['key-case', 'merchantToken', 'merchantTo\u212aen']],
  ['a key that only begins like one', { amountInCents: 1, order_id: 2, '': 3, merchantAccountNumberAndMore: 4 }],
  ['empty fields', { transactionFCRN: '', transactionId: null, accountNumber: '', merchantToken: null }]
] as const) {
  t.test(`irregular: ${what}`, async t => {
    t.strictSame(irregularities('A', { ...purchase, ...change }), expected)
  })
}

t.test('in variant B, the text null is signed and does not count as empty', async t => {
  t.strictSame(irregularities('B', { ...common, amount: 'null', orderId: 'undefined' }), [])
  t.strictSame(irregularities('B', { ...common, amount: 'undefined' }), [['counts-as-empty', 'amount', 'undefined']])
})
