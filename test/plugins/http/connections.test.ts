import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { listen } from '../../../src/listening/listen.js'
import { testApp } from '../../support/app.js'
import { dial, portOf, raw } from '../../support/http.js'

const health = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n'

/** Returns an accepted connection, or undefined if the service ended it. */
async function open (t: Test, port: number, host: string): Promise<Socket | undefined> {
  const socket = connect(port, host).on('error', () => {})
  t.teardown(() => socket.destroy())
  socket.write(health)
  const answer = await Promise.race([once(socket, 'data'), once(socket, 'close')])
  return Buffer.isBuffer(answer[0]) ? socket : undefined
}

t.test('X-Forwarded-For from an address outside TRUST_PROXY has a warning once a minute', async t => {
  const timers: number[] = []
  const { app, log } = testApp(t, { config: { TRUST_PROXY: '10.0.0.5' } })
  await app.ready()
  t.intercept(globalThis, 'setTimeout', {
    value (_flush: () => void, delay: number) {
      timers.push(delay)
      return { unref () { return this } }
    }
  })
  const send = (remoteAddress: string, headers = {}) => app.inject({ url: '/health', remoteAddress, headers })
  await send('10.0.0.8')
  for (const address of ['10.0.0.5', '10.0.0.6', '10.0.0.7']) await send(address, { 'x-forwarded-for': '192.0.2.1' })
  const warnings = log().split('\n').filter(line => line.includes('"level":40')).map(line => JSON.parse(line))
  t.match(warnings, [{ ip: '10.0.0.6', times: 1, msg: /^X-Forwarded-For comes from an address outside TRUST_PROXY, and is ignored/ }])
  t.equal(warnings.length, 1)
  t.ok(timers.includes(60_000))
})

t.test('connections to all addresses count together, and those beyond the limit end without a byte', async t => {
  const { app, log } = testApp(t, { config: { MAX_CONNECTIONS: 3, ADMIN_PORT: '0' } })
  const [url = ''] = await listen(app, ['127.0.0.1', '127.0.0.2'], 0)
  const port = Number(new URL(url).port)
  const metrics = async () => await app.metrics?.metrics() ?? ''
  t.match(await metrics(), 'payment_signature_connections_max 3\n')
  t.match(await metrics(), 'payment_signature_connections 0\n')
  t.match(await metrics(), 'payment_signature_connections_refused_total 0\n')

  const [first] = [await open(t, port, '127.0.0.1'), await open(t, port, '127.0.0.2'), await open(t, port, '127.0.0.1')]
  for (const host of ['127.0.0.1', '127.0.0.2', '127.0.0.2']) t.equal(await open(t, port, host), undefined)
  t.match(await metrics(), 'payment_signature_connections 3\n')
  t.match(await metrics(), 'payment_signature_connections_refused_total 3\n')
  t.match(log(), '"level":40')
  t.match(log(), '"times":1,"max":3,"msg":"connections to PORT refused, too many are open"')
  t.equal(log().split('too many are open').length, 2, 'the others come in one line, later')

  first?.write(health)
  const [answer] = await once(first as Socket, 'data')
  t.match(String(answer), /^HTTP\/1\.1 200 OK/, 'it serves the connections that it has')

  first?.destroy()
  while (app.connections.open.size === 3) await new Promise(resolve => setImmediate(resolve))
  t.equal((await raw(port, health, '127.0.0.2')).statusCode, 200)
  t.match(await metrics(), 'payment_signature_connections_refused_total 3\n')
})

t.test('responses announce KEEP_ALIVE_TIMEOUT', async t => {
  const { app } = testApp(t, { config: { KEEP_ALIVE_TIMEOUT: 620_000 } })
  const socket = dial(t, await portOf(app), '127.0.0.1').setEncoding('utf8')
  socket.write(health)
  t.match((await once(socket, 'data'))[0], /\r\nKeep-Alive: timeout=620\r\n/)
})

t.test('an idle connection stays open for KEEP_ALIVE_TIMEOUT, even if the connection time-out is shorter', async t => {
  const { app } = testApp(t, { config: { KEEP_ALIVE_TIMEOUT: 1000 } })
  app.server.timeout = 100
  const socket = connect(await portOf(app), '127.0.0.1')
  socket.write(health)
  await once(socket, 'data')
  const answered = performance.now()
  await once(socket, 'close')
  t.ok(performance.now() - answered >= 990, 'but for the rounding of timers')
})
