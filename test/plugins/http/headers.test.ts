import t from 'tap'
import { testApp } from '../../support/app.js'
import { isProtected } from '../../support/http.js'

t.test('every response has security headers and its own request ID', async t => {
  const url = '/api/generate-signature'
  const json = { 'content-type': 'application/json' }
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
  const url = '/api/generate-signature'
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

  for (const [config, expected] of [
    [{ ...list, CORS_CREDENTIALS: true }, 'true'], [list, undefined], [{}, undefined]
  ] as const) {
    t.test(`pages may${expected ? '' : ' not'} send cookies: ${JSON.stringify(config)}`, async t => {
      const { app } = testApp(t, { config })
      for (const request of [preflight('https://a.example'), ...requests]) {
        const headers = { ...('headers' in request && request.headers), origin: 'https://a.example' }
        const response = await app.inject({ ...request, headers })
        t.equal(response.headers['access-control-allow-credentials'], expected, `${request.method} ${request.url}`)
      }
    })
  }

  t.test('cookies from pages of every origin are refused at the start', async t => {
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
