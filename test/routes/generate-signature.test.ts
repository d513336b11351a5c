import t from 'tap'
import { fieldsOf, type Reading, type SignatureRequest } from '../../src/scheme/request.js'
import { customSigner } from '../support/custom-signer.js'
import type { InjectOptions } from 'fastify'
import { InvalidRequestError } from '../../src/scheme/errors.js'
import { VariantA } from '../../src/scheme/variant-a.js'
import { testApp } from '../support/app.js'
import { answer } from '../support/http.js'

const url = '/api/generate-signature'
const post = (payload: unknown): InjectOptions => ({ method: 'POST', url, payload: payload as object })

const sids = { A: 'client-generated-session-id', B: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11' }
const requests = {
  A: { amount: '100.00', merchantAccountNumber: '102551', sid: sids.A, clientTimeStamp: 1709912345678 },
  B: { amount: '100.00', merchantAccountNumber: '102551', sid: sids.B, clientTimeStamp: 1709912345678 }
}

// printf '%s' 1709912345678client-generated-session-id100.00 | sha256sum
// printf '%s' 1709912345678ORDER-12345development-only-token102551100.00 | sha256sum
// printf '%s' 17099123456785f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11100.00ORDER-12345 | sha256sum
for (const [VARIANT, request, part1, part2] of [
  ['A', { operationType: 'purchase', ...requests.A }, '8e55f6ac4f689ca8c5c66fbe298c047af2a76712aaea30393648640d9517c9db',
    '21a07e43cbe082f4591299022606d8229ab88769f5987c9287e301fb472bd755'],
  ['b', requests.B, '9c824b5d871e0bfc54aecc2254c682ebbac2ea0fba8cf6397fa16c970189efc9',
    '3a927f56178f37dd54a59d71097fd3e210a9a0acc9c1cb55df9cb8dfcbcc9af8']
] as const) {
  t.test(`variant ${VARIANT}, in any case, signs`, async t => {
    const { app } = testApp(t, { config: { VARIANT } })
    const signed = await answer(app, post({ orderId: 'ORDER-12345', ...request }))
    t.strictSame(signed, [200, { signature: `${part1}///${part2}` }])
  })
}

t.test('a custom signer gets each field that is signed, as the text that is signed, and no other', async t => {
  const readings: Reading[] = []
  const { app } = testApp(t, {
    signer: customSigner('A', reading => {
      readings.push(reading)
      return 'signed'
    })
  })
  const body = {
    operationType: ['Refund'],
    amount: 100.5,
    merchantAccountNumber: 102551,
    accountNumber: { a: [1] },
    orderId: null,
    sid: ' sid ',
    clientTimeStamp: '1709912345678',
    merchantToken: 'its own token',
    transactionFCRN: false,
    transactionId: [],
    idType: 'unused text',
    ORDERID: 'unused key',
    extra: { kept: false }
  }
  const response = await app.inject(post(body))
  t.same(response.json(), { signature: 'signed' })
  t.strictSame(readings, [{
    variant: 'A',
    operation: 'refund',
    fields: { amount: 'amount', referenceNumber: 'transactionFCRN', orderId: 'orderId' },
    amount: '100.5',
    referenceNumber: 'false',
    orderIdOrNull: 'null',
    idType: '',
    clientTimeStamp: '1709912345678',
    hasNumericTimeStamp: false,
    sid: ' sid ',
    accountNumber: '102551',
    accountNumberField: 'merchantAccountNumber'
  }])
  t.strictSame(readings.map(fieldsOf), [{
    operationType: 'refund',
    merchantAccountNumber: '102551',
    amount: '100.5',
    transactionFCRN: 'false',
    sid: ' sid ',
    clientTimeStamp: '1709912345678'
  }])
})

/** Throws the value. */
const fail = (thrown: unknown) => () => { throw thrown }
const asleep = new Error('the HSM is asleep')

for (const [what, signer, expected, logged] of [
  ['fails', customSigner('A', fail(asleep)), [500, 'the HSM is asleep'], /"stack":"Error: the HSM is asleep/],
  ['rejects', customSigner('A', async () => fail(asleep)()), [500, 'the HSM is asleep'], /"stack":"Error: the HSM is asleep/],
  ['fails while it reads', { ...customSigner('A', () => ''), read: fail(new Error('no such shop')) }, [500, 'no such shop']],
  ['refuses like the built-in signers', customSigner('A', fail(new InvalidRequestError('ERR_SID_REQUIRED'))),
    [400, 'sid is required (client-generated session ID)']],
  ...[null, undefined, 'text', 7].map(thrown => [`throws ${thrown}`, customSigner('A', fail(thrown)), [500, 'Signing failed']] as const),
  ...[undefined, Promise.resolve(7)].map(signed => [
    `returns ${signed}`, customSigner('A', () => signed as unknown as string), [500, 'Internal Server Error'],
    /signReading returned no string".*"unexpected fault"/
  ] as const)
] as const) {
  t.test(`a custom signer that ${what}`, async t => {
    const { app, log } = testApp(t, { signer })
    t.strictSame(await answer(app, post(requests.A)), [expected[0], { error: expected[1] }])
    t.match(log(), logged ?? /^/)
  })
}

t.test('the specification\'s rules precede a custom signer, which may be asynchronous', async t => {
  const { app } = testApp(t, { signer: customSigner('B', async () => 'signed elsewhere') })
  for (const [change, ...expected] of [
    [{}, 200, { signature: 'signed elsewhere' }],
    [{ amount: '0' }, 400, { error: 'Invalid amount: amount must be greater than 0' }],
    [{ sid: 'x' }, 500, { error: 'sid must be a valid GUID (UUID v4)' }]
  ] as const) {
    t.strictSame(await answer(app, post({ ...requests.B, ...change })), expected)
  }
})

t.test('a subclass of a variant can override reading and signing', async t => {
  class Counting extends VariantA {
    override read (request: SignatureRequest): Reading { return super.read({ ...request, amount: '7.00' }) }
    override signReading (reading: Reading): string { return `${reading.amount} ${super.signReading(reading)}` }
  }
  const { app } = testApp(t, { signer: new Counting('token') })
  const signature = new VariantA('token').sign({ ...requests.A, amount: '7.00' })
  t.same((await app.inject(post(requests.A))).json(), { signature: `7.00 ${signature}` })
})

t.test('a Proxy around a variant works like the variant', async t => {
  const { app: configured } = testApp(t, { config: { MERCHANT_TOKEN: 'token' } })
  for (const signer of [
    new Proxy(new VariantA('token'), {}), Object.create(new VariantA('token')) as VariantA,
    customSigner('A', reading => new VariantA('token').signReading(reading))
  ]) {
    const { app } = testApp(t, { signer })
    for (const change of [
      {}, { merchantAccountNumber: [] }, { merchantToken: [] }, { merchantToken: 'mine' }, { merchantToken: 7 }, { amount: 100.5 },
      { amount: ['5.00'] }, { amount: 0 }, { sid: 7 }, { orderId: {} }, { clientTimeStamp: '' }, { operationType: ['Refund'] }
    ]) {
      const body = { ...requests.A, ...change }
      const [own, other] = [await configured.inject(post(body)), await app.inject(post(body))]
      t.equal(other.body, own.body, JSON.stringify(change))
      t.equal(other.statusCode, own.statusCode)
    }
  }
})
