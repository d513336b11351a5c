import Fastify from 'fastify'
import { Registry } from 'prom-client'
import t from 'tap'
import loadShedding from '../../../plugins/signing/load-shedding.js'
import { testApp } from '../../support/app.js'
import { embedded } from '../../support/embedded.js'
import { portOf, raw } from '../../support/http.js'
import { overload, recovered } from '../../support/overload.js'

const sign = {
  method: 'POST', url: '/api/generate-signature', payload: { accountNumber: '1', sid: 's', clientTimeStamp: 1 }
} as const

t.test('a blocked event loop is overload: signing and readiness fail, liveness succeeds, and all recover', async t => {
  const { app, log } = testApp(t, { config: { ADMIN_PORT: '0' } }, true)
  t.equal((await app.inject(sign)).statusCode, 200)
  t.equal(app.isOverloaded(), false)

  await overload(app)
  t.equal(app.isOverloaded(), true)
  t.equal(app.unreadiness(), 'overloaded')
  const [refused, ready, alive] = await Promise.all([app.inject(sign), app.inject('/ready'), app.inject('/health')])
  t.equal(refused.statusCode, 503)
  t.equal(refused.body, '{"error":"Service Unavailable: overloaded, try again later"}')
  t.equal(refused.headers['retry-after'], '2')
  t.equal(refused.headers['access-control-allow-origin'], '*')
  t.equal(refused.headers['access-control-expose-headers'], 'Retry-After, X-Request-Id, Error-Code')
  t.equal(ready.statusCode, 503)
  t.equal(ready.body, '{"error":"overloaded"}')
  t.match(log(), '"reason":"overloaded","msg":"not ready"')
  t.equal(alive.statusCode, 200)
  const metrics = await app.metrics?.metrics() ?? ''
  t.match(metrics, 'payment_signature_shed_requests_total 1\n')
  t.match(metrics, 'outcome="unavailable",caller="anonymous"} 1\n')
  t.match(metrics, /^payment_signature_event_loop_delay_seconds [\d.]{3}/m)

  await recovered(app)
  t.equal(app.isOverloaded(), false)
  t.equal((await app.inject(sign)).statusCode, 200)
  t.equal((await app.inject('/ready')).statusCode, 200)
  await overload(app)
  app.drain()
  t.equal(app.unreadiness(), 'shutting down', 'which lasts, so it comes first')
})

t.test('two plugins in one app share the count of shed requests', async t => {
  const app = Fastify()
  t.teardown(() => app.close())
  const metrics = new Registry()
  for (const path of ['/one', '/other']) {
    app.register(async app => {
      app.register(loadShedding, { isOverloaded: () => true, metrics })
      app.get(path, async () => ({}))
    })
  }
  for (const path of ['/one', '/other']) t.equal((await app.inject(path)).statusCode, 503)
  t.match(await metrics.metrics(), 'payment_signature_shed_requests_total 2\n')
})

t.test('under overload, a request is refused before its body is read', async t => {
  const { app } = embedded(t, {
    isOverloaded: () => true,
    rateLimitMax: 1,
    policy: { callers: [{ name: 'shop', apiKeySha256: 'a'.repeat(64), operations: ['purchase'], accountNumbers: ['102551'] }] }
  })
  const port = await portOf(app)
  for (const [what, head, body] of [
    ['malformed', 'Content-Type: application/json\r\nContent-Length: 1', '{'],
    ['empty', 'Content-Type: application/json\r\nContent-Length: 0', ''],
    ['of another type', 'Content-Type: text/plain\r\nContent-Length: 1', '{'],
    ['too large', 'Content-Type: application/json\r\nContent-Length: 1000000', ''],
    ['yet to come', 'Content-Type: application/json\r\nContent-Length: 100', '']
  ] as const) {
    const answer = await raw(port, `POST /api/generate-signature HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n${body}`)
    t.equal(answer.statusCode, 503, `a body that is ${what}`)
    t.equal(answer.headers['retry-after'], '2')
    t.equal(answer.headers['error-code'], 'overloaded')
  }
})
