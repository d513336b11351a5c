import t from 'tap'
import type { Reading, SignatureRequest } from '../../../src/scheme/request.js'
import type { Signer } from '../../../src/scheme/variant.js'
import { VariantA } from '../../../src/scheme/variant-a.js'
import { token } from '../../support/app.js'
import { embedded } from '../../support/embedded.js'
import { body, signature } from '../../support/example.js'
import { answer } from '../../support/http.js'

const url = '/api/generate-signature'
const request = JSON.parse(body)
const send = (payload: unknown) =>
  ({ method: 'POST', url, payload: JSON.stringify(payload), headers: { 'content-type': 'application/json' } }) as const

/** Returns a signer whose `read` changes the reading. */
function changing (change: (reading: Reading) => unknown): Signer {
  class Changing extends VariantA {
    override read (request: SignatureRequest) { return change(super.read(request)) as Reading }
  }
  return new Changing(token)
}

for (const [what, change] of [
  ['a reading', reading => reading],
  ['a copy', reading => ({ ...reading })],
  ['a Proxy', reading => new Proxy(reading, {})]
] as Array<[what: string, change: (reading: Reading) => Reading]>) {
  t.test(`guards judge the token and the types of the body, if read returns ${what}`, async t => {
    const signer = changing(change)
    const sent = { ...request, merchantToken: 'canary-token' }
    const { app: closed } = embedded(t, { signer, acceptBodyToken: false, strict: true })
    t.strictSame(await answer(closed, send(sent)), [400, { error: 'merchantToken is not accepted: leave it out' }])
    t.strictSame(await answer(closed, send({ ...request, orderId: 7 })),
      [400, { error: 'orderId must be a string: 1 to 64 ASCII letters, digits, points, - and _; not null or undefined' }])
    t.strictSame(await answer(closed, send(request)), [200, { signature }])
    const { app: open, log } = embedded(t, { signer, audit: true })
    t.equal((await open.inject(send(sent))).statusCode, 200)
    t.match(log(), '"merchantToken":"of the request"')
    t.notMatch(log(), 'canary-token')
  })
}

for (const [what, change] of [
  ['a promise', async reading => reading],
  ['a promise that rejects', async () => { throw new Error('canary-rejection') }],
  ['undefined', () => undefined],
  ['null', () => null],
  ['a text', () => 'text'],
  ['the request', () => request],
  ['a reading without its fields', ({ fields, ...reading }) => reading],
  ['a reading with a term that is no text', reading => ({ ...reading, amount: 100 })]
] as Array<[what: string, change: (reading: Reading) => unknown]>) {
  t.test(`nothing is signed if read returns ${what}`, async t => {
    const records: unknown[] = []
    const { app, log } = embedded(t, {
      signer: changing(change),
      strict: true,
      acceptBodyToken: false,
      async audit ({ audit }) { records.push(audit) }
    })
    t.strictSame(await answer(app, send({ ...request, merchantToken: 'canary-token' })), [500, { error: 'Internal Server Error' }])
    t.match(log(), /the signer's method read must return a reading, and no promise.*"unexpected fault"/)
    t.match(records, [{ outcome: 'failed', reason: 'Internal Server Error', operation: 'unknown' }])
    t.equal(records.length, 1)
    t.notMatch(log(), 'canary')
  })
}

const ajv = { customOptions: { removeAdditional: 'all', coerceTypes: 'array', useDefaults: true } as const }

for (const [what, schema] of [
  ['no schema', {}],
  ['another body', { body: { type: 'object', required: ['mine'], properties: { orderId: { type: 'string', default: 'X' } } } }],
  ['no body', { body: undefined }],
  ['a body for a content type', { body: { content: { 'application/json': { schema: { type: 'array' } } } } }]
] as const) {
  t.test(`validators of the host change and refuse no request, and let none pass: ${what}`, async t => {
    const { app } = embedded(t, { schema }, undefined, { ajv })
    const { orderId, ...sent } = { ...request, amount: 100.5, unknown: [1] }
    t.strictSame(await answer(app, send(sent)), [200, { signature: new VariantA(token).sign(sent) }])
    for (const payload of [[], [request], null, 'text', 7, true]) {
      t.strictSame(await answer(app, send(payload)), [400, { error: 'Request body must be a JSON object' }], JSON.stringify(payload))
    }
    t.equal((await app.inject({ method: 'POST', url })).statusCode, 400, 'no body')
  })
}
