import { once } from 'node:events'
import { Transform } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { fastifySwagger } from '@fastify/swagger'
import { Validator } from '@seriousme/openapi-schema-validator'
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import t, { type Test } from 'tap'
import { customSigner } from '../support/custom-signer.js'
import { embedded } from '../support/embedded.js'
import paymentSignature, {
  OptionsError, PolicyError, TokenError, UsageError, type Decision, type PaymentSignatureOptions
} from '../../src/fastify.js'
import { startOfRoute } from '../support/documented.js'
import { body, request, signature } from '../support/example.js'
import { answer, portOf } from '../support/http.js'
import { Log } from '../support/log.js'
import { whole } from '../support/whole.js'

const token = 'development-only-token'
const payload = JSON.parse(body)
const url = '/api/generate-signature'

// The example's part 2 with the token "another-token":
// printf '%s' '1709912345678ORDER-12345another-token102551100.00' | sha256sum
const othersPart2 = '0476b429a47095b37be7cadeaad85c26968f1112df843717c97b2f598336e74c'

const send = (url: string, request: unknown = payload, headers: Record<string, string> = {}) => ({
  method: 'POST',
  url,
  payload: typeof request === 'string' ? request : JSON.stringify(request),
  headers: { 'content-type': 'application/json', ...headers }
}) as const

const decorators = ['config', 'fromEnvFile', 'identity', 'metrics', 'signingOf', 'drain', 'unreadiness']

/** A host app with its own hooks and decorators, whose names the service uses too. */
function host (t: Test) {
  const log = new Log()
  const app: FastifyInstance = Fastify({ logger: { stream: log } })
  t.teardown(() => app.close())

  for (const name of decorators) app.decorate(name, `the host's ${name}`)
  for (const name of ['refusal', 'caller', 'attempt']) app.decorateRequest(name, { getter: () => `the host's ${name}` })
  for (const name of ['http', 'env']) app.register(fp(async () => {}, { name }))

  app.setErrorHandler((error: Error, _request, reply) => { reply.code(418).send({ host: error.message }) })
  app.setNotFoundHandler((_request, reply) => { reply.code(404).send({ host: 'nothing here' }) })
  app.setReplySerializer(payload => JSON.stringify({ enveloped: payload }))
  app.setSerializerCompiler(() => { throw new Error('the host knows other schemas') })
  app.setValidatorCompiler(() => { throw new Error('the host knows other schemas') })
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    done(null, { parsedByHost: text })
  })
  app.addContentTypeParser('application/xml', { parseAs: 'string' }, (_request, text, done) => done(null, text))
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-host', 'yes')
    if (request.headers.authorization === 'wrong') throw Object.assign(new Error('who are you?'), { statusCode: 401 })
  })
  app.post('/echo', request => request.body)
  app.post('/broken', () => { throw new Error('a fault of the host') })
  return { app, log: () => log.text }
}

t.test('errors and bodies are the service\'s under the prefix, and the host\'s elsewhere', async t => {
  const { app, log } = host(t)
  app.register(paymentSignature, { prefix: '/payments', variant: 'A', merchantToken: token })
  const url = '/payments/api/generate-signature'

  for (const [request, statusCode, error] of [
    [send(url, { ...payload, amount: '0' }), 400, 'Invalid amount: amount must be greater than 0'],
    [send(url, { ...payload, sid: ' ' }), 500, 'sid must be a non-empty string'],
    [send(url, []), 400, 'Request body must be a JSON object'],
    [send(url, '{'), 400, /JSON/], // the message of Fastify, whose versions differ
    [send(url, '<a/>', { 'content-type': 'application/xml' }), 415, 'Unsupported Media Type: send the body as application/json'],
    [send(url, { ...payload, orderId: 'x'.repeat(102_400) }), 413, 'Request body is too large'],
    [send(url, payload, { authorization: 'wrong' }), 401, 'who are you?']
  ] as const) {
    const response = await app.inject(request)
    t.equal(response.statusCode, statusCode, String(error))
    t.match(response.json(), { error: whole(error) })
    t.equal(response.headers['x-host'], 'yes', 'hooks of the host run')
  }
  t.notMatch(log(), /development-only-token|request refused/)

  for (const [request, statusCode, answer] of [
    [send('/broken'), 418, { enveloped: { host: 'a fault of the host' } }],
    [send('/echo', '{"a":1}'), 200, { enveloped: { parsedByHost: '{"a":1}' } }],
    [send('/echo', '<a/>', { 'content-type': 'application/xml' }), 200, undefined],
    [send('/echo', '{}', { authorization: 'wrong' }), 418, { enveloped: { host: 'who are you?' } }],
    [send('/api/generate-signature'), 404, undefined],
    [{ method: 'GET', url } as const, 404, undefined]
  ] as const) {
    const response = await app.inject(request)
    t.equal(response.statusCode, statusCode, request.url)
    if (answer !== undefined) t.same(response.json(), answer)
  }
  for (const name of decorators) t.equal(Reflect.get(app, name), `the host's ${name}`)
  t.equal(app.hasContentTypeParser('text/plain'), true)
})

