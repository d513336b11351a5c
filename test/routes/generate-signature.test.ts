import t from 'tap'
import { fieldsOf } from '../../src/scheme/reading.js'
import type { Reading } from '../../src/scheme/reading.js'
import { customSigner } from '../support/custom-signer.js'
import type { InjectOptions } from 'fastify'
import { InvalidRequestError } from '../../src/scheme/errors.js'
import type { SignatureRequest } from '../../src/scheme/fields.js'
import { VariantA } from '../../src/scheme/variant-a.js'
import { testApp, token } from '../support/app.js'

const url = '/api/generate-signature'
const post = (payload: unknown): InjectOptions => ({ method: 'POST', url, payload: payload as object })

const sids = { A: 'client-generated-session-id', B: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11' }
const requests = {
  A: { amount: '100.00', merchantAccountNumber: '102551', sid: sids.A, clientTimeStamp: 1709912345678 },
  B: { amount: '100.00', merchantAccountNumber: '102551', sid: sids.B, clientTimeStamp: 1709912345678 }
}

const sidInvalid = { A: 'sid must be a non-empty string', B: 'sid must be a valid GUID (UUID v4)' }
const cannotConvert = 'Cannot convert object to primitive value'
const unprintable = { toString: null, valueOf: null }

/** In the order in which specification 4.1 looks at them. A request with several gets the first one's answer. */
const faults = (variant: 'A' | 'B') => [
  { name: 'amount is not convertible', change: { amount: unprintable }, statusCode: 500, error: cannotConvert },
  { name: 'amount is 0', change: { amount: '0.00' }, statusCode: 400, error: 'Invalid amount: amount must be greater than 0' },
  {
    name: 'account number is missing',
    change: { merchantAccountNumber: '' },
    statusCode: 400,
    error: 'merchantAccountNumber or accountNumber is required'
  },
  { name: 'sid is missing', change: { sid: null }, statusCode: 400, error: 'sid is required (client-generated session ID)' },
  { name: 'sid is empty', change: { sid: '' }, statusCode: 400, error: 'sid is required (client-generated session ID)' },
  {
    name: 'clientTimeStamp is missing',
    change: { clientTimeStamp: null },
    statusCode: 400,
    error: 'clientTimeStamp is required (client-generated timestamp)'
  },
  { name: 'orderId is not convertible', change: { orderId: unprintable }, statusCode: 500, error: cannotConvert },
  { name: 'sid is invalid', change: { sid: ' ' }, statusCode: 500, error: sidInvalid[variant] }
]

for (const variant of ['A', 'B'] as const) {
  t.test(`variant ${variant}`, async t => {
    const { app } = testApp(t, { config: { VARIANT: variant } })

    t.test('each fault, and each pair of simultaneous faults', async t => {
      const all = faults(variant)
      for (const [index, first] of all.entries()) {
        for (const second of all.slice(index)) {
          // The later fault's change is applied first: where both change one field, the earlier fault stands.
          const response = await app.inject(post({ ...requests[variant], ...second.change, ...first.change }))
          const name = second === first ? first.name : `${first.name} and ${second.name}`
          t.equal(response.statusCode, first.statusCode, name)
          t.same(response.json(), { error: first.error }, name)
          t.equal(response.headers['content-type'], 'application/json; charset=utf-8', name)
          t.equal(response.headers['access-control-allow-origin'], '*', name)
        }
      }
    })

    t.test('all faults at once get the first one\'s answer', async t => {
      const changes = faults(variant).map(({ change }) => change)
      const response = await app.inject(post(Object.assign({}, ...changes.reverse())))
      t.equal(response.statusCode, 500)
      t.same(response.json(), { error: cannotConvert })
    })

    t.test('an empty object lacks an account number', async t => {
      const response = await app.inject(post({}))
      t.equal(response.statusCode, 400)
      t.same(response.json(), { error: 'merchantAccountNumber or accountNumber is required' })
    })
  })
}

t.test('variant A signs', async t => {
  const { app } = testApp(t)
  const response = await app.inject(post({ operationType: 'purchase', orderId: 'ORDER-12345', ...requests.A }))
  t.equal(response.statusCode, 200)
  // printf '%s' 1709912345678client-generated-session-id100.00 | sha256sum
  // printf '%s' 1709912345678ORDER-12345development-only-token102551100.00 | sha256sum
  t.same(response.json(), {
    signature: '8e55f6ac4f689ca8c5c66fbe298c047af2a76712aaea30393648640d9517c9db///' +
      '21a07e43cbe082f4591299022606d8229ab88769f5987c9287e301fb472bd755'
  })
})

t.test('variant B signs, and VARIANT is read in any case', async t => {
  const { app } = testApp(t, { config: { VARIANT: 'b' } })
  const response = await app.inject(post({ orderId: 'ORDER-12345', ...requests.B }))
  t.equal(response.statusCode, 200)
  // printf '%s' 17099123456785f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11100.00ORDER-12345 | sha256sum
  // printf '%s' 1709912345678development-only-token102551100.00ORDER-12345 | sha256sum
  t.same(response.json(), {
    signature: '9c824b5d871e0bfc54aecc2254c682ebbac2ea0fba8cf6397fa16c970189efc9///' +
      '3a927f56178f37dd54a59d71097fd3e210a9a0acc9c1cb55df9cb8dfcbcc9af8'
  })
})

t.test('a custom signer gets each field that is signed, as the text that is signed, and no other', async t => {
  const requests: unknown[] = []
  const { app } = testApp(t, {
    signer: customSigner('A', reading => {
      requests.push(fieldsOf(reading))
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
    merchantToken: '',
    transactionFCRN: false,
    transactionId: [],
    extra: { kept: false }
  }
  const response = await app.inject(post(body))
  t.same(response.json(), { signature: 'signed' })
  t.strictSame(requests, [{
    operationType: 'refund',
    merchantAccountNumber: '102551',
    amount: '100.5',
    transactionFCRN: 'false',
    sid: ' sid ',
    clientTimeStamp: '1709912345678'
  }])
})

t.test('a custom signer\'s failure is answered with its message', async t => {
  const { app, log } = testApp(t, { signer: customSigner('B', () => { throw new Error('the HSM is asleep') }) })
  const response = await app.inject(post(requests.B))
  t.equal(response.statusCode, 500)
  t.same(response.json(), { error: 'the HSM is asleep' })
  t.match(log(), '"stack":"Error: the HSM is asleep')
})

t.test('a custom signer may be asynchronous', async t => {
  const { app, log } = testApp(t, {
    signer: customSigner('A', async ({ orderIdOrNull }) => {
      if (orderIdOrNull === 'unknown') throw new Error('no key for this account')
      return 'signed elsewhere'
    })
  })
  t.same((await app.inject(post(requests.A))).json(), { signature: 'signed elsewhere' })
  const response = await app.inject(post({ ...requests.A, orderId: 'unknown' }))
  t.equal(response.statusCode, 500)
  t.same(response.json(), { error: 'no key for this account' })
  t.match(log(), '"stack":"Error: no key for this account')
})

t.test('the specification\'s rules come before a custom signer', async t => {
  const { app } = testApp(t, { signer: customSigner('B', () => { throw new Error('asked') }) })
  for (const [change, statusCode, error] of [
    [{ amount: '0' }, 400, 'Invalid amount: amount must be greater than 0'],
    [{ sid: 'x' }, 500, 'sid must be a valid GUID (UUID v4)']
  ] as const) {
    const response = await app.inject(post({ ...requests.B, ...change }))
    t.equal(response.statusCode, statusCode)
    t.same(response.json(), { error })
  }
})

for (const thrown of [null, undefined, 'text', 7]) {
  t.test(`a custom signer that throws ${JSON.stringify(thrown)}`, async t => {
    const { app } = testApp(t, { signer: customSigner('A', () => { throw thrown }) })
    const response = await app.inject(post(requests.A))
    t.equal(response.statusCode, 500)
    t.same(response.json(), { error: 'Signing failed' })
  })
}

t.test('a custom signer may refuse as ours do', async t => {
  const refusal = new InvalidRequestError('ERR_SID_REQUIRED')
  const { app } = testApp(t, { signer: customSigner('A', () => { throw refusal }) })
  const response = await app.inject(post(requests.A))
  t.equal(response.statusCode, 400)
  t.same(response.json(), { error: 'sid is required (client-generated session ID)' })
})

t.test('a subclass of a variant is obeyed, whether it overrides reading or signing', async t => {
  class Counting extends VariantA {
    override read (request: SignatureRequest): Reading { return super.read({ ...request, amount: '7.00' }) }
    override signReading (reading: Reading): string { return `${reading.amount} ${super.signReading(reading)}` }
  }
  const { app } = testApp(t, { signer: new Counting('token') })
  const signature = new VariantA('token').sign({ ...requests.A, amount: '7.00' })
  t.same((await app.inject(post(requests.A))).json(), { signature: `7.00 ${signature}` })
})

t.test('a proxy around a variant answers as the configured one does', async t => {
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

t.test('what a custom signer throws while it reads is answered with its message', async t => {
  const { app } = testApp(t, { signer: { ...customSigner('A', () => ''), read () { throw new Error('no such shop') } } })
  const response = await app.inject(post(requests.A))
  t.equal(response.statusCode, 500)
  t.same(response.json(), { error: 'no such shop' })
})

for (const [what, signed] of [['nothing', undefined], ['a promise of a number', Promise.resolve(7)]] as const) {
  t.test(`a custom signer that returns ${what} is an unexpected fault`, async t => {
    const { app, log } = testApp(t, { signer: customSigner('A', () => signed as unknown as string) })
    const response = await app.inject(post(requests.A))
    t.equal(response.statusCode, 500)
    t.same(response.json(), { error: 'Internal Server Error' })
    t.match(log(), /signReading returned no string.*"unexpected fault"/)
  })
}

t.test('arrays nested too deep to become text are a failure of the derivation', async t => {
  const { app } = testApp(t)
  const nested = '['.repeat(102) + ']'.repeat(102)
  const payload = JSON.stringify(requests.A).replace('"100.00"', nested)
  const response = await app.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/json' } })
  t.equal(response.statusCode, 500)
  t.same(response.json(), { error: 'a value is nested more than 100 levels deep' })
})

t.test('only a JSON object is a request', async t => {
  const { app } = testApp(t)
  for (const payload of ['[]', 'null', '"text"', '7', 'true', '[{}]']) {
    const response = await app.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/json' } })
    t.equal(response.statusCode, 400, payload)
    t.same(response.json(), { error: 'Request body must be a JSON object' }, payload)
  }
})

t.test('the body\'s token is used and never shown', async t => {
  const { app, log } = testApp(t)
  const response = await app.inject(post({ ...requests.A, merchantToken: 'canary-in-body' }))
  // printf '%s' 1709912345678nullcanary-in-body102551100.00 | sha256sum
  t.match(response.json().signature, /\/\/\/a21dd7068782a59e6012860f549c45ad2fe49dc874f2a4ebffc69b332437e77c$/)
  t.notMatch(log() + JSON.stringify(response.headers), /canary-in-body|102551|client-generated/)
  t.notMatch(log(), token)
})
