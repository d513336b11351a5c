import t from 'tap'
import { irregularitiesOf } from '../../../src/guard/irregularities.js'
import type { SignatureRequest } from '../../../src/scheme/request.js'
import { readerOf, type Variant } from '../../../src/scheme/variants.js'

const sid = '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11'
const common = { merchantAccountNumber: '102551', sid, clientTimeStamp: 1709912345678 }
const purchase = { ...common, operationType: 'purchase', amount: '100.00', orderId: 'ORDER-12345' }

const irregularities = (variant: Variant, request: SignatureRequest) =>
  irregularitiesOf(request, readerOf(variant).read(request))

for (const [what, change, ...expected] of [
  ['a number for an amount', { amount: 100.5 }, { kind: 'type', field: 'amount', sent: 'a number' }],
  ['1e400', { amount: JSON.parse('1e400') }, { kind: 'type', field: 'amount', sent: 'a number' }],
  ['an array', { operationType: ['purchase'] }, { kind: 'type', field: 'operationType', sent: 'an array' }],
  ['an object', { orderId: {} }, { kind: 'type', field: 'orderId', sent: 'an object' }],
  ['a boolean', { merchantAccountNumber: true }, { kind: 'type', field: 'merchantAccountNumber', sent: 'a boolean' }],
  ['a time stamp as text', { clientTimeStamp: '1' }, { kind: 'type', field: 'clientTimeStamp', sent: 'a string' }],
  ['half a millisecond', { clientTimeStamp: 1.5 }, { kind: 'type', field: 'clientTimeStamp', sent: 'a number' }],
  ['the text null', { orderId: 'null' }, { kind: 'counts-as-empty', field: 'orderId', sent: 'null' }],
  ['the text undefined', { amount: 'undefined' }, { kind: 'counts-as-empty', field: 'amount', sent: 'undefined' }],
  ['an operation of another case', { operationType: 'PURCHASE' }],
  ['an unknown operation', { operationType: ' refund' }, { kind: 'unknown-operation', field: 'operationType', sent: ' refund' }],
  ['a field of another operation', { transactionFCRN: '9' }, { kind: 'not-used', field: 'transactionFCRN', sent: '' }],
  ['two account numbers', { accountNumber: '102551' }, { kind: 'two-account-numbers', field: 'accountNumber', sent: '' }],
  ['a token', { merchantToken: 'canary' }, { kind: 'own-token', field: 'merchantToken', sent: '' }],
  ['a token that is not used', { merchantToken: 0 }, { kind: 'type', field: 'merchantToken', sent: 'a number' }],
  ['a key in another case', { AMOUNT: '1.00' }, { kind: 'key-case', field: 'amount', sent: 'AMOUNT' }],
  ['two keys in another case', { Sid: '2', ORDERID: '1' },
    { kind: 'key-case', field: 'orderId', sent: 'ORDERID' }, { kind: 'key-case', field: 'sid', sent: 'Sid' }],
  ['a long s, which is an s to decoders that ignore the case', { \u017fid: '' }, { kind: 'key-case', field: 'sid', sent: '\u017fid' }],
  ['the sign of the kelvin, which is a k', { merchantTo\u212aen: '' }, { kind: 'key-case', field: 'merchantToken', sent: 'merchantTo\u212aen' }],
  ['a key that only begins like one', { amountInCents: 1, order_id: 2, '': 3, merchantAccountNumberAndMore: 4 }],
  ['empty fields', { transactionFCRN: '', transactionId: null, accountNumber: '', merchantToken: null }]
] as const) {
  t.test(`irregular: ${what}`, async t => {
    t.strictSame(irregularities('A', { ...purchase, ...change }), expected)
  })
}

t.test('in variant B, a signed text does not count as empty', async t => {
  t.strictSame(irregularities('B', { ...common, amount: 'null', orderId: 'undefined' }), [])
  t.strictSame(irregularities('B', { ...common, amount: 'undefined' }),
    [{ kind: 'counts-as-empty', field: 'amount', sent: 'undefined' }])
})
