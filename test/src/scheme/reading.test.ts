import t from 'tap'
import { fieldsOf, ownTokenOf, type Reading } from '../../../src/scheme/reading.js'
import { readerOf, signerOf } from '../../../src/scheme/variants.js'
import type { SignatureRequest } from '../../../src/scheme/fields.js'
import { whole } from '../../support/whole.js'

const uuid = '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11'
const common = { merchantAccountNumber: '102551', sid: uuid, clientTimeStamp: 1709912345678 }
const purchase = { ...common, operationType: 'purchase', amount: '100.00', orderId: 'ORDER-12345' }

/** Replaces the row of the table by its title. */
const titled = ({ fields: { title }, ...reading }: Reading): object => ({ ...reading, fields: title })

t.test('a reading contains the signed fields', async t => {
  t.strictSame(titled(readerOf('A').read(purchase)), {
    variant: 'A',
    operation: 'purchase',
    fields: 'a purchase',
    amount: '100.00',
    referenceNumber: '',
    orderIdOrNull: 'ORDER-12345',
    idType: '',
    clientTimeStamp: '1709912345678',
    sid: uuid,
    accountNumber: '102551',
    accountNumberField: 'merchantAccountNumber',
    irregularities: []
  })
  t.strictSame(titled(readerOf('B').read({ ...purchase, merchantAccountNumber: null, accountNumber: '7' })), {
    variant: 'B',
    operation: undefined,
    fields: 'variant B',
    amount: '100.00',
    referenceNumber: 'ORDER-12345',
    orderIdOrNull: '',
    idType: '',
    clientTimeStamp: '1709912345678',
    sid: uuid,
    accountNumber: '7',
    accountNumberField: 'accountNumber',
    irregularities: [{ kind: 'not-used', field: 'operationType', sent: '' }]
  })
})

t.test('the reading and the copies for guards are frozen', async t => {
  const reading = readerOf('A').read({ ...purchase, AMOUNT: '1.00' } as SignatureRequest)
  for (const change of [
    () => { (reading as { amount: string }).amount = '1.00' },
    () => { (reading.irregularities as unknown[]).pop() },
    () => { (fieldsOf(reading) as { amount: string }).amount = '1.00' }
  ]) t.throws(change, TypeError)
})

t.test('a reading does not contain the token, and is signed with it', async t => {
  const reading = readerOf('A').read({ ...purchase, merchantToken: 'canary-token' })
  t.notMatch(JSON.stringify([reading, Reflect.ownKeys(reading), fieldsOf(reading)]), 'canary')
  t.equal(ownTokenOf(reading), 'canary-token')
  t.equal(ownTokenOf(readerOf('A').read({ ...purchase, merchantToken: '' })), undefined)
  t.equal(ownTokenOf(readerOf('A').read({ ...purchase, merchantToken: [] })), '', 'an empty array is truthy')
})

t.test('a reading used as a request has the same signature', async t => {
  for (const [variant, change] of [
    ['A', {}], ['A', { operationType: 'Refund', transactionFCRN: 9, orderId: 'null' }], ['A', { operationType: 'void', transactionFCRN: '9' }],
    ['A', { operationType: 'inquiry', transactionId: '9', idType: 'order_id', accountNumber: '7' }], ['A', { operationType: 'sale', clientTimeStamp: '5' }],
    ['A', { accountNumber: 7, merchantAccountNumber: '' }],
    ['B', {}], ['B', { orderId: 'null', amount: 'null' }], ['B', { amount: 5, orderId: '' }]
  ] as const) {
    const reading = readerOf(variant).read({ ...purchase, ...change })
    const signer = signerOf(variant, 'token')
    t.equal(signer.sign(fieldsOf(reading) as SignatureRequest), signer.signReading(reading))
  }
  t.equal(fieldsOf(readerOf('A').read({ ...purchase, merchantAccountNumber: '', accountNumber: '7' })).merchantAccountNumber, '7')
})

for (const [what, change, ...irregularities] of [
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
    t.strictSame(readerOf('A').read({ ...purchase, ...change }).irregularities, irregularities)
  })
}

t.test('in variant B, a signed text does not count as empty', async t => {
  t.strictSame(readerOf('B').read({ ...common, amount: 'null', orderId: 'undefined' }).irregularities, [])
  t.strictSame(readerOf('B').read({ ...common, amount: 'undefined' }).irregularities,
    [{ kind: 'counts-as-empty', field: 'amount', sent: 'undefined' }])
})

