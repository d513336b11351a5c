import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Static } from '@sinclair/typebox'
import type { InjectOptions } from 'fastify'
import t from 'tap'
import type { SentRequest } from '../../client/fields.js'
import type { PaymentRequest } from '../../src/scheme/request.js'
import type { Environment } from '../../src/settings/environment.js'
import { testApp } from '../support/app.js'
import { root } from '../support/server.js'
import { openapiDocument } from '../../scripts/openapi-document.js'
import { schema } from '../../routes/schemas.js'

interface Examples { [title: string]: { value: Record<string, unknown> } }
interface Media { content: { 'application/json': { examples: Examples } } }
interface Operation { requestBody: Media, responses: Record<string, Media> }

const kept = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'))
const url = '/api/generate-signature'
const json = { 'content-type': 'application/json' }

t.test('openapi.json matches the routes: npm run documents writes it', async t => {
  t.strictSame(kept, JSON.parse(JSON.stringify(await openapiDocument())))
})

type Typed<T> = { [name in keyof T]-?: NonNullable<T[name]> }
type Documented = Typed<Static<typeof schema.body>>
type IsSame<One, Other> = [One] extends [Other] ? [Other] extends [One] ? true : false : false

t.test('the types of library and client have the fields of the document', async t => {
  // The compiler is the test: a name more or less, or another type, does not compile.
  const names: IsSame<keyof PaymentRequest, keyof Documented> = true
  const namesOfClient: IsSame<keyof SentRequest, Exclude<keyof Documented, 'merchantToken'>> = true
  const types: Typed<PaymentRequest> extends Documented ? true : false = true
  const typesOfClient: Typed<SentRequest> extends Omit<Documented, 'merchantToken'> ? true : false = true
  t.ok(names && namesOfClient && types && typesOfClient)
})

t.test('a response has what its schema has, and nothing that a hook adds', async t => {
  const { app } = testApp(t)
  app.addHook('preSerialization', async (_request, _reply, payload) => ({ ...payload as object, canary: 'a secret' }))
  for (const [request, ...names] of [
    [{ method: 'POST', url, payload: { ...purchase, sid: 's' } }, 'signature'], [{ method: 'POST', url, payload: {} }, 'error'],
    [{ url: '/health' }, 'ok', 'service', 'variant'], [{ url: '/ready' }, 'ok']
  ] as Array<[InjectOptions, ...string[]]>) t.strictSame(Object.keys((await app.inject(request)).json()), names)
})

t.test('the published document is served as it is, whatever the configuration', async t => {
  const text = readFileSync(join(root, 'openapi.json'), 'utf8')
  for (const config of [{}, { VARIANT: 'B', STRICT: 'true' } as const]) {
    const { app } = testApp(t, { config })
    const response = await app.inject('/openapi.json')
    t.equal(response.body, text)
    t.match(response.headers['content-type'], /^application\/json/)
    t.equal(response.headers['access-control-allow-origin'], '*')
  }
  const validator = new Validator()
  t.strictSame([await validator.validate(structuredClone(kept)), validator.version], [{ valid: true }, '3.1'])
})

const valid = { merchantAccountNumber: '102551', sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11', clientTimeStamp: 1709912345678 }
const purchase = { ...valid, amount: '1.00' }

t.test('document and service agree on what is right by default', async t => {
  const { app } = testApp(t, {})
  const ajv = new Ajv2020({ strict: false, formats: { int64: true } })
  const isAllowed = ajv.compile(kept.components.schemas.SignatureRequest)
  for (const [body, status] of [
    [purchase, 200],
    [valid, 200],
    [{ ...valid, operationType: 'void' }, 200],
    [{ ...purchase, accountNumber: '1' }, 200],
    [{ ...purchase, amount: '0' }, 400],
    [{ ...purchase, merchantAccountNumber: undefined }, 400],
    [{ ...purchase, sid: undefined }, 400],
    [{ ...purchase, clientTimeStamp: undefined }, 400]
  ] as const) {
    const text = JSON.stringify(body)
    t.equal(isAllowed(JSON.parse(text)), status === 200, `document: ${text}`)
    t.equal((await app.inject({ method: 'POST', url, payload: text, headers: json })).statusCode, status, `service: ${text}`)
  }
})

t.test('openapi.json is valid, and has every operation, with examples for every request and response', async t => {
  const operations = Object.entries(kept.paths as Record<string, Record<string, Operation>>)
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation })))
  t.strictSame(operations.map(({ name }) => name).sort(), ['get /', 'get /health', 'get /ready', `post ${url}`])
  for (const { name, operation: { requestBody, responses } } of operations) {
    if (name.startsWith('post')) t.ok(Object.keys(requestBody.content['application/json'].examples).length > 0, name)
    for (const [status, { content }] of Object.entries(responses)) {
      t.ok(Object.keys(content['application/json'].examples).length > 0, `${name} ${status}`)
    }
  }
})

