import t, { type Test } from 'tap'
import { testApp } from '../support/app.js'
import { tcpServer } from '../support/backend.js'
import { substitute } from '../support/documentation.js'
import { nginxAt } from '../support/documented.js'
import { body, signature } from '../support/example.js'
import { portOf } from '../support/http.js'
import { startProxy, without } from '../support/proxies.js'
import { send } from '../support/send.js'

const configuration = nginxAt('/payments/')
const origin = 'https://shop.example'

/** Starts nginx with both instances at one port. Returns a function that sends a request from 127.0.0.9. */
async function behindNginx (t: Test, port: number, text = configuration) {
  const proxy = await startProxy(t, 'nginx', text, { 3001: port, 3002: port })
  return (payload: string, headers = {}, method = 'POST') => send(proxy.port, {
    agent: false, localAddress: '127.0.0.9', path: '/payments/api/generate-signature', method, headers, body: payload
  })
}

t.test('nginx, with the location of deploy/', { skip: without('nginx') }, async t => {
  t.test('a signature, and the address of the client', async t => {
    const { app, log } = testApp(t, { config: { TRUST_PROXY: '127.0.0.1' } })
    const ask = await behindNginx(t, await portOf(app))
    const response = await ask(body, { 'x-forwarded-for': '203.0.113.66' })
    t.equal(response.body, JSON.stringify({ signature }))
    t.match(log(), '"clientAddress":"127.0.0.9"')
    t.notMatch(log(), '203.0.113.66', 'what the client forwards itself is not believed')
  })

  t.test('preflight, and errors of the service, which a browser may read', async t => {
    const { app } = testApp(t, { config: { CORS_ORIGIN: origin } })
    const ask = await behindNginx(t, await portOf(app))
    const preflight = await ask('', { origin, 'access-control-request-method': 'POST' }, 'OPTIONS')
    t.match(preflight, { statusCode: 204, headers: { 'access-control-allow-origin': origin } })
    t.match(await ask('{}', { origin }), {
      statusCode: 400,
      headers: { 'access-control-allow-origin': origin },
      body: '{"error":"merchantAccountNumber or accountNumber is required"}'
    })
  })

  t.test('errors of nginx are JSON, too', async t => {
    const impatient = substitute(configuration, { 'proxy_read_timeout 3s': 'proxy_read_timeout 100ms' })
    const closing = await behindNginx(t, await tcpServer(t, socket => socket.end()))
    const silent = await behindNginx(t, await tcpServer(t), impatient)
    for (const [response, statusCode] of [
      [await closing('x'.repeat(102_401)), 413], [await closing(body), 502], [await silent(body), 504]
    ] as const) {
      t.match(response, {
        statusCode,
        headers: { 'content-type': /^application\/json/, 'access-control-allow-origin': /^\*$/ },
        body: `{"error":"The proxy in front of the service responded with ${statusCode}"}`
      })
    }
  })
})