for (const [variant, request, expected] of [
  ['A', purchase, {
    operationType: 'purchase', merchantAccountNumber: '102551', amount: '100.00', orderId: 'ORDER-12345', sid: uuid, clientTimeStamp: 1709912345678
  }],
  ['A', { ...common, operationType: 'Refund', amount: 5, transactionFCRN: 9, transactionId: 'x', idType: 'fcrn' }, {
    operationType: 'refund', merchantAccountNumber: '102551', amount: '5', transactionFCRN: '9', sid: uuid, clientTimeStamp: 1709912345678
  }],
  ['A', { ...common, operationType: 'void', amount: '5.00', transactionFCRN: '9', orderId: 'A-1', clientTimeStamp: 1.5 }, {
    operationType: 'void', merchantAccountNumber: '102551', orderId: 'A-1', transactionFCRN: '9', sid: uuid, clientTimeStamp: '1.5'
  }],
  ['A', { ...common, operationType: 'inquiry', orderId: 'A-1', transactionId: '9', idType: 'fcrn', clientTimeStamp: '' }, {
    operationType: 'inquiry', merchantAccountNumber: '102551', transactionId: '9', idType: 'FCRN', sid: uuid, clientTimeStamp: ''
  }],
  ['B', { ...common, operationType: 'void', amount: 'null', orderId: 'null' }, {
    merchantAccountNumber: '102551', amount: 'null', orderId: 'null', sid: uuid, clientTimeStamp: 1709912345678
  }],
  ['A', { ...common, operationType: 'inquiry' }, {
    operationType: 'inquiry', merchantAccountNumber: '102551', sid: uuid, clientTimeStamp: 1709912345678
  }],
  ['B', { ...common }, { merchantAccountNumber: '102551', sid: uuid, clientTimeStamp: 1709912345678 }]
] as const) {
  t.test(`the judged fields of ${JSON.stringify(request)}`, async t => {
    t.strictSame(fieldsOf(readerOf(variant).read(request)), expected)
  })
}

t.test('the variant must be A or B, and a request an object', async t => {
  for (const variant of ['C', 'a', '', undefined]) {
    t.throws(() => readerOf(variant as 'A'), {
      name: 'UsageError', code: 'ERR_VARIANT', message: whole('variant must be "A" or "B"')
    })
  }
  for (const misuse of [undefined, null, 'text', []]) {
    t.throws(() => readerOf('A').read(misuse as never), { name: 'UsageError', code: 'ERR_REQUEST' })
  }
})

t.test('a reader without a token signs requests with their own token only', async t => {
  const reader = readerOf('A')
  t.throws(() => reader.sign(purchase), { name: 'UsageError', code: 'ERR_MERCHANT_TOKEN' })
  t.equal(reader.sign({ ...purchase, merchantToken: 'token' }), signerOf('A', 'token').sign(purchase))
})

t.test('a loose reading refuses only values that have no text', async t => {
  t.match(readerOf('B').readLoosely({ ...purchase, amount: '-1', sid: 7 }), { amount: '-1', sid: '7' })
  t.match(readerOf('A').readLoosely({} as SignatureRequest), { sid: '', clientTimeStamp: 'undefined', accountNumber: 'undefined' })
  t.equal(readerOf('A').readLoosely({ ...purchase, idType: { toString: 1 } }), undefined)
})

t.test('each value is converted to text once', async t => {
  for (const [variant, used] of [
    ['A', ['operationType', 'amount', 'orderId', 'transactionFCRN', 'transactionId', 'idType']], ['B', ['amount', 'orderId']]
  ] as const) {
    let conversions = 0
    const value = { toString () { conversions++; return '5.00' } }
    const other = { merchantAccountNumber: value, clientTimeStamp: value, merchantToken: value, sid: uuid }
    const reading = readerOf(variant).read({ ...other, ...Object.fromEntries(used.map(field => [field, value])) })
    t.equal(conversions, used.length + 3)
    t.equal(reading.amount, '5.00')
  }
})

t.test('guards get the text that is hashed, and a signer signs the text that was sent', async t => {
  const half = '\ud83d'
  const reading = readerOf('A').read({
    operationType: 'inquiry', transactionId: `${half}1`, idType: `${half}2`, accountNumber: `${half}3`, sid: `${half}4`, clientTimeStamp: `5${half}`
  })
  t.strictSame(fieldsOf(reading), {
    operationType: 'inquiry', merchantAccountNumber: '\ufffd3', transactionId: '\ufffd1', idType: '\ufffd2', sid: '\ufffd4', clientTimeStamp: '5\ufffd'
  })
  const joined = readerOf('A').read({ ...common, sid: `s${half}`, amount: '\ude005.00', orderId: half })
  t.match(fieldsOf(joined), { sid: 's\ufffd', amount: '\ufffd5.00', orderId: '\ufffd' })
  const signer = signerOf('A', 'token')
  // printf '%s' '1709912345678s😀5.00' | sha256sum
  t.equal(signer.signReading(joined).slice(0, 64), '312946b2c072783549b8e91d999b88cc8b77feaa987abe0ec0d2db715656e248')
})

t.test('a long operationType is not converted to lower case, which is expensive for some letters', async t => {
  const calls = t.capture(String.prototype, 'toLowerCase', String.prototype.toLowerCase)
  t.equal(readerOf('A').read({ ...purchase, operationType: 'İ'.repeat(50_000) }).operation, 'purchase')
  t.strictSame(calls().filter(({ receiver }) => String(receiver).length > 100), [])
  t.equal(readerOf('A').read({ ...common, operationType: 'REFUND', transactionFCRN: '1', amount: '1.00' }).operation, 'refund')
})
