import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Static } from '@sinclair/typebox'
import type { InjectOptions } from 'fastify'
import t, { type Test } from 'tap'
import type { SentRequest } from '../../client/fields.js'
import { schema } from '../../routes/generate-signature.schema.js'
import type { PaymentRequest } from '../../src/scheme/request.js'
import type { Environment } from '../../src/settings/settings.js'
import { testApp } from '../support/app.js'
import { root } from '../support/server.js'
import { openapiDocument } from '../../scripts/openapi-document.js'

interface Examples { [title: string]: { value: Record<string, unknown> } }
interface Media { content: { 'application/json': { examples: Examples } } }
interface Operation { requestBody: Media, responses: Record<string, Media> }

const kept = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'))
const url = '/api/generate-signature'
const json = { 'content-type': 'application/json' }

t.test('openapi.json matches the routes: npm run openapi writes it', async t => {
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

const policy = JSON.stringify({
  callers: [{ name: 'anonymous', anonymous: true, operations: ['purchase'], accountNumbers: ['102551'], maximumAmount: '500.00' }]
})

t.test('the published document is served as it is, whatever the configuration', async t => {
  const text = readFileSync(join(root, 'openapi.json'), 'utf8')
  for (const config of [{}, { VARIANT: 'B', STRICT: true, ACCEPT_BODY_TOKEN: false }]) {
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

t.test('the service signs the examples as documented', async t => {
  for (const [title, { value }] of Object.entries(requests)) {
    const { app } = testApp(t, { config: { VARIANT: title === 'Variant B' ? 'B' : 'A' } })
    const response = await app.inject({ method: 'POST', url, payload: value })
    t.same(response.json(), responsesWith(200)[title]?.value, title)
  }
})

interface Provocation {
  config?: Partial<Environment>
  prepare?: (t: Test, config: Partial<Environment>) => void
  request?: InjectOptions
}

const request = requests.Purchase?.value
const without = (field: string): InjectOptions => ({ payload: { ...request, [field]: undefined } })
const forbids = (fields: object): Provocation => ({
  prepare: (t, config) => { config.POLICY_FILE = join(t.testdir({ 'policy.json': policy }), 'policy.json') },
  request: { payload: { ...request, ...fields } }
})
const strangers = JSON.stringify({
  callers: [{ name: 'shop', apiKeySha256: '0'.repeat(64), operations: ['purchase'], accountNumbers: ['102551'] }]
})
const asStranger = (headers = {}): Provocation => ({
  prepare: (t, config) => { config.POLICY_FILE = join(t.testdir({ 'policy.json': strangers }), 'policy.json') },
  request: { headers }
})

/** Requests that cause the examples of errors. Other errors need a socket, a clock or another server. */
const provocations: Record<string, Record<string, Provocation>> = {
  400: {
    'amount-not-positive': { request: { payload: { ...request, amount: '0.00' } } },
    'account-number-required': { request: without('merchantAccountNumber') },
    'sid-required': { request: without('sid') },
    'client-timestamp-required': { request: without('clientTimeStamp') },
    strict: { config: { STRICT: true }, request: { payload: { ...request, amount: '100' } } },
    'body-token': { config: { ACCEPT_BODY_TOKEN: false }, request: { payload: { ...request, merchantToken: 'x' } } },
    'body-invalid': { request: { headers: json, payload: '{' } },
    'body-invalid-2': { request: { headers: json, payload: '' } },
    'body-invalid-3': { request: { payload: [] } },
    'body-invalid-4': { request: { headers: json, payload: Buffer.from([0x22, 0xff, 0x22]) } },
    'body-invalid-5': { request: { headers: json, payload: '{"__proto__":1}' } },
    'body-invalid-6': { request: { payload: Array(1001).fill(0) } },
    'http-invalid': { request: { url: '/%c0' } }
  },
  401: { 'api-key-required': asStranger(), 'api-key-unknown': asStranger({ authorization: 'Bearer unknown' }) },
  403: {
    policy: forbids({ operationType: 'refund', transactionFCRN: '1' })
  },
  413: { 'body-too-large': { request: { headers: json, payload: ' '.repeat(102_401) } } },
  415: {
    'content-type': { request: { headers: { 'content-type': 'text/plain' }, payload: '{}' } },
    'content-type-2': { request: { headers: { 'content-type': 'application/json; charset=utf-16' }, payload: '{}' } },
    'content-type-3': { request: { headers: { 'content-encoding': 'gzip' } } }
  },
  417: { expect: { request: { headers: { expect: 'something' } } } },
  500: {
    'sid-invalid': { request: { payload: { ...request, sid: ' ' } } },
    'sid-invalid-2': { config: { VARIANT: 'B' }, request: { payload: { ...request, sid: 'x' } } },
    'not-text': { request: { payload: { ...request, orderId: { toString: 1 } } } }
  },
  503: {
    'authorization-unavailable': { config: { AUTHORIZE_URL: 'http://127.0.0.1:1/' } },
    'audit-unavailable': { config: { AUDIT: 'required', AUDIT_FILE: '/dev/full' } }
  }
}

const notHere = [
  '400 body-invalid-7', '400 body-invalid-8', '400 body-invalid-9', '400 http-invalid-2', '400 http-invalid-3',
  '400 http-invalid-4', '403 account-number-unknown', '408 time-out', '413 body-too-large-2', '429 key-failures', '429 rate-limit',
  '431 headers-too-large', '4XX refused', '500 body-read', '500 fault', '500 signing-failed', '503 overloaded', '503 overloaded-2',
  '503 rate-limit-unavailable', '503 unavailable'
]

/** Fields in the header `Error-Code`. */
const named: Record<string, string> = {
  'amount-not-positive': 'amount',
  'account-number-required': 'merchantAccountNumber',
  'sid-required': 'sid',
  'client-timestamp-required': 'clientTimeStamp',
  'sid-invalid': 'sid',
  'body-token': 'merchantToken',
  strict: 'amount'
}

t.test('the documented errors are those of the service', async t => {
  const untried = new Set<string>()
  for (const status of Object.keys(signing.responses).filter(status => status !== '200')) {
    for (const [title, { value }] of Object.entries(responsesWith(status))) {
      const provocation = provocations[status]?.[title]
      if (provocation === undefined) {
        untried.add(`${status} ${title}`)
        continue
      }
      await t.test(`${status} ${title}`, async t => {
        const config = { ...provocation.config }
        provocation.prepare?.(t, config)
        const { app } = testApp(t, { config })
        const response = await app.inject({ method: 'POST', url, payload: request, ...provocation.request } as InjectOptions)
        t.equal(String(response.statusCode), status)
        t.same(response.json(), value)
        const code = title.replace(/-\d$/, '')
        const reason = { policy: 'operations', 'body-invalid-5': 'prototype-key' }[title]
        const parameter = reason !== undefined ? `; reason=${reason}` : named[code] === undefined ? '' : `; field=${named[code]}`
        t.equal(response.headers['error-code'], code + parameter)
      })
    }
  }
  t.strictSame([...untried].sort(), notHere)
})
