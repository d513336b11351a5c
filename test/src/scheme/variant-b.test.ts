import t from 'tap'
import { VariantB } from '../../../src/scheme/signer.js'

// What is accepted stands in vectors/variant-b.json; here is what is not.

const signer = new VariantB('secret')
const request = {
  accountNumber: '102551', sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11', clientTimeStamp: 1709912345678
}

for (const [why, sid] of [
  ['is no UUID', 'client-generated-session-id'],
  ['is of version 1', '5f0c5f4e-9c0b-1a43-8d6e-0d9f3d0a7b11'],
  ['is of version 7', '5f0c5f4e-9c0b-7a43-8d6e-0d9f3d0a7b11'],
  ['has the variant 7', '5f0c5f4e-9c0b-4a43-7d6e-0d9f3d0a7b11'],
  ['has the variant c', '5f0c5f4e-9c0b-4a43-cd6e-0d9f3d0a7b11'],
  ['has a digit too few', '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b1'],
  ['has a digit too many', '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b111'],
  ['has a letter that is no digit', '5g0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11'],
  ['has no dashes', '5f0c5f4e9c0b4a438d6e0d9f3d0a7b11'],
  ['has braces', '{5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11}'],
  ['has a space before it', ' 5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11'],
  ['has a line break after it', '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11\n'],
  ['is in an array', ['5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11']],
  ['is a number', 7]
] as const) {
  t.test(`a sid that ${why} is refused`, async t => {
    t.throws(() => signer.sign({ ...request, sid }), {
      name: 'SigningError', code: 'ERR_SID_INVALID', message: 'sid must be a valid GUID (UUID v4)'
    })
  })
}

const unprintable = { toString: 1, valueOf: 1 }

for (const field of ['amount', 'orderId', 'clientTimeStamp', 'accountNumber', 'merchantToken']) {
  t.test(`${field} that cannot become text fails`, async t => {
    t.throws(() => signer.sign({ ...request, [field]: unprintable }), {
      name: 'SigningError', code: 'ERR_NOT_TEXT', message: 'Cannot convert object to primitive value'
    })
  })
}

for (const field of ['operationType', 'transactionFCRN', 'transactionId', 'idType']) {
  t.test(`${field} is not read`, async t => {
    t.equal(signer.sign({ ...request, [field]: unprintable }), signer.sign(request))
  })
}

for (const token of ['', undefined, null, 7]) {
  t.test(`the token ${JSON.stringify(token)} is a misuse`, async t => {
    t.throws(() => new VariantB(token as never), { name: 'UsageError', code: 'ERR_MERCHANT_TOKEN' })
  })
}

for (const misuse of [undefined, null, 'text', []]) {
  t.test(`the request ${JSON.stringify(misuse)} is a misuse`, async t => {
    t.throws(() => signer.sign(misuse as never), { name: 'UsageError', code: 'ERR_REQUEST' })
  })
}

t.test('what the specification refuses is not signed', async t => {
  t.throws(() => signer.sign({ ...request, amount: '0.00' }), { code: 'ERR_AMOUNT_NOT_POSITIVE' })
  t.throws(() => signer.sign({ sid: request.sid, clientTimeStamp: 1 }), { code: 'ERR_ACCOUNT_NUMBER_REQUIRED' })
})
