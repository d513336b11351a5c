import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { testApp } from '../../support/app.js'
import { body } from '../../support/example.js'
import { dial, exchange, portOf, raw } from '../../support/http.js'
import { memoryInUse } from '../../support/memory.js'

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`
const sign = `POST /api/generate-signature HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n` +
  `Content-Type: application/json\r\n\r\n${body}`

/** Resolves when a connection has ended, also by a reset. */
const closeOf = (socket: Socket) => new Promise(resolve => socket.once('close', resolve))

/** Returns an accepted connection, or undefined if the service ended it. */
async function open (t: Test, port: number, host: string): Promise<Socket | undefined> {
  const socket = connect(port, host).on('error', () => {})
  t.teardown(() => socket.destroy())
  socket.write(get('/health'))
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

t.test('too many connections: the oldest idle one ends without a byte; the new one, if all others are busy', async t => {
  const { app, log } = testApp(t, { config: { ADMIN_PORT: '0' } })
  const held: Array<() => void> = []
  app.get('/held', () => new Promise(resolve => held.push(() => resolve({}))))
  const port = await portOf(app)
  app.connections.max = 3
  const metrics = async () => await app.metrics?.metrics() ?? ''
  t.match(await metrics(), 'payment_signature_connections_max 3\n')
  t.match(await metrics(), 'payment_signature_connections_refused_total 0\n')

  const [busy, idle, late] = [await open(t, port, '127.0.0.1'), await open(t, port, '127.0.0.1'), await open(t, port, '127.0.0.1')] as Socket[]
  busy!.write(get('/held'))
  while (held.length < 1) await setImmediate()
  idle!.write(get('/health'))
  await once(idle!, 'data') // and now silent
  const ends = once(idle!, 'close')
  t.equal((await raw(port, get('/health'), '127.0.0.1')).statusCode, 200, 'a new client is served')
  await ends
  t.equal(late!.destroyed, false)

  while (app.connections.open.size > 2) await setImmediate()
  late!.write(get('/held'))
  const other = dial(t, port, '127.0.0.1')
  other.write(get('/held'))
  while (held.length < 3) await setImmediate()
  t.equal(await open(t, port, '127.0.0.1'), undefined)
  t.match(await metrics(), 'payment_signature_connections 3\n')
  t.match(await metrics(), 'payment_signature_connections_refused_total 2\n')
  t.match(log(), '"times":1,"max":3,"msg":"connections to PORT ended, too many are open"')
  t.equal(log().split('too many are open').length, 2, 'the others come in one line, later')
  for (const resolve of held) resolve()
  t.match(String((await once(busy!, 'data'))[0]), /^HTTP\/1\.1 200 OK/)
})

t.test('an idle connection stays open for KEEP_ALIVE_TIMEOUT, even if the connection time-out is shorter', async t => {
  const { app } = testApp(t, { config: { KEEP_ALIVE_TIMEOUT: 1000 } })
  app.server.timeout = 100
  const socket = dial(t, await portOf(app), '127.0.0.1').setEncoding('utf8')
  socket.write(get('/health'))
  t.match((await once(socket, 'data'))[0], /\r\nKeep-Alive: timeout=1\r\n/)
  const answered = performance.now()
  await once(socket, 'close')
  t.ok(performance.now() - answered >= 990, 'but for the rounding of timers')
})

// Requests behind another one.

t.test('more than 64 requests that wait behind another one cut the connection, and no other', async t => {
  const { app, log } = testApp(t)
  const port = await portOf(app)
  const received = await exchange(port, get('/health').repeat(70))
  t.ok((received.match(/"ok":true/g)?.length ?? 0) <= 65)
  t.match(log(), /"level":30.*"times":1,"ip":"127\.0\.0\.1","msg":"connection cut, too many requests wait behind another"/)
  t.equal(log().trim().split('\n').length, 1)
  t.equal((await raw(port, get('/health'))).statusCode, 200)
})

t.test('bodies that wait count towards the 8 MiB of all bodies', async t => {
  const { app } = testApp(t)
  const held: Array<(answer: object) => void> = []
  app.get('/held', () => new Promise(resolve => held.push(resolve)))
  const port = await portOf(app)
  const large = sign.replace(/Length: \d+/, 'Length: 102400') + ' '.repeat(102_400 - body.length)
  /** Sends requests behind another one, and resolves when they have arrived or the connection was cut. */
  async function send (request: string, requests: number): Promise<Socket> {
    const accepted = once(app.server, 'connection')
    const socket = dial(t, port, '127.0.0.1').on('error', () => {}).setEncoding('utf8').resume()
    const [serverSide] = await accepted as [Socket]
    const all = get('/held') + request.repeat(requests)
    socket.write(all)
    while (serverSide.bytesRead < all.length && !serverSide.destroyed) await setImmediate()
    return serverSide.destroyed ? serverSide : socket
  }
  for (let round = 0; round < 2; round++) { // 81 fit
    const waiting = [await send(large, 60), await send(large, 21)]
    for (const { destroyed } of waiting) t.equal(destroyed, false)
    const tooMuch = await send(large, 1)
    const small = await send(sign, 1)
    const received = [...waiting, tooMuch, small].map(socket => {
      const all = { text: '' }
      socket.on('data', text => { all.text += text })
      return all
    })
    held.splice(0).forEach(resolve => resolve({}))
    const counts = () => received.map(({ text }) => text.split('HTTP/1.1 200').length - 1)
    while (counts().join() !== '61,22,1,2' || !received[2]!.text.includes('HTTP/1.1 503')) await setImmediate()
  }
})

t.test('5 connections with 60 requests that hang up leave 5 calls of the backend, and no signature', async t => {
  const decisions: Array<(decision: true) => void> = []
  const authorize = () => new Promise<true>(resolve => decisions.push(resolve))
  const { app, log, says } = testApp(t, { authorize, config: { AUDIT: 'true' } })
  const port = await portOf(app)
  const sockets = Array.from({ length: 5 }, () => dial(t, port, '127.0.0.1'))
  for (const socket of sockets) socket.write(sign.repeat(60))
  while (decisions.length < 5) await setImmediate()
  for (const { bytesRead } of app.connections.open) t.equal(bytesRead, 60 * sign.length)
  sockets.forEach(socket => socket.destroy())
  while (app.connections.open.size > 0) await setImmediate()
  for (const decide of decisions) decide(true)
  await says('request dropped, no response can be sent', 5)
  await setImmediate()
  t.equal(decisions.length, 5)
  t.notMatch(log(), '"outcome":')
})

t.test('bodies of connections that were cut are freed, although the first request is not answered', async t => {
  const authorize = () => new Promise<true>(() => {})
  const { app } = testApp(t, { authorize, config: { STRICT: true } })
  const port = await portOf(app)
  const large = JSON.stringify({ ...JSON.parse(body), x: `€${'y'.repeat(100_000)}` }).replace('"sid"', '"sid":"","sid"')
  const waiting = sign.replace(body, large).replace(/Length: \d+/, `Length: ${Buffer.byteLength(large)}`)
  const before = await memoryInUse()
  for (let connection = 0; connection < 8; connection++) {
    const accepted = once(app.server, 'connection')
    const socket = dial(t, port, '127.0.0.1').on('error', () => {})
    const [serverSide] = await accepted as [Socket]
    const all = Buffer.from(sign + waiting.repeat(30))
    socket.write(all)
    while (serverSide.bytesRead < all.length) await setImmediate()
    serverSide.destroy()
  }
  dial(t, port, '127.0.0.1').write(sign + sign) // the next request that waits
  while (app.connections.open.size < 1) await setImmediate()
  await setImmediate()
  const used = await memoryInUse() - before
  t.ok(used < 20e6, `${used} bytes`) // all 240 bodies would be 48 MB
})

t.test('nothing is read, asked or signed behind a response that closes the connection', async t => {
  let asked = 0
  const authorize = () => { asked++; return true as const }
  const { app, log } = testApp(t, { authorize, config: { AUDIT: 'true' } })
  const closing = sign.replace('\r\n', '\r\nConnection: close\r\n').replace('"amount"', '"_mount",')
  const received = await exchange(await portOf(app), closing + sign + sign)
  t.match(received, /^HTTP\/1\.1 400 /)
  t.equal(received.split('HTTP/1.1').length, 2)
  await setImmediate()
  t.equal(asked, 0)
  t.notMatch(log(), 'signed')
})

t.test('256 requests may wait on all connections together, and are served one after the other', async t => {
  const { app, log } = testApp(t)
  const held: Array<() => void> = []
  let served = 0
  app.addHook('preHandler', (_request, _reply, done) => {
    served++
    held.push(done)
  })
  const port = await portOf(app)
  const send = (requests: number) => {
    const socket = dial(t, port, '127.0.0.1').on('error', () => {}).setEncoding('utf8')
    socket.write(get('/health').repeat(requests))
    return socket
  }
  const inProgress = async (requests: number) => { while (held.length < requests) await setImmediate() }
  const sendAll = async () => {
    const sockets = [send(65), send(65), send(65), send(65)]
    await inProgress(4)
    await closeOf(send(2).resume())
    t.match(log(), /"ip":"127\.0\.0\.1","msg":"connection cut, too many requests wait behind another"/)
    t.ok(served <= 5, 'of each connection only the first is in progress')
    return sockets
  }

  const cut = await sendAll()
  cut.forEach(socket => socket.destroy())
  while (app.connections.open.size > 0) await setImmediate()
  held.splice(0).forEach(done => done())
  await setImmediate()
  t.ok(served <= 5, 'nor do those of a connection that has ended follow')

  served = 0
  const answers = (await sendAll()).map(async socket => {
    let received = ''
    while (received.split('"ok":true').length <= 65) received += (await once(socket, 'data'))[0]
  })
  for (let count = 0; count < 261; count++) { // one belongs to the connection that was cut
    await inProgress(1)
    held.shift()?.()
  }
  await Promise.all(answers)

  const last = send(2)
  await inProgress(1)
  held.forEach(done => done())
  t.match((await once(last, 'data'))[0], /^HTTP\/1\.1 200/, 'after the responses there is room again')
})
