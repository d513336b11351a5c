import { once } from 'node:events'
import { type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { testApp } from '../../support/app.js'
import { body } from '../../support/example.js'
import { dial, portOf, raw } from '../../support/http.js'
import { listening, sayingWhere, server } from '../../support/server.js'

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

/** Opens `count` connections, and waits until the service has accepted them. */
async function connections (t: Test, port: number, count: number): Promise<Socket[]> {
  const sockets: Socket[] = []
  for (let index = 0; index < count; index++) {
    const socket = dial(t, port, '127.0.0.1').on('error', () => {})
    socket.write(get('/health'))
    await once(socket, 'data')
    sockets.push(socket)
  }
  for (let turn = 0; turn < 3; turn++) await setImmediate()
  return sockets
}

t.test('new connections are served before busy connections are done', async t => {
  const post = 'POST /api/generate-signature HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
    `Content-Length: ${body.length}\r\n\r\n${body}`
  const service = server(t, { LOG_LEVEL: 'silent' }, { nodeOptions: [sayingWhere] })
  const port = Number((await service.says(listening))[1])
  const received = { answers: 0 }
  for (const socket of await connections(t, port, 300)) {
    socket.on('data', () => {
      received.answers++
      socket.write(post)
    })
    socket.write(post)
  }
  while (received.answers < 600) await setImmediate()

  const before = received.answers
  const probes = await Promise.all(Array.from({ length: 100 }, () => raw(port, get('/health'))))
  for (const { statusCode } of probes) t.equal(statusCode, 200)
  const others = received.answers - before
  t.ok(others < 6000, `${others} requests came first`) // with one turn for each request there would be more than 24,000
})

t.test('of 320 simultaneous requests, 256 and the probes are served in the first turn; those of gone clients are dropped', async t => {
  const { app } = testApp(t)
  const served: string[] = []
  let wait = NaN
  app.get('/:number', async request => { served.push(request.url) })
  app.addHook('onResponse', async request => {
    if (request.url !== '/health' || served.length === 0) return
    served.push(request.url)
    wait = app.currentWait()
  })
  const port = await portOf(app)
  const [probe, ...sockets] = await connections(t, port, 6)
  t.equal(app.currentWait(), 0)

  for (const socket of sockets.slice(0, 4)) socket.write(get('/1').repeat(64))
  sockets[4]?.write(get('/2').repeat(64))
  probe?.write(get('/health'))
  await once(probe as Socket, 'data')
  t.equal(served.lastIndexOf('/health'), 256)
  t.ok(wait > 0)
  while (app.currentWait() > 0) await setImmediate()
  t.equal(served.filter(url => url === '/2').length, 64)

  served.length = 0
  for (const socket of sockets.slice(0, 4)) socket.write(get('/1').repeat(64))
  sockets[4]?.write(get('/2').repeat(66)) // over the limit: the connection is cut
  await once(sockets[4] as Socket, 'close')
  while (app.currentWait() > 0) await setImmediate()
  t.equal(served.length, 256)
  t.notOk(served.includes('/2'))
})