const signing = kept.paths[url].post as Operation
const requests = signing.requestBody.content['application/json'].examples
const responsesWith = (status: number | string): Examples => signing.responses[status]?.content['application/json'].examples ?? {}

t.test('the service signs the example of each operation, the purchase with the signature of the document', async t => {
  t.strictSame(Object.keys(requests), ['Purchase', 'Refund', 'Void', 'Inquiry', 'Clear cache', 'Variant B'])
  for (const [title, { value }] of Object.entries(requests)) {
    const VARIANT = title === 'Variant B' ? 'B' : 'A'
    for (const STRICT of ['true', 'false'] as const) {
      const { app } = testApp(t, { config: { VARIANT, STRICT } })
      const response = await app.inject({ method: 'POST', url, payload: value })
      t.equal(response.statusCode, 200, `${title}, STRICT=${STRICT}`)
      if (title === 'Purchase') t.strictSame(response.json(), responsesWith(200).Purchase?.value)
    }
  }
})

interface Provocation extends InjectOptions { fields?: object, config?: Partial<Environment>, callers?: object }

const anonymous = { name: 'anonymous' }
const shop = { name: 'shop', apiKeySha256: '0'.repeat(64) }

/** Requests that cause the documented errors. The others need a socket, a clock, another server or a disk. */
const provocations: Record<string, Provocation> = {
  'amount-not-positive; field=amount': { fields: { amount: '0.00' } },
  'account-number-required; field=merchantAccountNumber': { fields: { merchantAccountNumber: undefined } },
  'sid-required; field=sid': { fields: { sid: undefined } },
  'client-timestamp-required; field=clientTimeStamp': { fields: { clientTimeStamp: undefined } },
  'strict; field=amount': { config: { STRICT: 'true' }, fields: { amount: '100' } },
  'body-invalid': { payload: [] },
  'api-key-required': { callers: shop },
  'api-key-unknown': { callers: shop, headers: { authorization: 'Bearer unknown' } },
  'policy; reason=operations': { callers: anonymous, fields: { operationType: 'refund', transactionFCRN: '1' } },
  'body-too-large': { headers: json, payload: ' '.repeat(102_401) },
  'content-type': { headers: { 'content-type': 'text/plain' }, payload: '{}' },
  'sid-invalid; field=sid': { fields: { sid: ' ' } },
  'not-text': { fields: { orderId: { toString: 1 } } },
  'authorization-unavailable': { config: { AUTHORIZE_URL: 'http://127.0.0.1:1/' } }
}
const notHere = ['account-number-unknown', 'audit-unavailable', 'fault', 'headers-too-large', 'http-invalid', 'rate-limit',
  'refused', 'time-out']

t.test('the documented errors are those of the service', async t => {
  const documented = Object.entries(signing.responses).filter(([status]) => status !== '200')
    .flatMap(([status, { content }]) => Object.entries(content['application/json'].examples).map(([code, { value }]) => [code, [Number(status), value]]))
  const untried = new Map(documented as Array<[string, unknown]>)
  for (const [code, { fields, config = {}, callers, ...request }] of Object.entries(provocations)) {
    const policy = { callers: [{ ...callers, operations: ['purchase'], accountNumbers: ['102551'], maximumAmount: '500.00' }] }
    const path = callers === undefined ? '' : join(t.testdir({ 'policy.json': JSON.stringify(policy) }), 'policy.json')
    const { app } = testApp(t, { config: { ...config, POLICY_FILE: path } })
    const payload = { ...requests.Purchase?.value, ...fields }
    const { statusCode, headers, body } = await app.inject({ method: 'POST', url, payload, ...request } as InjectOptions)
    t.equal(headers['error-code'], code)
    const [name = ''] = code.split(';')
    t.strictSame([statusCode, JSON.parse(body)], untried.get(name), code)
    untried.delete(name)
  }
  t.strictSame([...untried.keys()].sort(), notHere)
})
