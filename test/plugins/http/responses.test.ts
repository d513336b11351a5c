import t from 'tap'
import { InvalidRequestError, SigningError } from '../../../src/scheme/errors.js'
import { body, signature } from '../../support/example.js'
import { testApp } from '../../support/app.js'
import { embedded } from '../../support/embedded.js'
import { answer, isProtected } from '../../support/http.js'

const url = '/api/generate-signature'
const json = { 'content-type': 'application/json' }

t.test('every response has security headers and its own request ID', async t => {
  const { app } = testApp(t)
  app.get('/fault', async () => { throw new Error('fault') })
  const ids = new Set<unknown>()

  for (const [what, request, statusCode] of [
    ['a signature', { method: 'POST', url, payload: { accountNumber: '1', sid: 's', clientTimeStamp: 1 } }, 200],
    ['liveness', { method: 'GET', url: '/health' }, 200],
    ['readiness', { method: 'GET', url: '/ready' }, 200],
    ['a refused request', { method: 'POST', url, payload: {} }, 400],
    ['malformed JSON', { method: 'POST', url, payload: '{', headers: json }, 400],
    ['an unknown path', { method: 'GET', url: '/nowhere' }, 404],
    ['a wrong method', { method: 'PUT', url }, 405],
    ['a failure to sign', { method: 'POST', url, payload: { accountNumber: '1', sid: ' ', clientTimeStamp: 1 } }, 500],
    ['an unexpected fault', { method: 'GET', url: '/fault' }, 500],
    ['a preflight', { method: 'OPTIONS', url, headers: { 'access-control-request-method': 'POST', origin: 'https://a' } }, 204],
    ['an OPTIONS that is no preflight', { method: 'OPTIONS', url: '/nowhere' }, 204],
    ['an OPTIONS of the signing route that is no preflight', { method: 'OPTIONS', url }, 204],
    ['a malformed URL', { method: 'GET', url: '/%c0' }, 400]
  ] as const) {
    const response = await app.inject(request)
    t.equal(response.statusCode, statusCode, what)
    isProtected(t, response.headers)
    const { 'x-request-id': id } = response.headers
    t.match(id, /^[0-9a-f]{12}-[0-9a-z]+$/, what)
    t.notOk(ids.has(id), 'no other response has it')
    ids.add(id)
  }
})

t.test('CORS', async t => {
  const preflight = (origin: string) => ({
    method: 'OPTIONS',
    url,
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' }
  }) as const

  t.test('by default every origin is allowed', async t => {
    const { app } = testApp(t)
    const response = await app.inject(preflight('https://shop.example'))
    t.equal(response.statusCode, 204)
    t.match(response.headers, {
      'access-control-allow-methods': /^GET, HEAD, POST$/,
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'Retry-After, X-Request-Id, Error-Code',
      'access-control-allow-headers': 'content-type',
      'access-control-max-age': '600',
      'content-length': '0'
    })
    t.equal(response.body, '')
  })

  const list = { CORS_ORIGIN: 'https://a.example, https://b.example:8443' }

  /** A request for each kind of response: success, refusals of the service, refusals of Fastify. */
  const requests = [
    { method: 'GET', url: '/health' },
    { method: 'POST', url, payload: {} },
    { method: 'POST', url, payload: '{', headers: { 'content-type': 'application/json' } },
    { method: 'POST', url, payload: 'text', headers: { 'content-type': 'text/plain' } },
    { method: 'PUT', url },
    { method: 'GET', url: '/nowhere' },
    { method: 'GET', url: '/%c0' }
  ] as const

  t.test('listed origins are allowed in every response', async t => {
    const { app } = testApp(t, { config: list })
    for (const request of requests) {
      const headersFor = async (origin?: string) => {
        const { headers } = await app.inject({
          ...request,
          headers: { ...('headers' in request && request.headers), ...(origin !== undefined && { origin }) }
        })
        t.equal(headers['access-control-expose-headers'], 'Retry-After, X-Request-Id, Error-Code')
        return [headers['access-control-allow-origin'], headers.vary]
      }
      t.strictSame(await headersFor('https://a.example'), ['https://a.example', 'Origin'], request.url)
      t.strictSame(await headersFor('https://b.example:8443'), ['https://b.example:8443', 'Origin'])
      t.strictSame(await headersFor('https://b.example'), [undefined, 'Origin'])
      t.strictSame(await headersFor('https://evil.example'), [undefined, 'Origin'])
      t.strictSame(await headersFor(), [undefined, 'Origin'])
    }
  })

  t.test('pages of listed origins may send cookies with CORS_CREDENTIALS', async t => {
    for (const [config, expected] of [[{ ...list, CORS_CREDENTIALS: true }, 'true'], [list, undefined]] as const) {
      const { app } = testApp(t, { config })
      for (const request of [preflight('https://a.example'), ...requests]) {
        const headers = { ...('headers' in request && request.headers), origin: 'https://a.example' }
        const response = await app.inject({ ...request, headers })
        t.equal(response.headers['access-control-allow-credentials'], expected, `${request.method} ${request.url}, ${expected}`)
      }
    }
    const { app } = testApp(t, { config: { CORS_CREDENTIALS: true } })
    await t.rejects(async () => app.ready(), {
      code: 'ERR_CONFIGURATION', message: 'CORS_CREDENTIALS is true, so CORS_ORIGIN must list origins instead of *'
    })
  })

  t.test('a preflight of an unlisted origin is not allowed', async t => {
    const { app } = testApp(t, { config: list })
    t.equal((await app.inject(preflight('https://a.example'))).headers['access-control-allow-origin'], 'https://a.example')
    t.equal((await app.inject(preflight('https://evil.example'))).headers['access-control-allow-origin'], undefined)
  })
})

