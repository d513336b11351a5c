import { EventEmitter, once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate, setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { listen } from '../../../src/process/listen.js'
import { testApp } from '../../support/app.js'
import { embedded } from '../../support/embedded.js'
import { dial, portOf, raw } from '../../support/http.js'
import { block, overload, recovered } from '../../support/overload.js'

const fields = { accountNumber: '1', sid: 's', clientTimeStamp: 1 }
const body = JSON.stringify(fields)
const head = 'POST /api/generate-signature HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
  `Content-Length: ${body.length}\r\n\r\n`

t.test('probes of a healthy service', async t => {
  for (const VARIANT of ['A', 'B']) {
    const { app, log } = testApp(t, { config: { VARIANT } })
    const alive = `{"ok":true,"service":"payment-signature-backend","variant":"${VARIANT}"}`
    for (const [url, body] of [['/', alive], ['/health', alive], ['/health?probe=1', alive], ['/ready', '{"ok":true}']] as const) {
      const { statusCode, headers, body: text } = await app.inject(url)
      t.strictSame([statusCode, headers['content-type'], text], [200, 'application/json; charset=utf-8', body], url)
    }
    t.equal(log(), '', 'probes do not fill the log')
    const { statusCode, headers, body } = await app.inject({ method: 'HEAD', url: '/health' })
    t.strictSame([statusCode, headers['content-length'], body], [200, '63', ''])
  }
})

t.test('a failing probe is not logged under a higher LOG_LEVEL', async t => {
  for (const [LOG_LEVEL, lines] of [['trace', 1], ['warn', 1], ['error', 0], ['silent', 0]] as const) {
    const { app, log } = testApp(t, { config: { LOG_LEVEL } })
    await app.ready()
    const before = log()
    app.drain()
    t.equal((await app.inject('/ready')).statusCode, 503)
    t.equal((await app.inject('/health')).statusCode, 200)
    t.equal(log().slice(before.length).split('\n').length - 1, lines, LOG_LEVEL)
  }
})

t.test('a blocked event loop is overload: signing and readiness fail, liveness succeeds, and all recover', async t => {
  const { app, log } = testApp(t, { config: { ADMIN_PORT: '0' } }, true)
  const sign = { method: 'POST', url: '/api/generate-signature', payload: fields } as const
  await app.ready()
  await recovered(app)
  t.equal((await app.inject(sign)).statusCode, 200)

  await overload(app)
  const { isOverloaded } = app
  app.isOverloaded = () => false
  t.equal(app.unreadiness(), 'overloaded', 'also just afterwards')
  app.isOverloaded = isOverloaded
  const [refused, ready, alive] = await Promise.all([app.inject(sign), app.inject('/ready'), app.inject('/health')])
  t.equal(refused.statusCode, 503)
  t.equal(refused.body, '{"error":"Service Unavailable: overloaded, try again later"}')
  t.match(refused.headers, { 'retry-after': '2', 'access-control-allow-origin': '*' })
  t.strictSame([ready.statusCode, ready.body], [503, '{"error":"overloaded"}'])
  t.match(log(), '"reason":"overloaded","msg":"not ready"')
  t.equal(alive.statusCode, 200)
  const metrics = await app.metrics?.metrics() ?? ''
  t.match(metrics, 'payment_signature_shed_requests_total 1\n')
  t.match(metrics, 'outcome="unavailable",caller="anonymous"} 1\n')
  t.match(metrics, /^payment_signature_event_loop_delay_seconds [\d.]{3}/m)

  await recovered(app)
  t.equal((await app.inject(sign)).statusCode, 200)
  t.equal((await app.inject('/ready')).statusCode, 200)
})

t.test('a reason for which the service is not ready is logged once', async t => {
  const { app, log } = testApp(t)
  await app.ready()
  for (const reason of ['audit unavailable', 'audit unavailable', 'overloaded', '', 'overloaded']) {
    app.unreadiness = () => reason
    t.equal((await app.inject('/ready')).statusCode, reason === '' ? 200 : 503)
  }
  t.strictSame([...log().matchAll(/"reason":"(.*?)","msg":"not ready"/g)].map(([, reason]) => reason),
    ['audit unavailable', 'overloaded', 'overloaded'])
})

t.test('the start and one bad second are no overload, a second one is', async t => {
  const { app } = testApp(t, {}, true)
  app.register(async () => { block(2000) })
  await app.ready()
  t.equal(app.isOverloaded(), false, 'after a start of two seconds')
  for (const isOverloaded of [false, true]) {
    block(1500)
    await setTimeout(1) // the delay is read before
    t.equal(app.isOverloaded(), isOverloaded)
  }
})

t.test('under overload, a request is refused before its body is read', async t => {
  const { app } = embedded(t, {
    isOverloaded: () => true,
    rateLimitMax: 1,
    policy: { callers: [{ name: 'shop', apiKeySha256: 'a'.repeat(64), operations: ['purchase'], accountNumbers: ['102551'] }] }
  })
  const port = await portOf(app)
  for (const [what, headers, body] of [
    ['malformed', 'Content-Type: application/json\r\nContent-Length: 1', '{'],
    ['too large', 'Content-Type: application/json\r\nContent-Length: 1000000', ''],
    ['yet to come', 'Content-Type: application/json\r\nContent-Length: 100', '']
  ] as const) {
    const answer = await raw(port, `POST /api/generate-signature HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${body}`)
    t.match(answer, { statusCode: 503, headers: { 'retry-after': '2', 'error-code': 'overloaded' } }, `a body that is ${what}`)
  }
})

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

t.test('a request of which nothing or a part had arrived when the close began is answered', async t => {
  for (const sent of ['', head.slice(0, 40)]) {
    const { app } = testApp(t)
    const socket = dial(t, await portOf(app), '127.0.0.1').setEncoding('utf8')
    const [serverSide] = await once(app.server, 'connection')
    socket.write(sent)
    while (serverSide.bytesRead < sent.length) await setImmediate()
    const closed = app.close()
    await setImmediate()
    socket.write(head.slice(sent.length) + body)
    const answer = (await socket.toArray()).join('')
    t.match(answer, /^HTTP\/1\.1 200 OK\r\n/, `after ${sent.length} bytes`)
    t.match(answer, /\r\nconnection: close\r\n/i)
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
  t.equal(app.finishingTime(), 20_000)
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
  const url = await listen(app, '127.0.0.1', 0)
  app.server.requestTimeout = 3_600_000 // milliseconds
  const cuts = []
  for (const host of ['127.0.0.1', '127.0.0.1']) {
    const socket = connect(Number(new URL(url).port), host)
    await once(app.server, 'connection')
    cuts.push(once(socket, 'close'))
  }
  await app.close()
  await Promise.all(cuts)
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

t.test('a draining service is not ready, answers, and ends each connection after its answer', async t => {
  const { app, port, socket } = await busyApp(t)
  app.drain()
  socket.write(body)
  const answer = (await socket.toArray()).join('')
  t.match(answer, /^HTTP\/1\.1 200 OK\r\n/)
  t.match(answer, /\r\nconnection: close\r\n/i)
  const probe = (path: string) => raw(port, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  t.match(await probe('/ready'), { statusCode: 503, headers: { connection: 'close' }, body: '{"error":"shutting down"}' })
  t.match(await probe('/health'), { statusCode: 200, headers: { connection: 'close' } }, 'new connections are taken')
})