t.test('several plugins in one app, each with its token, variant and path, and a token in the body', async t => {
  const { app } = host(t)
  app.register(paymentSignature, { prefix: '/one', variant: 'A', merchantToken: token })
  app.register(paymentSignature, { prefix: '/two', variant: 'A', merchantToken: async () => 'another-token', path: '/sign' })
  app.register(paymentSignature, { prefix: '/three', variant: 'B', merchantToken: () => token })
  const others = { signature: `${signature.slice(0, 64)}///${othersPart2}` }
  for (const [url, request, ...expected] of [
    ['/one/api/generate-signature', payload, 200, { signature }],
    ['/one/api/generate-signature', { ...payload, merchantToken: 'another-token' }, 200, others],
    ['/two/sign', payload, 200, others],
    ['/three/api/generate-signature', payload, 500, { error: 'sid must be a valid GUID (UUID v4)' }]
  ] as const) t.strictSame(await answer(app, send(url, request)), expected)
})

t.test('a token function gets the account number, and may refuse it', async t => {
  const { app, log } = host(t)
  app.register(paymentSignature, {
    variant: 'A',
    merchantToken: async accountNumber => accountNumber === '102551'
      ? token
      : { statusCode: 403, error: 'not served here', code: 'UNKNOWN_ACCOUNT' },
    audit: true
  })
  const url = '/api/generate-signature'
  t.same((await app.inject(send(url, { ...payload, merchantAccountNumber: null, accountNumber: '102551' }))).json(), { signature })
  const refused = await app.inject(send(url, { ...payload, merchantAccountNumber: '102552' }))
  t.strictSame([refused.statusCode, refused.json()], [403, { error: 'not served here' }])
  t.equal(refused.headers['error-code'], 'refused; reason=UNKNOWN_ACCOUNT')
  t.match(log(), '"outcome":"forbidden","reason":"not served here"')
})

t.test('the OpenAPI document of the host', async t => {
  for (const [options, version] of [
    [{}, { swagger: '2.0' }],
    [{ openapi: {} }, { openapi: '3.0.3' }],
    [{ openapi: { openapi: '3.1.0' }, transform: () => { throw new Error('knows no JSON Schema') } }, { openapi: '3.1.0' }]
  ] as const) {
    const app = Fastify()
    t.teardown(() => app.close())
    await app.register(fastifySwagger, options)
    const signing = { variant: 'A', merchantToken: token } as const
    app.register(paymentSignature, { prefix: '/one', ...signing })
    app.register(paymentSignature, { prefix: '/two', ...signing, schema: { tags: ['Payments'] } })
    app.register(paymentSignature, { prefix: '/hidden', ...signing, schema: { hide: true } })
    await app.ready()
    const document = JSON.parse(JSON.stringify(app.swagger()))
    t.match(document, version)
    t.strictSame(await new Validator().validate(document), { valid: true })
    const [one, two, ...others] = Object.values<any>(document.paths).map(({ post }) => post)
    t.match(one, { summary: 'Sign a payment request', tags: undefined, operationId: undefined, security: undefined })
    t.strictSame(two, { ...one, tags: ['Payments'] })
    t.strictSame(others, [])

    t.strictSame(Object.keys(one.responses), ['200', 'default'])
    const bodyOf = (post: any) => (post.requestBody?.content['application/json'] ?? post.parameters[0]).schema
    const everyName = ['operationType', 'amount', 'merchantAccountNumber', 'accountNumber', 'orderId', 'sid', 'clientTimeStamp',
      'merchantToken', 'transactionFCRN', 'transactionId', 'idType']
    t.strictSame(Object.keys(bodyOf(one).properties), everyName)
    t.strictSame(await answer(app, send('/hidden/api/generate-signature')), [200, { signature }])
  }
})

