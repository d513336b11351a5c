import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import type { InjectOptions } from 'fastify'
import t from 'tap'
import type { Test } from 'tap'
import type { Environment } from '../../src/service/configuration.js'
import { testApp } from '../support/app.js'
import { root } from '../support/server.js'

interface Examples { [title: string]: { value: Record<string, unknown> } }
interface Media { content: { 'application/json': { examples: Examples } } }
interface Operation { requestBody: Media, responses: Record<string, Media> }

const kept = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'))
const url = '/api/generate-signature'
const json = { 'content-type': 'application/json' }

t.test('openapi.json is what the service says: npm run openapi writes it', async t => {
  const { app } = testApp(t)
  const answer = await app.inject('/documentation/json')
  t.match(answer.headers['content-type'], /^application\/json/)
  t.same(answer.json(), kept)
})

t.test('it is valid OpenAPI 3.1', async t => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone(kept))
  t.ok(valid, JSON.stringify(errors))
  t.equal(validator.version, '3.1')
})

t.test('it has every operation, with examples for every request and answer', async t => {
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
const answersWith = (status: number | string): Examples => signing.responses[status]?.content['application/json'].examples ?? {}

t.test('the examples are signed as it says', async t => {
  for (const [title, { value }] of Object.entries(requests)) {
    const { app } = testApp(t, { config: { VARIANT: title === 'Variant B' ? 'B' : 'A' } })
    const answer = await app.inject({ method: 'POST', url, payload: value })
    t.same(answer.json(), answersWith(200)[title]?.value, title)
  }
})

interface Provocation {
  config?: Partial<Environment>
  prepare?: (t: Test, config: Partial<Environment>) => void
  request?: InjectOptions
}

const request = requests.Purchase?.value
const without = (field: string): InjectOptions => ({ payload: { ...request, [field]: undefined } })
const policy = JSON.stringify({
  callers: [{ name: 'anonymous', anonymous: true, operations: ['purchase'], accountNumbers: ['102551'], maximumAmount: '500.00' }]
})
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

/** What brings about each example of an error. The others need a socket, a clock or another server. */
const provocations: Record<string, Record<string, Provocation>> = {
  400: {
    Amount: { request: { payload: { ...request, amount: '0.00' } } },
    'Account number': { request: without('merchantAccountNumber') },
    'Session id': { request: without('sid') },
    'Time stamp': { request: without('clientTimeStamp') },
    'Not strict (STRICT)': { config: { STRICT: true }, request: { payload: { ...request, amount: '100' } } },
    'Token (ACCEPT_BODY_TOKEN)': { config: { ACCEPT_BODY_TOKEN: false }, request: { payload: { ...request, merchantToken: 'x' } } },
    'Not JSON': { request: { headers: json, payload: '{' } },
    'Empty body': { request: { headers: json, payload: '' } },
    'Not an object': { request: { payload: [] } },
    'Not UTF-8': { request: { headers: json, payload: Buffer.from([0x22, 0xff, 0x22]) } }
  },
  401: { 'No key': asStranger(), 'Unknown key': asStranger({ authorization: 'Bearer unknown' }) },
  403: {
    Operation: forbids({ operationType: 'refund', transactionFCRN: '1' }),
    Account: forbids({ merchantAccountNumber: '102552' }),
    Amount: forbids({ amount: '500.01' })
  },
  413: { 'Too large': { config: { BODY_LIMIT: 10 } } },
  415: {
    'Content-Type': { request: { headers: { 'content-type': 'text/plain' }, payload: '{}' } },
    'Content-Encoding': { request: { headers: { 'content-encoding': 'gzip' } } }
  },
  417: { Expect: { request: { headers: { expect: 'something' } } } },
  500: {
    'Session id, variant A': { request: { payload: { ...request, sid: ' ' } } },
    'Session id, variant B': { config: { VARIANT: 'B' }, request: { payload: { ...request, sid: 'x' } } },
    'Not text': { request: { payload: { ...request, orderId: { toString: 1 } } } }
  },
  503: { 'Own backend': { config: { AUTHORIZE_URL: 'http://127.0.0.1:1/' } } }
}

const notHere = [
  '400 No Host', '400 Not HTTP', '408 Time-out', '429 Too many', '431 Too large', '4XX Own backend', '500 Fault',
  '503 Overloaded', '503 Rate limit'
]

t.test('the errors are those that the service answers', async t => {
  const untried = new Set<string>()
  for (const status of Object.keys(signing.responses).filter(status => status !== '200')) {
    for (const [title, { value }] of Object.entries(answersWith(status))) {
      const provocation = provocations[status]?.[title]
      if (provocation === undefined) {
        untried.add(`${status} ${title}`)
        continue
      }
      await t.test(`${status} ${title}`, async t => {
        const config = { ...provocation.config }
        provocation.prepare?.(t, config)
        const { app } = testApp(t, { config })
        const answer = await app.inject({ method: 'POST', url, payload: request, ...provocation.request } as InjectOptions)
        t.equal(String(answer.statusCode), status)
        t.same(answer.json(), value)
      })
    }
  }
  t.strictSame([...untried].sort(), notHere)
})

t.test('the page, and what it is made of', async t => {
  const { app } = testApp(t)
  const page = await app.inject('/documentation')
  t.match(page.headers, {
    'content-type': /^text\/html/,
    'content-security-policy': /^default-src 'none'; script-src 'self'; .*frame-ancestors 'none';$/
  })
  const files = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => String(path))
  t.ok(files.length >= 5)
  for (const path of files) t.equal((await app.inject(path)).statusCode, 200, path)
})

t.test('it changes nothing else', async t => {
  const { app, log } = testApp(t)
  for (const [method, url, statusCode, error] of [
    ['GET', '/documentation/static/nothing.js?canary', 404, 'Not Found: GET /documentation/static/nothing.js'],
    ['GET', '/documentation/nothing', 404, 'Not Found: GET /documentation/nothing'],
    ['GET', '/nothing', 404, 'Not Found: GET /nothing'],
    ['POST', '/documentation/json', 405, 'Method Not Allowed: POST /documentation/json'],
    ['GET', '/api/generate-signature', 405, 'Method Not Allowed: GET /api/generate-signature']
  ] as const) {
    const answer = await app.inject({ method, url })
    t.equal(answer.statusCode, statusCode)
    t.same(answer.json(), { error })
  }
  t.notMatch(log(), 'canary')
  const { headers } = await app.inject('/health')
  t.equal(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'")
})

for (const [DOCS, NODE_ENV, statusCode] of [
  ['', '', 200], ['', 'development', 200], ['', 'production', 404],
  ['true', 'production', 200], ['false', '', 404], ['false', 'production', 404]
] as const) {
  t.test(`DOCS=${DOCS} NODE_ENV=${NODE_ENV}`, async t => {
    const { app } = testApp(t, { config: { DOCS, NODE_ENV, MERCHANT_TOKEN: 'a token of production' } })
    const answer = await app.inject('/documentation/json')
    t.equal(answer.statusCode, statusCode)
    if (statusCode === 404) {
      t.same(answer.json(), { error: 'Not Found: GET /documentation/json' })
      t.notOk(app.hasDecorator('swagger'), 'nothing was loaded')
    }
  })
}

t.test('routes of your own are in it too', async t => {
  const { app } = testApp(t)
  app.register(async app => { app.get('/more', async () => 'more') })
  t.match((await app.inject('/documentation/json')).json(), { paths: { '/more': { get: {} } } })
})