t.test('the signing route accepts a trailing slash, as Express does, under the same label in metrics', async t => {
  const { app } = testApp(t, { config: { ADMIN_PORT: '0', ADMIN_HOST: '127.0.0.1' } })
  for (const path of [`${url}/`, `${url}/?a=b/`]) {
    t.match((await app.inject({ method: 'POST', url: path, payload: body, headers: json })).json(), { signature })
  }
  t.equal((await app.inject({ method: 'GET', url: `${url}/` })).statusCode, 405)
  t.match(await app.metrics?.metrics(),
    `http_request_duration_seconds_count{method="POST",route="${url}",status_code="200"} 2\n`)
})

for (const [what, request, statusCode, error] of [
  ['an unknown path', { method: 'GET', url: '/nowhere?token=canary' }, 404, 'Not Found: GET /nowhere'],
  ['a path with two final slashes', { method: 'POST', url: `${url}//`, payload: {} }, 404, `Not Found: POST ${url}//`],
  ['an unknown path and a body of another type',
    { method: 'POST', url: '/nowhere', payload: '<a/>', headers: { 'content-type': 'text/xml' } },
    404, 'Not Found: POST /nowhere'],
  ['an unknown path and a malformed body', { method: 'POST', url: '/nowhere', payload: '{', headers: json },
    404, 'Not Found: POST /nowhere'],
  ['malformed JSON', { method: 'POST', url, payload: '{"amount":', headers: json },
    400, 'Body is not valid JSON but content-type is set to \'application/json\''],
  ['a form', { method: 'POST', url, payload: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    415, 'Unsupported Media Type: send the body as application/json'],
  ['no type', { method: 'POST', url, payload: Buffer.from('{}') },
    415, 'Unsupported Media Type: send the body as application/json'],
  ['a broken type', { method: 'POST', url, payload: '{}', headers: { 'content-type': ';;' } },
    415, 'Unsupported Media Type: send the body as application/json']
] as const) {
  t.test(`${what} is answered with ${statusCode}`, async t => {
    const { app, log } = testApp(t)
    const response = await app.inject(request)
    t.equal(response.statusCode, statusCode)
    t.equal(response.headers['content-type'], 'application/json; charset=utf-8')
    t.equal(response.body, JSON.stringify({ error }))
    t.match(log(), statusCode === 404 ? '"statusCode":404,"responseTime":' : `"statusCode":${statusCode},"error":${JSON.stringify(error)}`)
    t.notMatch(log(), 'canary')
  })
}

t.test('a method that a path does not have is answered with 405', async t => {
  const { app } = testApp(t)
  for (const [method, path, allow] of [
    ['GET', url, 'POST, OPTIONS'],
    ['HEAD', url, 'POST, OPTIONS'],
    ['PATCH', `${url}?a=b`, 'POST, OPTIONS'],
    ['GET', '/api/generate%2dsignature?a=%2F', 'POST, OPTIONS'],
    ['POST', '/health', 'HEAD, GET, OPTIONS'],
    ['DELETE', '/', 'HEAD, GET, OPTIONS']
  ] as const) {
    const response = await app.inject({ method, url: path, payload: 'text', headers: { 'content-type': 'text/plain' } })
    t.equal(response.statusCode, 405, `${method} ${path}`)
    t.strictSame(response.headers.allow?.toString().split(', ').sort(), allow.split(', ').sort())
    t.equal(response.headers['content-type'], 'application/json; charset=utf-8')
    if (method !== 'HEAD') t.same(response.json(), { error: `Method Not Allowed: ${method} ${path.split('?')[0]}` })
  }
})

t.test('a body has at most 100 KiB', async t => {
  const { app } = testApp(t)
  const request = `{"accountNumber":"1","sid":"s","clientTimeStamp":1,"a":"xxx${'x'.repeat(102_340)}"}`
  const post = (payload: string) => app.inject({ method: 'POST', url, payload, headers: json })
  t.equal(request.length, 102_401)
  const refused = await post(request)
  t.equal(refused.statusCode, 413)
  t.not(refused.headers.connection, 'close', 'which would often take the response with it')
  t.equal((await post(request.replace('xxx', 'xx'))).statusCode, 200)
})

t.test('a URL parameter that is too long', async t => {
  const { app } = testApp(t)
  app.get('/of/:name', async () => ({}))
  t.strictSame(await answer(app, `/of/${'x'.repeat(101)}`), [414, { error: 'URL parameter is too long' }])
})

const statuses = [399, 400, 499, 500, 503, 504]
for (const thrown of [new Error('secret detail'), null, undefined, 'secret detail', { statusCode: 200 }, { statusCode: 418 },
  ...statuses.map(statusCode => Object.assign(new Error('detail'), { statusCode }))]) {
  t.test(`a thrown ${thrown instanceof Error ? 'Error ' : ''}${JSON.stringify(thrown)}`, async t => {
    const { app, log } = testApp(t)
    app.get('/fault', async () => { throw thrown })
    const { statusCode } = Object(thrown)
    const isForClients = thrown instanceof Error && [400, 499, 503].includes(statusCode)
    t.strictSame(await answer(app, '/fault'),
      isForClients ? [statusCode, { error: 'detail' }] : [500, { error: 'Internal Server Error' }])
    t.equal(log().includes('"msg":"unexpected fault"'), !isForClients)
    if (!isForClients && thrown instanceof Error) t.match(log(), thrown.message)
  })
}

t.test('the header Error-Code contains no text of a request or of a custom signer', async t => {
  const { app } = testApp(t, { config: { STRICT: true } })
  const payload = { amount: '1.00', accountNumber: '102551', sid: 's', clientTimeStamp: 1709912345678 }
  const code = async (fields: object) =>
    (await app.inject({ method: 'POST', url, payload: { ...payload, ...fields } })).headers['error-code']
  t.equal(await code({ OrderID: 'x' }), 'strict; field=orderId')
  t.equal(await code({ sid: 'amount\r\nset-cookie: a=b' }), 'strict; field=sid')
  t.equal(await code({ orderId: ['sid'] }), 'strict; field=orderId')

  for (const thrown of [
    new InvalidRequestError('ERR_A\r\nSet-Cookie: a=b' as 'ERR_STRICT', 'amount'),
    new SigningError('ERR_SIGNING_FAILED', 'amount of memory'),
    new Error('amount')
  ]) {
    const signer = { variant: 'A', read: () => { throw thrown }, signReading: () => '' }
    const custom = testApp(t, { signer }).app
    t.equal((await custom.inject({ method: 'POST', url, payload })).headers['error-code'], 'signing-failed')
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
    const response = await app.inject({ method: 'POST', url, payload: {} })
    t.strictSame([response.statusCode, response.json(), response.headers['error-code']], [...expected, code])
  }
})
