import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { testApp } from '../../support/app.js'
import { portOf } from '../../support/http.js'

const health = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n'

t.test('KEEP_ALIVE_TIMEOUT is announced', async t => {
  const { app } = testApp(t, { config: { KEEP_ALIVE_TIMEOUT: 620_000 } })
  const socket = connect(await portOf(app), '127.0.0.1').setEncoding('utf8')
  t.teardown(() => socket.destroy())
  socket.write(health)
  t.match((await once(socket, 'data'))[0], /\r\nKeep-Alive: timeout=620\r\n/)
})

t.test('an idle connection lives for KEEP_ALIVE_TIMEOUT, though the time-out of connections is shorter', async t => {
  const { app } = testApp(t, { config: { KEEP_ALIVE_TIMEOUT: 1000 } })
  app.server.timeout = 100
  const socket = connect(await portOf(app), '127.0.0.1')
  socket.write(health)
  await once(socket, 'data')
  const answered = performance.now()
  await once(socket, 'close')
  t.ok(performance.now() - answered >= 990, 'but for the rounding of timers')
})
