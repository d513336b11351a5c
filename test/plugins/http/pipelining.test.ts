import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { testApp } from '../../support/app.js'
import { body } from '../../support/example.js'
import { dial, exchange, portOf, raw } from '../../support/http.js'
import { listening, server } from '../../support/server.js'

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

t.test('64 requests that wait behind another one are answered, repeatedly', async t => {
  const { app } = testApp(t)
  const socket = dial(t, await portOf(app), '127.0.0.1').setEncoding('utf8')
  for (let round = 0; round < 3; round++) {
    socket.write(get('/health').repeat(65))
    let received = ''
    while (received.split('"ok":true').length <= 65) received += (await once(socket, 'data'))[0]
    t.equal(received.match(/HTTP\/1\.1 200 OK\r\n/g)?.length, 65)
  }
})

t.test('more than that cut the connection, and no other', async t => {
  const { app, log } = testApp(t)
  const port = await portOf(app)
  const received = await exchange(port, get('/health').repeat(70))
  t.ok((received.match(/"ok":true/g)?.length ?? 0) <= 65)
  t.match(log(), /"level":30.*"times":1,"ip":"127\.0\.0\.1","msg":"connection cut, more than 64 requests wait on it"/)
  t.equal(log().trim().split('\n').length, 1)
  t.equal((await raw(port, get('/health'))).statusCode, 200)
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
    await once(send(2).resume(), 'close')
    t.match(log(), /"ip":"127\.0\.0\.1","msg":"connection cut, more than 256 requests wait on all connections"/)
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

for (const [what, request] of [
  ['signatures', `POST /api/generate-signature HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n` +
    `Content-Type: application/json\r\n\r\n${body}`],
  ['health', get('/health')]
] as const) {
  t.test(`clients that ask for ${what} without end and read nothing are cut, and others are served`, async t => {
    const service = server(t, {})
    const port = Number((await service.says(listening))[1])
    const flood = Buffer.from(request.repeat(Math.ceil(1e6 / request.length)))
    const cut = Array.from({ length: 20 }, async () => {
      const socket = dial(t, port, '127.0.0.1').on('error', () => {})
      const send = (error?: Error | null) => { if (!error) socket.write(flood, send) }
      send()
      await new Promise(resolve => socket.once('close', resolve))
    })
    t.equal((await raw(port, get('/health'))).statusCode, 200)
    await Promise.all(cut)
    t.equal((await raw(port, get('/health'))).statusCode, 200)
    t.equal(await service.terminate(), 0)
  })
}
