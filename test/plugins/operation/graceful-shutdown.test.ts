import { EventEmitter, once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { listen } from '../../../src/listening/listen.js'
import { testApp } from '../../support/app.js'
import { dial, portOf } from '../../support/http.js'

const body = '{"accountNumber":"1","sid":"s","clientTimeStamp":1}'
const head = 'POST /api/generate-signature HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
  `Content-Length: ${body.length}\r\n\r\n`

/** An app that has received a request without its body, and the connection of the request. */
async function busyApp (t: Test) {
  const { app } = testApp(t)
  const port = await portOf(app)
  const socket = dial(t, port, '127.0.0.1').setEncoding('utf8')
  socket.write(head)
  await once(app.server, 'request')
  return { app, port, socket }
}

t.test('a request in flight is answered, and its connection ends', async t => {
  const { app, socket } = await busyApp(t)
  const closed = app.close()
  socket.write(body)
  const answer = (await socket.toArray()).join('')
  t.match(answer, /^HTTP\/1\.1 200 OK\r\n/)
  t.match(answer, /\r\nconnection: close\r\n/i)
  t.match(answer, '"signature"')
  await closed
})

t.test('a request whose headers end after the close began is answered', async t => {
  const { app } = testApp(t)
  const port = await portOf(app)
  const socket = dial(t, port, '127.0.0.1').setEncoding('utf8')
  socket.write(head.slice(0, 40))
  const [serverSide] = await once(app.server, 'connection')
  while (serverSide.bytesRead === 0) await setImmediate()
  const closed = app.close()
  socket.write(head.slice(40) + body)
  const answer = (await socket.toArray()).join('')
  t.match(answer, /^HTTP\/1\.1 200 OK\r\n/)
  t.match(answer, /\r\nconnection: close\r\n/i)
  await closed
})

t.test('time-outs, in milliseconds', async t => {
  const { app } = testApp(t)
  t.match(app.server, {
    headersTimeout: 10_000,
    requestTimeout: 10_000,
    connectionsCheckingInterval: 1000,
    keepAliveTimeout: 72_000,
    timeout: 90_000
  })
})

t.test('a request in flight at a second address is answered, and new connections there are refused', async t => {
  const { app } = testApp(t)
  const [url = ''] = await listen(app, ['127.0.0.1', '127.0.0.2'], 0)
  const port = Number(new URL(url).port)
  const socket = dial(t, port, '127.0.0.2').setEncoding('utf8')
  socket.write(head)
  await once(app.server, 'request')
  let closed = false
  const closing = app.close().then(() => { closed = true })
  await setImmediate()
  for (const host of ['127.0.0.1', '127.0.0.2']) await t.rejects(fetch(`http://${host}:${port}/health`))
  t.equal(closed, false)
  socket.write(body)
  t.match((await socket.toArray()).join(''), /^HTTP\/1\.1 200 OK\r\n/)
  await closing
})

t.test('an incomplete request is cut off, and a request that waits for its decision is not', async t => {
  let decide: (decision: true) => void = () => {}
  const asked = new EventEmitter()
  const authorize = () => new Promise<true>(resolve => {
    decide = resolve
    asked.emit('asked')
  })
  const { app } = testApp(t, { config: { AUTHORIZE_TIMEOUT: 60_000 }, authorize })
  const port = await portOf(app)
  t.equal(app.finishingTime(), 70_000)
  async function sent (text: string, emitter: EventEmitter, event: string): Promise<Socket> {
    const socket = dial(t, port, '127.0.0.1').setEncoding('utf8')
    socket.write(text)
    await once(emitter, event)
    return socket
  }
  const stalled = await sent(head, app.server, 'request')
  const waiting = await sent(head + body, asked, 'asked')
  app.server.requestTimeout = 50 // milliseconds
  const cut = once(stalled, 'close')
  const closed = app.close()
  await cut
  decide(true)
  t.match((await waiting.toArray()).join(''), /^HTTP\/1\.1 200 OK\r\n/)
  await closed
})

t.test('a request that is not answered in time is cut off', async t => {
  const { app } = testApp(t, { config: { AUTHORIZE_TIMEOUT: 50 } })
  app.get('/never', () => new Promise(() => {}))
  const socket = connect(await portOf(app), '127.0.0.1')
  app.server.requestTimeout = 50 // milliseconds
  socket.write('GET /never HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(app.server, 'request')
  const cut = once(socket, 'close')
  await app.close()
  await cut
})

t.test('silent connections do not delay the close', async t => {
  const { app } = testApp(t)
  const [url = ''] = await listen(app, ['127.0.0.1', '127.0.0.2'], 0)
  app.server.requestTimeout = 3_600_000 // milliseconds
  const cuts = []
  for (const host of ['127.0.0.1', '127.0.0.2']) {
    const socket = connect(Number(new URL(url).port), host)
    await once(app.server, 'connection')
    cuts.push(once(socket, 'close'))
  }
  await app.close()
  await Promise.all(cuts)
})

t.test('a connection that sends its first byte after the close began is answered', async t => {
  const { app } = testApp(t)
  const socket = dial(t, await portOf(app), '127.0.0.1').setEncoding('utf8')
  await once(app.server, 'connection')
  const closed = app.close()
  await setImmediate()
  socket.write(head + body)
  t.match((await socket.toArray()).join(''), /^HTTP\/1\.1 200 OK\r\n/)
  await closed
})

t.test('a client that sends requests and does not read the answers is cut off', async t => {
  const { app } = testApp(t)
  app.server.timeout = 50 // milliseconds
  const socket = dial(t, await portOf(app), '127.0.0.1').on('error', () => {})
  const [serverSide] = await once(app.server, 'connection')
  const cut = new Promise(resolve => serverSide.once('close', resolve))
  const requests = (head + body).repeat(1000)
  const send = (): void => { // until back-pressure
    while (socket.write(requests));
    socket.once('drain', send)
  }
  send()
  await cut
})

t.test('a draining service answers, and ends each connection after its answer', async t => {
  const { app, port, socket } = await busyApp(t)
  t.equal(app.unreadiness(), '')
  app.drain()
  t.equal(app.unreadiness(), 'shutting down')
  socket.write(body)
  const answer = (await socket.toArray()).join('')
  t.match(answer, /^HTTP\/1\.1 200 OK\r\n/)
  t.match(answer, /\r\nconnection: close\r\n/i)
  const later = await fetch(`http://127.0.0.1:${port}/health`)
  t.equal(later.status, 200, 'new connections are taken')
  t.equal(later.headers.get('connection'), 'close')
})

t.test('readiness from start to shutdown', async t => {
  const { app } = testApp(t)
  app.addHook('onReady', async () => { t.equal(app.unreadiness(), 'starting') })
  await app.ready()
  t.equal(app.unreadiness(), '')
  await app.close()
  t.equal(app.unreadiness(), 'shutting down', 'without draining first')
})
