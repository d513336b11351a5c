import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import Fastify from 'fastify'
import { Registry } from 'prom-client'
import t from 'tap'
import loadShedding from '../../../plugins/signing/load-shedding.js'
import { testApp } from '../../support/app.js'
import { dial, portOf } from '../../support/http.js'
import { block, overload, recovered } from '../../support/overload.js'

const sign = {
  method: 'POST', url: '/api/generate-signature', payload: { accountNumber: '1', sid: 's', clientTimeStamp: 1 }
} as const

t.test('a blocked event loop is overload: signing and readiness fail, liveness succeeds, and all recover', async t => {
  const { app, log } = testApp(t, {}, true)
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

  await recovered(app)
  t.equal(app.isOverloaded(), false)
  t.equal((await app.inject(sign)).statusCode, 200)
  t.equal((await app.inject('/ready')).statusCode, 200)
})

t.test('requests that have waited for more than half a second are refused', async t => {
  const { app } = testApp(t, { config: { ADMIN_PORT: '0' } }, true)
  const port = await portOf(app)
  const body = JSON.stringify(sign.payload)
  const post = `POST ${sign.url} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${body.length}\r\n\r\n${body}`
  let arrived = 0
  app.server.prependListener('request', () => { if (++arrived === 300) block(600) })

  const sockets = []
  for (let index = 0; index < 300; index++) {
    const socket = dial(t, port, '127.0.0.1').setEncoding('utf8')
    await once(app.server, 'connection')
    sockets.push(socket)
  }
  for (let turn = 0; turn < 3; turn++) await setImmediate()
  const received = sockets.map(() => '')
  sockets.forEach((socket, index) => socket.on('data', text => { received[index] = `${received[index]}${text}` }).write(post))
  const count = (text: string) => received.join('').split(text).length - 1
  while (count('HTTP/1.1 ') < 300) await setImmediate()

  // 256 were served as they came, the next 43 waited; of these the last does not know, and the one after it came later.
  t.equal(count('"signature"'), 258)
  t.equal(count('HTTP/1.1 503'), 42)
  t.equal(count('retry-after: 2'), 42)
  t.equal(app.isOverloaded(), false)
  t.equal(app.unreadiness(), 'overloaded', 'for a moment')
  const metrics = await app.metrics?.metrics() ?? ''
  t.match(metrics, 'payment_signature_shed_requests_total 42\n')
  t.match(metrics, 'outcome="unavailable"} 42\n')
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
