import t from 'tap'
import { fieldsOf, toText, type SignatureRequest } from '../../../src/scheme/request.js'
import { readerOf, signerOf } from '../../../src/scheme/variants.js'
import { whole } from '../../support/whole.js'

const uuid = '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11'
const common = { merchantAccountNumber: '102551', sid: uuid, clientTimeStamp: 1709912345678 }
const purchase = { ...common, operationType: 'purchase', amount: '100.00', orderId: 'ORDER-12345' }

for (const [value, text] of [
  ['100.00', '100.00'], [100.00, '100'], [1e21, '1e+21'], [-0, '0'], [true, 'true'], [null, 'null'],
  [undefined, 'undefined'], [['a', ['b', null]], 'a,b,'], [{}, '[object Object]']
] as const) {
  t.test(`${JSON.stringify(value)} is the text "${text}"`, async t => t.equal(toText(value), text))
}

t.test('a failed conversion reports the reason', async t => {
  t.throws(() => toText({ toString: 1 }), {
    name: 'SigningError', code: 'ERR_NOT_TEXT', message: whole('Cannot convert object to primitive value'), cause: TypeError
  })
})

/** Returns nested arrays. */
function nested (levels: number): unknown {
  return levels === 0 ? 'x' : [nested(levels - 1)]
}

t.test('arrays may be nested 100 levels deep', async t => {
  t.equal(toText(nested(100)), 'x')
  t.throws(() => toText(nested(101)), { code: 'ERR_NOT_TEXT', message: whole('a value is nested more than 100 levels deep') })
  t.throws(() => toText(['a', nested(5000)]), { code: 'ERR_NOT_TEXT' })
  t.throws(() => toText([Symbol('a')]), { code: 'ERR_NOT_TEXT' })
})

t.test('a reading contains the signed fields', async t => {
  t.strictSame(readerOf('A').read(purchase), {
    variant: 'A',
    operation: 'purchase',
    fields: { amount: 'amount', orderId: 'orderId' },
    amount: '100.00',
    referenceNumber: '',
    orderIdOrNull: 'ORDER-12345',
    idType: '',
    clientTimeStamp: '1709912345678',
    sid: uuid,
    accountNumber: '102551',
    accountNumberField: 'merchantAccountNumber',
    hasNumericTimeStamp: true
  })
  t.strictSame(readerOf('B').read({ ...purchase, merchantAccountNumber: null, accountNumber: '7' }), {
    variant: 'B',
    operation: undefined,
    fields: { amount: 'amount', referenceNumber: 'orderId' },
    amount: '100.00',
    referenceNumber: 'ORDER-12345',
    orderIdOrNull: '',
    idType: '',
    clientTimeStamp: '1709912345678',
    sid: uuid,
    accountNumber: '7',
    accountNumberField: 'accountNumber',
    hasNumericTimeStamp: true
  })
})

t.test('the reading and the copies for guards are frozen', async t => {
  const reading = readerOf('A').read(purchase)
  for (const change of [
    () => { (reading as { amount: string }).amount = '1.00' },
    () => { (reading.fields as { amount: string }).amount = 'orderId' },
    () => { (fieldsOf(reading) as { amount: string }).amount = '1.00' }
  ]) t.throws(change, TypeError)
})

t.test('a reading contains nothing that is not signed, such as the token, and is signed with the token', async t => {
  const reading = readerOf('A').read({
    ...purchase, merchantToken: 'canary-token', transactionFCRN: 'canary', transactionId: 'canary', idType: 'canary', AMOUNT: 'canary'
  } as SignatureRequest)
  t.notMatch(JSON.stringify([reading, Reflect.ownKeys(reading), fieldsOf(reading)]), /canary/i)
  const signedWith = (token: string) => signerOf('A', token).sign(purchase)
  t.equal(signerOf('A', 'token').signReading(reading), signedWith('canary-token'))
  t.equal(signerOf('A', 'token').sign({ ...purchase, merchantToken: '' }), signedWith('token'))
  // printf '%s' 1709912345678ORDER-12345102551100.00 | sha256sum
  t.equal(signerOf('A', 'token').sign({ ...purchase, merchantToken: [] }).slice(67), '362f676e6a45d193325c5d83b5bd00de537101b36c07a0a3669a39ef13367bfb', 'an empty array is truthy')
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
