import { once } from 'node:events'
import { connect, Server, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { Gauge } from 'prom-client'
import t, { type Test } from 'tap'
import { serveAdmin } from '../../../plugins/operation/admin.js'
import type { AppOptions } from '../../../src/app.js'
import { testApp } from '../../support/app.js'
import { dial, portOf, raw } from '../../support/http.js'

/** An app that listens, and the ports of its two listeners. */
async function adminApp (t: Test, config: AppOptions['config'] = {}) {
  const { app, log } = testApp(t, { config: { ADMIN_PORT: '0', ADMIN_HOST: '127.0.0.1', ...config } }, true)
  await app.ready()
  const url = String(await serveAdmin(app))
  const adminPort = Number(new URL(url).port)
  return { app, log, url, adminPort, port: await portOf(app) }
}

t.test('metrics and probes, and nothing else, only at ADMIN_PORT', async t => {
  const { app: without } = testApp(t)
  await without.ready()
  t.equal(await serveAdmin(without), undefined)
  const { app, url: metricsUrl, adminPort } = await adminApp(t)
  t.equal(metricsUrl, `http://127.0.0.1:${adminPort}/metrics`)
  t.equal((await app.inject('/metrics')).statusCode, 404)
  await app.inject('/health')
  for (const url of [metricsUrl, `${metricsUrl}?name[]=up`]) {
    const response = await fetch(url)
    t.equal(response.status, 200)
    t.equal(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
    t.equal(response.headers.get('x-content-type-options'), 'nosniff')
    const text = await response.text()
    t.match(text, 'http_request_duration_seconds_count{method="GET",route="/health",status_code="200"} 1\n')
    t.match(text, /^process_cpu_seconds_total \d/m)
    t.match(text, /^nodejs_eventloop_lag_seconds \d/m)
  }
  for (const [method, path, statusCode, body, allow] of [
    ['GET', '/nowhere?token=canary', 404, '{"error":"Not Found: GET /nowhere"}', null],
    ['POST', '/api/generate-signature', 404, '{"error":"Not Found: POST /api/generate-signature"}', null],
    ['GET', '/%c0', 400, '{"error":"Malformed URL"}', null],
    ['POST', '/metrics', 405, '{"error":"Method Not Allowed: POST /metrics"}', 'GET, HEAD'],
    ['OPTIONS', '/metrics', 405, '{"error":"Method Not Allowed: OPTIONS /metrics"}', 'GET, HEAD']
  ] as const) {
    const response = await fetch(`http://127.0.0.1:${adminPort}${path}`, { method, headers: { 'x-request-id': 'canary' } })
    t.equal(response.status, statusCode)
    t.match(response.headers.get('x-request-id'), /^[0-9a-f]{12}-[0-9a-z]+$/)
    t.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
    t.equal(response.headers.get('allow'), allow)
    t.equal(await response.text(), body)
  }
})

t.test('probes report the state of the service, which is not ready before it listens', async t => {
  const { app, log } = testApp(t, { config: { ADMIN_PORT: '0', ADMIN_HOST: '127.0.0.1', VARIANT: 'B' } }, true)
  await app.ready()
  const url = await serveAdmin(app) as string
  const probe = async (path: string) => {
    const response = await fetch(new URL(path, url))
    return [response.status, await response.text()]
  }
  const alive = [200, '{"ok":true,"service":"payment-signature-backend","variant":"B"}']
  t.strictSame(await probe('/health'), alive)
  t.strictSame(await probe('/'), alive)
  t.strictSame(await probe('/ready'), [503, '{"error":"starting"}'])
  await portOf(app)
  t.strictSame(await probe('/ready'), [200, '{"ok":true}'])
  const { unreadiness } = app
  app.unreadiness = () => 'overloaded'
  t.strictSame(await probe('/ready'), [503, '{"error":"overloaded"}'])
  app.unreadiness = unreadiness
  app.drain()
  t.strictSame(await probe('/ready'), [503, '{"error":"shutting down"}'])
  t.strictSame(await probe('/health'), alive)
  t.match(log(), '"reason":"shutting down","msg":"not ready"')
})

t.test('probes are answered while the service accepts no connections', async t => {
  const { app, port, adminPort } = await adminApp(t)
  app.connections.max = 0
  await t.rejects(fetch(`http://127.0.0.1:${port}/ready`))
  t.equal((await fetch(`http://127.0.0.1:${adminPort}/ready`)).status, 200)
})

t.test('of 16 connections, the oldest without a request in progress gives way to a new one', async t => {
  const { app, adminPort, log } = await adminApp(t)
  const health = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n'
  for (let count = 0; count < 20; count++) t.equal((await raw(adminPort, health)).statusCode, 200)
  t.notMatch(log(), 'too many are open', 'closed connections do not count')
  const sockets = await Promise.all(Array.from({ length: 16 }, async (_, index) => {
    const socket = dial(t, adminPort, '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    socket.write(health)
    const [answer] = await once(socket, 'data')
    t.match(String(answer), '\r\nKeep-Alive: timeout=5\r\n', `connection ${index} stays open for 5 seconds`)
    return socket
  }))
  const ends = sockets.map(socket => once(socket.resume(), 'close'))
  t.equal((await raw(adminPort, health)).statusCode, 200)
  await Promise.race(ends)
  t.equal(sockets.filter(({ destroyed }) => destroyed).length, 1)
  t.match(log(), '"times":1,"max":16,"msg":"connections to ADMIN_PORT ended, too many are open"')
  t.equal(app.connections.ended.count, 0)

  const silent = Array.from({ length: 32 }, () => connect(adminPort, '127.0.0.1').on('error', () => {}).resume())
  t.teardown(() => silent.forEach(socket => socket.destroy()))
  await Promise.all(ends)
  t.equal((await raw(adminPort, health)).statusCode, 200, 'among 16 that send nothing')
})

t.test('requests for metrics share one text; a new connection is ended if all 16 have a request in progress', async t => {
  const requests: unknown[] = []
  const emit = Server.prototype.emit
  t.intercept(Server.prototype, 'emit', {
    value (this: Server, ...args: never[]) {
      if (args[0] === 'request') requests.push(args[1])
      return Reflect.apply(emit, this, args)
    }
  })
  const { app, adminPort, log } = await adminApp(t)
  const proceed: Array<(value: string) => void> = []
  const collect = async () => { await new Promise(resolve => proceed.push(resolve)) }
  app.metrics?.registerMetric(new Gauge({ name: 'slow', help: 'slow', registers: [], collect }))
  const busy = Array.from({ length: 16 }, () => {
    const socket = dial(t, adminPort, '127.0.0.1')
    socket.write('GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n')
    return socket
  })
  while (requests.length < 16) await setImmediate()
  t.equal(proceed.length, 1)
  await t.rejects(fetch(`http://127.0.0.1:${adminPort}/health`))
  proceed.forEach(resolve => resolve(''))
  for (const [answer] of await Promise.all(busy.map(socket => once(socket, 'data')))) t.match(String(answer), /^HTTP\/1\.1 200/)

  busy[0]?.write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(66))
  await once(busy[0]?.resume() as Socket, 'close')
  t.match(log(), '"msg":"connection cut, too many requests wait behind another"')
})

t.test('requests that Node.js refuses', async t => {
  const { adminPort } = await adminApp(t)
  for (const [request, statusCode, error] of [
    ['garbage\r\n\r\n', 400, 'Malformed HTTP request'],
    [`GET /${'u'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431, 'Request Header Fields Too Large']
  ] as const) {
    const answer = await raw(adminPort, request)
    t.equal(answer.statusCode, statusCode)
    t.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
    t.strictSame(JSON.parse(answer.body), { error })
  }
})

t.test('the admin listener closes with the service despite open connections', async t => {
  const { app, adminPort } = await adminApp(t)
  const stalled = connect(adminPort, '127.0.0.1')
  await once(stalled, 'connect')
  stalled.on('error', () => {}).write('GET /metrics HTTP/1.1\r\nHo')
  const cut = new Promise(resolve => stalled.once('close', resolve))
  await app.close()
  await cut
  await t.rejects(fetch(`http://127.0.0.1:${adminPort}/metrics`))
})
