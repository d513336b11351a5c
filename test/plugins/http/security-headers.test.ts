import t from 'tap'
import type { Test } from 'tap'
import { testApp } from '../../support/app.js'
import { portOf, raw } from '../../support/http.js'

const url = '/api/generate-signature'
const json = { 'content-type': 'application/json' }

function isProtected (t: Test, headers: object): void {
  t.match(headers, {
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  })
  const names = Object.keys(headers)
  t.strictSame(names.filter(name => /server|powered-by|fastify|strict-transport/i.test(name)), [], 'no banner')
}

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
  ['a malformed URL', { method: 'GET', url: '/%c0' }, 400]
] as const) {
  t.test(`on ${what}`, async t => {
    const { app } = testApp(t)
    app.get('/fault', async () => { throw new Error('fault') })
    const response = await app.inject(request)
    t.equal(response.statusCode, statusCode)
    isProtected(t, response.headers)
  })
}

for (const [what, text, statusCode] of [
  ['malformed HTTP', 'garbage\r\n\r\n', 400],
  ['a header overflow', `GET / HTTP/1.1\r\nHost: x\r\nCookie: ${'c'.repeat(20_000)}\r\n\r\n`, 431],
  ['a CONNECT', 'CONNECT shop.example:443 HTTP/1.1\r\nHost: x\r\n\r\n', 405],
  ['a missing Host', 'GET /health HTTP/1.1\r\n\r\n', 400]
] as const) {
  t.test(`on ${what}, over a socket`, async t => {
    const { app } = testApp(t)
    const answer = await raw(await portOf(app), text)
    t.equal(answer.statusCode, statusCode)
    isProtected(t, answer.headers)
  })
}
