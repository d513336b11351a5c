import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import t from 'tap'
import { server } from './support/server.js'

t.test('metrics are served at ADMIN_PORT, until the end', async t => {
  const service = server(t, { ADMIN_PORT: '0' })
  const [, port = '', metrics = ''] = await service.says(
    /listening at http:\/\/127\.0\.0\.1:(\d+), version [^,]+, variant A, token from [^,"]+, key check value [0-9a-f]{6}, metrics at (http:\/\/127\.0\.0\.1:\d+\/metrics)"/)
  await fetch(`http://127.0.0.1:${port}/api/generate-signature`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"accountNumber":"1","sid":"s","clientTimeStamp":1}'
  })
  const text = await (await fetch(metrics)).text()
  t.match(text, 'payment_signature_decisions_total{variant="A",operation="purchase",outcome="signed"} 1\n')
  t.equal((await fetch(`http://127.0.0.1:${port}/metrics`)).status, 404)
  t.equal(await service.terminate(), 0)
  await t.rejects(fetch(metrics))
})

t.test('it is on loopback, wherever the service itself listens, unless ADMIN_HOST says otherwise', async t => {
  const inside = server(t, { HOST: '127.0.0.2', ADMIN_PORT: '0', ADMIN_HOST: 'localhost' })
  const [, url = ''] = await inside.says(/metrics at (http:\/\/(?:127\.0\.0\.1|\[::1\]):\d+\/metrics)/)
  t.equal((await fetch(url)).status, 200)
  const outside = server(t, { ADMIN_PORT: '0', ADMIN_HOST: '127.0.0.3' })
  const [, elsewhere = ''] = await outside.says(/metrics at (http:\/\/127\.0\.0\.3:\d+\/metrics)"/)
  t.equal((await fetch(elsewhere)).status, 200)
})

t.test('an ADMIN_PORT in use is one line', async t => {
  const other = createServer().listen(0, '127.0.0.1')
  t.teardown(() => other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const service = server(t, { ADMIN_PORT: String(port) })
  t.equal(await service.ended, 1)
  t.equal(service.output(), 'payment-signature-backend: listen EADDRINUSE: address already in use ' +
    `127.0.0.1:${port}; see ADMIN_HOST and ADMIN_PORT\n`)
})
