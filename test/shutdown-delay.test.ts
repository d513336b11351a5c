import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { body, sign, signature } from './support/example.js'
import { listening, server } from './support/server.js'

t.jobs = 2 // the tests mostly wait

t.test('with SHUTDOWN_DELAY it is not ready first, and goes on serving until a second signal', { buffered: true }, async t => {
  const service = server(t, { SHUTDOWN_DELAY: '3600000' })
  const [, port = ''] = await service.says(listening)
  const ready = () => fetch(`http://127.0.0.1:${port}/ready`)
  t.equal((await ready()).status, 200)
  service.process.kill('SIGTERM')
  await service.says(/"SIGTERM, not ready any more, still serving for 3600000 ms"/)
  const response = await ready()
  t.equal(response.status, 503)
  t.equal(response.headers.get('connection'), 'close')
  t.same(await response.json(), { error: 'shutting down' })
  t.same(await sign(port), { signature })
  t.notMatch(service.output(), /SIGTERM, shutting down/)
  service.process.kill('SIGTERM')
  t.equal(await service.ended, 1)
})

t.test('the delay is on top of the time to finish', { buffered: true }, async t => {
  const service = server(t, { SHUTDOWN_DELAY: '1000' }, { isCovered: true })
  const [, port = ''] = await service.says(listening)
  const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8')
  socket.write('POST /api/generate-signature HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
    `Content-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`)
  await once(socket, 'data')
  const signalled = performance.now()
  service.process.kill('SIGTERM')
  await service.says(/SIGTERM, shutting down/)
  t.ok(performance.now() - signalled >= 1000)
  socket.write(body)
  t.match((await socket.toArray()).join(''), JSON.stringify({ signature }))
  t.equal(await service.ended, 0)
  t.match(service.output(), /"SIGTERM, shutting down"[^]*"closed"/)
})
