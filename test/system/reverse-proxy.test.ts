import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { testApp } from '../support/app.js'
import { substitute } from '../support/documentation.js'
import { proxied } from '../support/documented.js'
import { body, signature } from '../support/example.js'
import { portOf, raw } from '../support/http.js'
import { startProxy, without } from '../support/proxies.js'
import { send as sendOver } from '../support/send.js'

/** The configurations of docs/deploy.md, changed for a path prefix as in the table of that page. */
const configurations = {
  nginx: substitute(proxied.nginx, {
    'location /': 'location /payments/', 'proxy_pass http://payment_signature;': 'proxy_pass http://payment_signature/;'
  }),
  haproxy: substitute(proxied.haproxy, {
    '    option httpchk': '    http-request replace-path /payments/(.*) /\\1\n    option httpchk'
  }),
  caddy: substitute(proxied.caddy, {
    '    reverse_proxy': '    handle_path /payments/* {\n    reverse_proxy', '    handle_errors': '    }\n    handle_errors'
  })
}

/** Sends a request from 127.0.0.9, so that the client's address differs from the proxy's. */
const send = (
  port: number, method: string, headers: Record<string, string>, body = '', path = '/payments/api/generate-signature'
) => sendOver(port, { agent: false, localAddress: '127.0.0.9', method, headers, body, path })

/** Both instances and their admin ports, at one port. */
const portsOf = (port: number) => ({ 3001: port, 3002: port, 9461: port, 9462: port })

const json = { 'content-type': 'application/json' }
const origin = 'https://shop.example'

const jsonError = (statusCode: number) => ({
  statusCode,
  headers: { 'content-type': /^application\/json/, 'access-control-allow-origin': /^\*$/ },
  body: `{"error":"The proxy in front of the service responded with ${statusCode}"}`
})

/** Accepts connections in place of the service. It is ready, and closes the connection of any other request. */
async function impostor (t: Test) {
  const sockets = new Set<Socket>()
  const state = { responds: (socket: Socket) => { socket.end() } }
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {}).once('data', data => {
      if (String(data).startsWith('GET /ready')) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
      else state.responds(socket)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  t.teardown(close)
  return { port: (server.address() as AddressInfo).port, state, close }
}

for (const [name, configuration] of Object.entries(configurations) as Array<[keyof typeof configurations, string]>) {
  t.test(`behind ${name}, under a path prefix`, { skip: without(name) }, async t => {
    t.test('a signature, and the client\'s address', async t => {
      const { app, log } = testApp(t, { config: { TRUST_PROXY: '127.0.0.1' } })
      const { port } = await startProxy(t, name, configuration, portsOf(await portOf(app)))
      const response = await send(port, 'POST', { ...json, 'x-forwarded-for': '203.0.113.66' }, body)
      t.equal(response.statusCode, 200)
      t.equal(response.body, JSON.stringify({ signature }))
      t.match(log(), '"ip":"127.0.0.9"')
      t.notMatch(log(), '203.0.113.66', 'what the client forwards itself is not believed')
    })

    t.test('without TRUST_PROXY the address is the proxy\'s', async t => {
      const { app, log } = testApp(t)
      const { port } = await startProxy(t, name, configuration, portsOf(await portOf(app)))
      await send(port, 'POST', json, body)
      t.match(log(), '"ip":"127.0.0.1"')
    })

    t.test('preflight, and errors of the service, which a browser may read', async t => {
      const { app } = testApp(t, { config: { CORS_ORIGIN: origin } })
      const { port } = await startProxy(t, name, configuration, portsOf(await portOf(app)))
      const preflight = await send(port, 'OPTIONS', {
        origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type'
      })
      t.equal(preflight.statusCode, 204)
      t.match(preflight.headers, {
        'access-control-allow-origin': origin, 'access-control-allow-headers': 'content-type'
      })
      const refused = await send(port, 'POST', { ...json, origin }, '{}') // a larger body is refused by the proxy
      t.equal(refused.statusCode, 400)
      t.equal(refused.headers['access-control-allow-origin'], origin)
      t.equal(refused.body, JSON.stringify({ error: 'merchantAccountNumber or accountNumber is required' }))
    })

    t.test('errors of the proxy are JSON too', async t => {
      const { port: upstream, state, close } = await impostor(t)
      const impatient = {
        nginx: () => substitute(configuration, { 'proxy_read_timeout 3s': 'proxy_read_timeout 100ms' }),
        haproxy: () => substitute(configuration, { 'timeout server 3s': 'timeout server 100ms' }),
        caddy: () => substitute(configuration, { 'response_header_timeout 3s': 'response_header_timeout 100ms', 'lb_try_duration 5s': 'lb_try_duration 100ms' })
      }
      const { port } = await startProxy(t, name, impatient[name](), portsOf(upstream))
      async function isJson (statusCode: number, payload = body) {
        t.match(await send(port, 'POST', { ...json, origin }, payload), jsonError(statusCode))
      }
      if (name === 'nginx') t.match(await raw(port, 'GET / HTTP/1.1\r\n\r\n'), jsonError(400))
      if (name !== 'caddy') await isJson(413, 'x'.repeat(102_401)) // Caddy leaves this check to the service
      await isJson(502)
      state.responds = () => {}
      await isJson(504)
      close()
      await isJson(name === 'haproxy' ? 503 : 502)
    })
  })
}