t.test('authorize and the token function get the context', async t => {
  const { app } = host(t)
  t.intercept(performance, 'now', { value: () => 1000 }) // the rest of the rate limit's window
  const calls: unknown[] = []
  app.decorateRequest('user', null)
  app.addHook('onRequest', async request => Object.assign(request, { user: request.headers.cookie }))
  app.register(paymentSignature<{ user: string, shop: string }>, {
    prefix: '/shops/:shop',
    variant: 'A',
    rateLimitMax: 5,
    async context (request) {
      const { user, params: { shop } } = request as unknown as { user?: string, params: { shop: string } }
      if (user === undefined) throw Object.assign(new Error('Log in first'), { statusCode: 401 })
      if (user === 'broken') throw new Error('the session store is away')
      return { user, shop }
    },
    authorize ({ context, request }) {
      const orderId: string | undefined = request.orderId
      calls.push([context, orderId])
      return context.user === 'me' || { statusCode: 403 }
    },
    merchantToken (accountNumber, context) {
      calls.push([accountNumber, context])
      return context.shop === 'one' ? token : { statusCode: 404 }
    },
    // @ts-expect-error the result of context has no such member
    audit: (decision: Decision) => decision.audit.nothing
  })
  const url = '/shops/one/api/generate-signature'
  for (const [cookie, path, ...expected] of [
    ['me', url, 200, { signature }],
    ['me', url.replace('one', 'two'), 404, { error: 'Refused by the merchant' }],
    ['you', url, 403, { error: 'Refused by the merchant' }],
    [undefined, url, 401, { error: 'Log in first' }],
    ['broken', url, 500, { error: 'Internal Server Error' }],
    ['me', url, 429, { error: 'Too many requests: try again in 60 seconds' }]
  ] as const) {
    t.strictSame(await answer(app, send(path, payload, cookie === undefined ? {} : { cookie })), expected)
  }
  const me = { user: 'me', shop: 'one' }
  t.strictSame(calls, [
    [me, 'ORDER-12345'], ['102551', me],
    [{ ...me, shop: 'two' }, 'ORDER-12345'], ['102551', { ...me, shop: 'two' }],
    [{ ...me, user: 'you' }, 'ORDER-12345']
  ])
})

t.test('a refusal of the host is sent unchanged, with and without an audit', async t => {
  for (const audit of [true, false]) {
    for (const [what, hook] of [
      ['an async hook that does not return the reply', async (_request: unknown, reply: FastifyReply) => { reply.code(401).send() }],
      ['an async hook that returns the reply', async (_request: unknown, reply: FastifyReply) => reply.code(401).send('who are you?')]
    ] as const) {
      for (const name of ['onRequest', 'preHandler'] as const) {
        const { app, log } = host(t)
        let signed = 0
        const signer = customSigner('A', () => `signature ${++signed}`)
        app.addHook(name as 'preHandler', hook)
        app.register(paymentSignature, { signer, audit })
        const response = await request(await portOf(app), body)
        t.equal(response.status, 401, `${what}, ${name}`)
        t.notMatch(await response.text(), 'signature')
        t.equal(signed, 0)
        await app.close()
        t.notMatch(log(), '"decision"', 'the response is not ours')
      }
    }
  }
})

t.test('an error of a hook of the host has the status that the host\'s other routes would get', async t => {
  for (const [status, error, expected, code] of [
    [403, new Error('Log in first'), [403, { error: 'Log in first' }], 'refused'], // as @fastify/auth fails
    [403, Object.assign(new Error('Log in first'), { statusCode: 401 }), [403, { error: 'Log in first' }], 'refused'],
    [200, Object.assign(new Error('Log in first'), { status: 401 }), [401, { error: 'Log in first' }], 'refused'],
    [502, new Error('detail'), [500, { error: 'Internal Server Error' }], 'fault']
  ] as const) {
    const { app } = embedded(t, {}, app => app.addHook('onRequest', (_request, reply, done) => {
      reply.code(status)
      done(error)
    }))
    const response = await app.inject(send(url))
    t.strictSame([response.statusCode, response.json(), response.headers['error-code']], [...expected, code])
  }
})

t.test('a host whose onRoute hook adds an asynchronous preParsing hook, which runs after that of the route', async t => {
  const { app } = embedded(t, {}, app => app.addHook('onRoute', route => {
    route.preParsing = async (_request, _reply, payload) => {
      for (let turn = 0; turn < 20; turn++) await setImmediate()
      return payload
    }
  }))
  const response = await request(await portOf(app), body, {})
  t.strictSame([response.status, await response.json()], [200, { signature }])
})

