import t from 'tap'
import { testApp } from '../../support/app.js'
import { overload, recovered } from '../../support/overload.js'

const sign = {
  method: 'POST', url: '/api/generate-signature', payload: { accountNumber: '1', sid: 's', clientTimeStamp: 1 }
} as const

t.test('while overloaded, signing is refused, and liveness answered', async t => {
  const { app } = testApp(t)
  t.equal((await app.inject(sign)).statusCode, 200)
  await overload(app)
  const [refused, alive] = await Promise.all([app.inject(sign), app.inject('/health')])
  t.equal(refused.statusCode, 503)
  t.equal(refused.body, '{"error":"Service Unavailable: overloaded, try again later"}')
  t.equal(refused.headers['retry-after'], '2')
  t.equal(refused.headers['access-control-allow-origin'], '*')
  t.equal(alive.statusCode, 200)
  await recovered(app)
  t.equal((await app.inject(sign)).statusCode, 200)
})
