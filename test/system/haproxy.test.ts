import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import t, { type Test } from 'tap'
import { body, request, signature } from '../support/example.js'
import { freePorts } from '../support/free-port.js'
import { startHaproxy } from '../support/haproxy.js'
import { load } from '../support/load.js'
import { without } from '../support/proxies.js'
import { limited, server } from '../support/server.js'

const answer = JSON.stringify({ signature })

const service = (t: Test, port: number, adminPort: number) => server(t, {
  PORT: String(port), ADMIN_PORT: String(adminPort), LOG_LEVEL: 'warn', SHUTDOWN_DELAY: '1000'
})

t.test('a rolling restart behind HAProxy, under load: no request fails', { skip: without('haproxy') }, async t => {
  const ports = await freePorts()
  const proxy = await startHaproxy(t, ports)
  for (const name of ['one', 'other']) await proxy.says(name, 'DOWN', 1)
  const one = () => service(t, ports[3001], ports[9464])
  const other = () => service(t, ports[3002], ports[9465])
  const starts = { one, other }
  const running = { one: one(), other: other() }
  for (const name of ['one', 'other']) await proxy.says(name, 'UP', 1)

  const clients = load(proxy.port, 5)
  for (const name of ['one', 'other'] as const) {
    await clients.until(100, name)
    running[name].process.kill('SIGTERM')
    await proxy.says(name, 'DOWN', 2)
    t.equal(running[name].process.exitCode, null, 'it still serves when the proxy has turned away')
    t.equal(await running[name].ended, 0)

    running[name] = starts[name]()
    await proxy.says(name, 'UP', 2)
    await clients.until(100, name)
  }
  const { signed, failures } = await clients.stop()

  t.strictSame(failures, [])
  for (const name of ['one', 'other']) {
    const { econ, eresp, wretr, wredis } = await proxy.stats(name)
    t.strictSame({ econ, eresp, wretr, wredis }, { econ: '0', eresp: '0', wretr: '0', wredis: '0' }, 'nor was retried')
  }
  t.ok(signed > 1000, `${signed} were signed`)
})

t.test('a service survives slow bodies on all its connections', { skip: without('haproxy') }, async t => {
  const ports = await freePorts()
  const streams = { '    option http-buffer-request\n': '', 'timeout server 3s': 'timeout server 30s' }
  const proxy = await startHaproxy(t, ports, streams) // the other server is down
  await proxy.says('one', 'DOWN', 1)
  const only = limited(t, 256, { PORT: String(ports[3001]), ADMIN_PORT: String(ports[9464]), LOG_LEVEL: 'warn' })
  await proxy.says('one', 'UP', 1)

  const refused = Object.assign(new EventEmitter(), { count: 0 })
  const slow = Array.from({ length: 300 }, () => {
    const socket = connect(proxy.port, '127.0.0.1').on('error', () => {})
    socket.write('POST /api/generate-signature HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
      'Content-Length: 100\r\n\r\n{')
    return socket.on('data', () => refused.emit('response', refused.count++))
  })
  t.teardown(() => slow.forEach(socket => socket.destroy()))
  while (refused.count < 92) await once(refused, 'response') // 208 may be open
  const text = await (await fetch(`http://127.0.0.1:${ports[9464]}/metrics`)).text()
  t.match(text, 'payment_signature_connections 208\n')
  t.equal((await fetch(`http://127.0.0.1:${ports[9464]}/ready`)).status, 200, 'HAProxy sees it alive')

  for (const socket of slow) socket.destroy()
  let response
  do {
    response = await request(proxy.port, body)
  } while (response.status === 503) // until the service has seen the other connections end
  t.equal(await response.text(), answer)
  t.equal(await only.terminate(), 0)
})
