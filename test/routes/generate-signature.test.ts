import t from 'tap'
import type { AuditEntry } from '../../src/guards/audit.js'
import { InvalidRequestError } from '../../src/scheme/errors.js'
import { fieldsOf, type Reading, type SignatureRequest } from '../../src/scheme/request.js'
import type { Signer } from '../../src/scheme/signer.js'
import { VariantA } from '../../src/scheme/variant-a.js'
import { readerOf, type Variant } from '../../src/scheme/variants.js'
import { testApp, token } from '../support/app.js'
import { body, signature } from '../support/example.js'
import { answer } from '../support/http.js'

const url = '/api/generate-signature'
const post = (payload: unknown) =>
  ({ method: 'POST', url, payload: JSON.stringify(payload), headers: { 'content-type': 'application/json' } }) as const

const common = { amount: '100.00', merchantAccountNumber: '102551', clientTimeStamp: 1709912345678 }
const requests = {
  A: { ...common, sid: 'client-generated-session-id' },
  B: { ...common, sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11' }
}

/** A signer that implements both methods and extends no variant. */
const customSigner = (variant: Variant, signReading: Signer['signReading']): Signer =>
  ({ variant, read: request => readerOf(variant).read(request), signReading })

t.test('a custom signer gets each field that is signed, as the text that is signed, and no other', async t => {
  const readings: Reading[] = []
  const { app } = testApp(t, {
    signer: customSigner('A', reading => {
      readings.push(reading)
      return 'signed'
    })
  })
  const sent = {
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
  t.strictSame(await answer(app, post(sent)), [200, { signature: 'signed' }])
  t.strictSame(readings.map(reading => JSON.parse(JSON.stringify(reading))), [{
    variant: 'A',
    operation: 'refund',
    sources: { amount: 'amount', referenceNumber: 'transactionFCRN', orderId: 'orderId' },
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
  ['fails', customSigner('A', fail(asleep)), [500, 'the HSM is asleep'], /"stack":"Error: the HSM is asleep.*"msg":"signing failed"/],
  ['rejects', customSigner('A', async () => fail(asleep)()), [500, 'the HSM is asleep'], /"stack":"Error: the HSM is asleep.*"msg":"signing failed"/],
  ['fails while it reads', { ...customSigner('A', () => ''), read: fail(new Error('no such shop')) }, [500, 'no such shop']],
  ['refuses like the built-in signers', customSigner('A', fail(new InvalidRequestError('ERR_SID_REQUIRED'))),
    [400, 'sid is required (client-generated session ID)']],
  ...[null, 'text'].map(thrown => [`throws ${thrown}`, customSigner('A', fail(thrown)), [500, 'Signing failed']] as const),
  ...[undefined, '', Promise.resolve(7)].map(signed => [
    `returns ${signed}`, customSigner('A', () => signed as unknown as string), [500, 'Signing failed'],
    /signReading returned no text.*"signing failed"/
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

const request = JSON.parse(body)

/** Returns a signer whose `read` changes the reading. */
function changing (change: (reading: Reading) => unknown): Signer {
  class Changing extends VariantA {
    override read (request: SignatureRequest) { return change(super.read(request)) as Reading }
  }
  return new Changing(token)
}

t.test('guards judge the token and the types of the body, whatever copy of the reading a signer returns', async t => {
  const copies: ReadonlyArray<(reading: Reading) => Reading> = [
    reading => reading, reading => ({ ...reading }), reading => new Proxy(reading, {})
  ]
  for (const change of copies) {
    const signer = changing(change)
    const withToken = { ...request, merchantToken: 'canary-token' }
    const { app: closed } = testApp(t, { signer, config: { STRICT: 'true' } })
    t.strictSame(await answer(closed, post(withToken)), [400, { error: 'merchantToken must be left out: only the configured token signs' }])
    t.strictSame(await answer(closed, post({ ...request, orderId: 7 })),
      [400, { error: 'orderId must be a string: 1 to 64 ASCII letters, digits, points, - and _; not null or undefined' }])
    t.strictSame(await answer(closed, post(request)), [200, { signature }])
    const { app: open, log } = testApp(t, { signer, config: { AUDIT: 'true' } })
    t.strictSame(await answer(open, post(withToken)), [200, { signature: new VariantA(token).sign(withToken) }])
    t.match(log(), '"merchantToken":"of the request"')
    t.notMatch(log(), 'canary-token')
  }
})

t.test('an asynchronous read is awaited; nothing is signed if it rejects, or returns no reading', async t => {
  const { app } = testApp(t, { signer: changing(async reading => reading), config: { STRICT: 'true' } })
  t.strictSame(await answer(app, post(request)), [200, { signature }])
  for (const change of [async () => { throw new Error('no such shop') }, () => null, () => 'text', () => request]) {
    const outcomes: string[] = []
    const audit = ({ audit }: AuditEntry) => { outcomes.push(audit.outcome) }
    const { app } = testApp(t, { signer: changing(change), config: { STRICT: 'true' }, audit })
    const [status, content] = await answer(app, post(request))
    t.notMatch(JSON.stringify(content), 'signature')
    t.ok(status === 500 || status === 400, `${status}`)
    t.notOk(outcomes.includes('signed'))
  }
})
