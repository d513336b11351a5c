import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t from 'tap'
import type { Test } from 'tap'
import { testApp } from './support/app.js'
import { freePort } from './support/free-port.js'
import { portOf } from './support/http.js'

const nginx = ['nginx', '/usr/sbin/nginx'].find(program => spawnSync(program, ['-v']).status === 0) ?? ''

/** nginx as docs/reverse-proxy.md configures it, before a service at `upstream`; returns its port. */
async function startNginx (t: Test, upstream: number): Promise<number> {
  const port = await freePort()
  const folder = t.testdir({
    temp: {},
    'nginx.conf': `
      worker_processes 1;
      pid nginx.pid;
      error_log error.log;
      events {}
      http {
        access_log off;
        client_body_temp_path temp/body;
        proxy_temp_path temp/proxy;
        fastcgi_temp_path temp/fastcgi;
        uwsgi_temp_path temp/uwsgi;
        scgi_temp_path temp/scgi;
        upstream payment_signature {
          server 127.0.0.1:${upstream};
          keepalive 16;
        }
        server {
          listen 127.0.0.1:${port};
          location /payments/ {
            proxy_pass http://payment_signature/;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Host $host;
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
            proxy_set_header X-Request-Id $request_id;
          }
        }
      }`
  })
  const command = (...more: string[]) =>
    spawnSync(nginx, ['-p', folder, '-e', 'error.log', '-c', 'nginx.conf', ...more], { stdio: 'ignore' })
  const { status } = command() // returns once it listens
  t.equal(status, 0, readFileSync(join(folder, 'error.log'), 'utf8'))
  t.teardown(() => command('-s', 'stop'))
  return port
}

const body = '{"operationType":"purchase","amount":"100.00","merchantAccountNumber":"102551","orderId":"ORDER-12345",' +
  '"sid":"client-generated-session-id","clientTimeStamp":1709912345678}'

/** A request of a client at 127.0.0.9, so that its address differs from nginx's. */
async function send (port: number, method: string, headers: Record<string, string>, payload = '') {
  const outgoing = request({
    port, method, headers, path: '/payments/api/generate-signature', host: '127.0.0.1', localAddress: '127.0.0.9'
  }).end(payload)
  const [response] = await once(outgoing, 'response') as [IncomingMessage]
  return { statusCode: response.statusCode, headers: response.headers, body: await text(response) }
}

t.test('behind nginx, under a path prefix', { skip: nginx === '' && 'nginx is not installed' }, async t => {
  const json = { 'content-type': 'application/json' }

  t.test('a signature, and the client\'s address', async t => {
    const { app, log } = testApp(t, { config: { TRUST_PROXY: '127.0.0.1' } })
    const port = await startNginx(t, await portOf(app))
    const response = await send(port, 'POST', { ...json, 'x-forwarded-for': '203.0.113.66' }, body)
    t.equal(response.statusCode, 200)
    t.equal(response.body, '{"signature":"8e55f6ac4f689ca8c5c66fbe298c047af2a76712aaea30393648640d9517c9db///' +
      '21a07e43cbe082f4591299022606d8229ab88769f5987c9287e301fb472bd755"}')
    t.match(log(), '"ip":"127.0.0.9"')
    t.notMatch(log(), '203.0.113.66', 'what the client forwards itself is not believed')
  })

  t.test('the id that nginx gives a request, not the client\'s', async t => {
    const { app, log } = testApp(t, { config: { TRUST_PROXY: '127.0.0.1' } })
    const port = await startNginx(t, await portOf(app))
    const { headers } = await send(port, 'POST', { ...json, 'x-request-id': 'canary' }, body)
    t.match(headers['x-request-id'], /^[0-9a-f]{32}$/)
    t.match(log(), `"reqId":"${headers['x-request-id']}"`)
    t.notMatch(log(), 'canary')
  })

  t.test('without TRUST_PROXY the address is the proxy\'s', async t => {
    const { app, log } = testApp(t)
    await send(await startNginx(t, await portOf(app)), 'POST', json, body)
    t.match(log(), '"ip":"127.0.0.1"')
  })

  t.test('preflight, and errors that a browser may read', async t => {
    const { app } = testApp(t, { config: { CORS_ORIGIN: 'https://shop.example' } })
    const port = await startNginx(t, await portOf(app))
    const origin = 'https://shop.example'
    const preflight = await send(port, 'OPTIONS', {
      origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type'
    })
    t.equal(preflight.statusCode, 204)
    t.match(preflight.headers, {
      'access-control-allow-origin': origin, 'access-control-allow-headers': 'content-type'
    })
    const refused = await send(port, 'POST', { ...json, origin }, '{}')
    t.equal(refused.statusCode, 400)
    t.equal(refused.headers['access-control-allow-origin'], origin)
    t.equal(refused.body, '{"error":"merchantAccountNumber or accountNumber is required"}')
  })
})
