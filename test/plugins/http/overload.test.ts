import t from 'tap'
import { testApp } from '../../support/app.js'
import { overload, recovered } from '../../support/overload.js'

const sign = {
  method: 'POST', url: '/api/generate-signature', payload: { accountNumber: '1', sid: 's', clientTimeStamp: 1 }
} as const

t.test('a blocked event loop is overload: signing is refused, readiness says so, liveness is answered; it passes', async t => {
  const { app, log } = testApp(t)
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
  t.equal(ready.statusCode, 503)
  t.equal(ready.body, '{"error":"overloaded"}')
  t.match(log(), '"reason":"overloaded","msg":"not ready"')
  t.equal(alive.statusCode, 200)

  await recovered(app)
  t.equal(app.isOverloaded(), false)
  t.equal((await app.inject(sign)).statusCode, 200)
  t.equal((await app.inject('/ready')).statusCode, 200)

  await overload(app)
  app.drain()
  t.equal(app.unreadiness(), 'shutting down', 'which lasts, so it comes first')
})
