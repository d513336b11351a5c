import { EventEmitter, once } from 'node:events'
import { readFileSync, renameSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { testApp } from '../support/app.js'
import { body } from '../support/example.js'
import { dial, portOf } from '../support/http.js'

const head = 'POST /api/generate-signature HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
  `Content-Length: ${body.length}\r\n\r\n`

t.test('probes of a healthy service, which the log does not contain', async t => {
  const { app, log } = testApp(t)
  const alive = '{"ok":true,"service":"payment-signature-backend","variant":"A"}'
  for (const [url, body] of [['/', alive], ['/health', alive], ['/health?probe=1', alive], ['/ready', '{"ok":true}']] as const) {
    const { statusCode, headers, body: text } = await app.inject(url)
    t.strictSame([statusCode, headers['content-type'], text], [200, 'application/json; charset=utf-8', body], url)
  }
  const { statusCode, headers, body } = await app.inject({ method: 'HEAD', url: '/health' })
  t.strictSame([statusCode, headers['content-length'], body], [200, '63', ''])
  t.equal(log(), '')
})

t.test('a request of which nothing or a part had arrived when the close began is answered', async t => {
  for (const sent of ['', head.slice(0, 40), head, head + body.slice(0, 9)]) {
    const { app } = testApp(t)
    const socket = dial(t, await portOf(app)).setEncoding('utf8')
    const [serverSide] = await once(app.server, 'connection')
    socket.write(sent)
    while (serverSide.bytesRead < sent.length) await setImmediate()
    const closed = app.close()
    await setImmediate()
    socket.write((head + body).slice(sent.length))
    t.match((await socket.toArray()).join(''), /^HTTP\/1\.1 200 OK\r\n[^]*connection: close\r\n/i, `after ${sent.length} bytes`)
    await closed
  }
})

t.test('an incomplete request is cut off, and a request that waits for its decision is not', async t => {
  let decide: (decision: true) => void = () => {}
  const asked = new EventEmitter()
  const authorize = () => new Promise<true>(resolve => {
    decide = resolve
    asked.emit('asked')
  })
  const { app } = testApp(t, { config: { AUTHORIZE_TIMEOUT: 10_000 }, authorize })
  const port = await portOf(app)
  async function sent (text: string, emitter: EventEmitter, event: string): Promise<Socket> {
    const socket = dial(t, port).setEncoding('utf8')
    socket.write(text)
    await once(emitter, event)
    return socket
  }
  const stalled = await sent(head, app.server, 'request')
  const waiting = await sent(head + body, asked, 'asked')
  app.server.requestTimeout = 50 // milliseconds
  const cut = once(stalled, 'close')
  const closed = app.close()
  decide(true)
  t.match((await waiting.toArray()).join(''), /^HTTP\/1\.1 200 OK\r\n/)
  app.server.closeAllConnections()
  await cut
  await closed
})

t.test('after the time-outs of request and decision, what is left is cut off', async t => {
  const { app } = testApp(t, { config: { AUTHORIZE_TIMEOUT: 50 } })
  app.get('/never', () => new Promise(() => {}))
  const socket = connect(await portOf(app))
  app.server.requestTimeout = 50 // milliseconds
  socket.write('GET /never HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(app.server, 'request')
  const cut = once(socket, 'close')
  await app.close()
  await cut
})

t.test('the close gives each function its time: a decision asks authorize, tokenOf and audit in turn', async t => {
  for (const [functions, waits] of [[{}, 1], [{ audit: () => {} }, 2], [{ tokenOf: () => '', audit: () => {} }, 3]] as const) {
    const { app } = testApp(t, { config: { AUTHORIZE_TIMEOUT: 500 }, ...functions })
    await app.ready()
    const timers = t.capture(globalThis, 'setTimeout', setTimeout)
    await app.close()
    t.ok(timers().some(({ args: [, time] }) => time === 10_000 + waits * 500), String(waits))
    timers.restore()
  }
})

t.test('the close waits for a decision whose client has left, and its record', async t => {
  let decide: () => void
  const decided = new Promise<void>(resolve => { decide = resolve })
  const AUDIT_FILE = `${t.testdir({})}/audit`
  const { app, says } = testApp(t, {
    config: { AUDIT_FILE },
    async authorize () {
      await decided
      return true
    }
  })
  const socket = dial(t, await portOf(app))
  socket.write(head + body)
  await once(app.server, 'request')
  socket.destroy()
  await says('"msg":"request aborted"')
  const closed = app.close()
  setTimeout(() => decide(), 50)
  await closed
  t.match(readFileSync(AUDIT_FILE, 'utf8'), '"outcome":"signed"')
})

t.test('silent connections delay the close for a second', async t => {
  const { app } = testApp(t)
  const port = await portOf(app)
  app.server.requestTimeout = 3_600_000 // milliseconds
  const accepted = once(app.server, 'connection')
  const socket = connect(port, '127.0.0.1')
  await accepted
  const cut = once(socket, 'close')
  await app.close()
  await cut
})

t.test('an idle connection stays open for KEEP_ALIVE_TIMEOUT', async t => {
  const { app } = testApp(t, { config: { KEEP_ALIVE_TIMEOUT: 1000 } })
  const port = await portOf(app)
  app.server.timeout = 100 // milliseconds
  const socket = dial(t, port).setEncoding('utf8')
  socket.write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n')
  t.match((await once(socket, 'data'))[0], /\r\nKeep-Alive: timeout=1\r\n/)
  const answered = performance.now()
  await once(socket, 'close')
  t.ok(performance.now() - answered >= 990, 'but for the rounding of timers')
})

t.test('a file of required decisions that cannot be written makes the service not ready, until it can be', async t => {
  const file = `${t.testdir({ folder: {} })}/folder/audit`
  const { app, log } = testApp(t, { config: { AUDIT_FILE: file } })
  const ready = async () => (await app.inject('/ready')).body
  t.equal(await ready(), '{"ok":true}')
  renameSync(`${t.testdirName}/folder`, `${t.testdirName}/moved`)
  t.equal((await app.inject({ method: 'POST', url: '/api/generate-signature', payload: JSON.parse(body) })).statusCode, 503)
  t.equal(await ready(), '{"error":"audit unavailable"}')
  renameSync(`${t.testdirName}/moved`, `${t.testdirName}/folder`)
  t.equal(await ready(), '{"ok":true}')
  t.match(log(), /"cause":"ENOENT","msg":"decisions cannot be recorded"[^]*"lost":1,"msg":"decisions are recorded again"/)
})