t.test('a host that pipes bodies, as a decompressor does: each body gets its answer, and no error is nobody\'s', async t => {
  const { app } = embedded(t, {}, app => app.addHook('preParsing', async (request, _reply, payload) => {
    if (request.headers['x-coding'] !== 'slices') return payload
    return payload.pipe(new Transform({
      transform (chunk: Buffer, _encoding, done) {
        for (const byte of chunk) this.push(Buffer.of(byte)) // a chunk each
        done()
      }
    }))
  }))
  const port = await portOf(app)
  const coding = { 'x-coding': 'slices' }
  for (const [text, headers, ...expected] of [
    [body, coding, 200, { signature }],
    [' '.repeat(80_000) + body, coding, 400, { error: 'Request body comes in too many small chunks' }],
    [' '.repeat(200_000), coding, 413, { error: 'Request body is too large' }],
    [' '.repeat(200_000), { ...coding, 'content-type': 'text/xml' }, 415, { error: 'Unsupported Media Type: send the body as application/json' }],
    [body, {}, 200, { signature }]
  ] as const) {
    const response = await request(port, text, headers)
    t.strictSame([response.status, await response.json()], expected)
    for (let turn = 0; turn < 20; turn++) await setImmediate() // an exception would be here
  }
})

t.test('a body that a parser of the host has read is named, and the request does not wait forever', async t => {
  const { app, log } = embedded(t, {}, app => app.addHook('onRequest', async request => {
    request.raw.resume()
    await once(request.raw, 'end')
  }))
  const response = await request(await portOf(app), body)
  t.strictSame([response.status, response.headers.get('error-code')], [500, 'body-read'])
  t.match(log(), 'the body of the request was read before: mount before the body parser'.slice(4))
})

t.test('one line says what the route does', async t => {
  const lineOf = async (options: Partial<PaymentSignatureOptions>) => {
    const { app, log } = embedded(t, options)
    await app.ready()
    return log().split('\n').slice(0, -1).map(line => JSON.parse(line).msg)
  }
  const shop = { name: 'anonymous', anonymous: true as const, accountNumbers: ['102551'], operations: ['purchase' as const] }
  const policy = { callers: [shop] }
  t.strictSame(await lineOf({ policy, rateLimitMax: 300, context: () => ({}), authorize: () => true, audit: true }),
    [startOfRoute.trim()])
  t.strictSame(await lineOf({}), ['payment signature: variant A, key check value 63e1e6, guards: none'])
  t.strictSame(await lineOf({ merchantToken: () => token, strict: 'report', rateLimitMax: 5, authorize: () => true, audit: true }),
    ['payment signature: variant A, guards: STRICT=report, rate-limit=5, authorize, audit'])
  t.strictSame(await lineOf({
    policy,
    rateLimitMax: 5,
    redisUrl: 'redis://:canary@127.0.0.1:9',
    authorize: 'http://127.0.0.1:9/canary',
    audit () {},
    auditRequired: true
  }).then(lines => lines.at(-1)),
  'payment signature: variant A, key check value 63e1e6, guards: STRICT, policy, rate-limit=5, redis, authorize, audit=required')
})

t.test('ready() rejects with the classes that the entry point exports, and their codes', async t => {
  for (const [options, expected, code, message = /./] of [
    [{ variant: 'A', merchantToken: token, strict: 1, audit: 'yes' }, OptionsError, 'ERR_OPTIONS', /^strict must .*\naudit must .*$/],
    [{ merchantToken: () => token }, UsageError, 'ERR_VARIANT'],
    [{ variant: 'B' }, UsageError, 'ERR_MERCHANT_TOKEN'],
    [{ variant: 'A', merchantToken: '12345678', policy: { callers: [] } }, UsageError, 'ERR_MERCHANT_TOKEN', /^strict needs a token/],
    [{ variant: 'A', merchantToken: token, policy: { callers: [] } }, PolicyError, 'ERR_POLICY', /^policy: callers must be/],
    [{ variant: 'A', merchantToken: token, policy: './nowhere.json' }, PolicyError, 'ERR_POLICY', /ENOENT$/],
    [{ merchants: './nowhere.json' }, TokenError, 'ERR_TOKEN', /^merchants is "\.\/nowhere\.json", which cannot be used: ENOENT$/]
  ] as const) {
    const app = Fastify()
    app.register(paymentSignature, options as unknown as PaymentSignatureOptions)
    const error = await app.ready().then(() => undefined, error => error)
    t.ok(error instanceof expected, code)
    t.match(error, { code, message })
  }
})
