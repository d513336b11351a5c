import t from 'tap'
import type { AuditEntry } from '../../src/embed.js'
import { token } from '../support/app.js'
import { embedded } from '../support/embedded.js'
import { body, officeKey, request, signature } from '../support/example.js'
import { portOf } from '../support/http.js'

/* The example for Fastify and NestJS passes requests and responses on as they are. */

const path = '/api/generate-signature'
const config = { NODE_ENV: 'test', MERCHANT_TOKEN: token }
const json = { 'content-type': 'application/json' }

t.test('bodies, errors and headers are those of the service, beside the parsers and routes of the host', async t => {
  const app = embedded(t)
  app.post('/echo', async ({ body }) => body)
  const port = await portOf(app)
  const latin1 = Buffer.from('{"sid":"\xe9"}', 'latin1')
  for (const [payload, headers, status, error] of [
    [body, json, 200, undefined],
    [latin1, json, 400, 'Request body is not valid UTF-8'],
    ['<a/>', { 'content-type': 'text/xml' }, 415, 'Unsupported Media Type: send the body as application/json'],
    [' '.repeat(102_401), json, 413, 'Request body is too large'],
    [undefined, {}, 400, 'Request body must be a JSON object']
  ] as const) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body: (payload ?? null) as string | null })
    t.strictSame([response.status, await response.json()], [status, status === 200 ? { signature } : { error }])
    t.match(response.headers.get('x-request-id'), /^[0-9a-f-]{36}$/)
    t.equal(response.headers.get('cache-control'), 'no-store')
  }
  t.strictSame((await app.inject({ method: 'POST', url: '/echo', payload: { a: 1 } })).json(), { a: 1 })
  const preflight = await app.inject({ method: 'OPTIONS', url: path, headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' } })
  t.strictSame([preflight.statusCode, preflight.headers['access-control-allow-origin']], [204, '*'])
  t.strictSame(await (await request(port, body)).json(), { signature })
})

t.test('the address, the user of a hook before it, keys and audit', async t => {
  const decisions: Array<AuditEntry['audit']> = []
  const office = { name: 'office', apiKeySha256: officeKey, operations: ['purchase'], accountNumbers: ['102551'] }
  const anonymous = { name: 'anonymous', operations: ['purchase'], accountNumbers: ['102551'] }
  const POLICY_FILE = `${t.testdir({ policy: JSON.stringify({ callers: [office, anonymous] }) })}/policy`
  const app = embedded(t, {
    config: { ...config, POLICY_FILE, RATE_LIMIT_MAX: 2 },
    authorize ({ caller, context }) {
      const { user } = context as { user?: string }
      if (caller === 'office' || user === 'me') return { allowed: true, auditAs: user }
      return { allowed: false, statusCode: 401, error: 'Log in first' }
    },
    audit: ({ audit }) => { decisions.push(audit) }
  }, '/payments/sign')
  app.decorateRequest('user')
  app.addHook('onRequest', async request => { Object.assign(request, { user: request.headers.cookie }) })
  const ask = async (remoteAddress: string, headers: object) => {
    const response = await app.inject({ method: 'POST', url: '/payments/sign', payload: body, remoteAddress, headers: { ...json, ...headers } })
    return [response.statusCode, response.json().signature ?? response.json().error]
  }
  t.strictSame(await ask('192.0.2.1', { cookie: 'me', 'x-forwarded-for': '198.51.100.7' }), [200, signature])
  t.strictSame(await ask('192.0.2.1', {}), [401, 'Log in first'])
  t.match(await ask('192.0.2.1', { cookie: 'me' }), [429])
  t.strictSame(await ask('192.0.2.2', { authorization: 'Bearer key-of-the-office' }), [200, signature])
  t.match(decisions, [
    { outcome: 'signed', clientAddress: '192.0.2.1', user: 'me' }, { outcome: 'refused', user: undefined },
    { outcome: 'signed', clientAddress: '192.0.2.2', caller: 'office' }
  ])
})
