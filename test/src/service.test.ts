import { once } from 'node:events'
import { chmodSync, readdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { tcpServer } from '../support/backend.js'
import { body, sign, signature } from '../support/example.js'
import { freePort } from '../support/free-port.js'
import { importing, listening, loadingOf, root, server, start } from '../support/server.js'

process.umask(0o077) // a file that others can read causes a warning
t.jobs = 2 // the tests mostly wait for processes

const concurrently = { buffered: true }
const test = (what: string, run: (t: Test) => Promise<void>) => t.test(what, concurrently, run)

/** Sends a part of a request's body. Resolves with the connection once the service has begun to read the request. */
async function begin (port: string, part: string) {
  const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8')
  socket.write('POST /api/generate-signature HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
    `Content-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n${part}`)
  await once(socket, 'data') // 100 Continue
  return socket
}

test('the service logs where it listens and what guards are on, signs, and exits with 0', async t => {
  const service = server(t, {
    MERCHANT_TOKEN: 'canary-token', VARIANT: 'B', AUDIT: 'true', RATE_LIMIT_MAX: '1000', STRICT: 'report', HOST: 'localhost'
  })
  const [, port = ''] = await service.says(listening)
  t.match(service.output(), `"msg":"listening at http://127.0.0.1:${port}, version 0.1.0, variant B, ` +
    'token from MERCHANT_TOKEN, 12 characters, ' +
    'key check value 0ed99a, ' + // printf '%s' canary-token | openssl dgst -sha256 -hmac 'payment-signature-backend key check value v1'
    'guards: STRICT=report, rate-limit=1000, audit"')
  t.same(await sign(port), { error: 'sid must be a valid GUID (UUID v4)' })
  await service.says(/^\{"level":30.*"audit":\{"outcome":"invalid".*"msg":"decision"\}$/m)
  service.process.kill('SIGINT')
  t.equal(await service.ended, 0)
  t.match(service.output(), /"SIGINT, not ready any more, still serving for 0 ms".*\n(?:.*\n)*.*"closed"/)
  t.notMatch(service.output(), 'canary-token')
})

test('ADMIN_PORT serves metrics and probes, and nothing else, until the end', async t => {
  const service = server(t, { ADMIN_PORT: String(await freePort()), SHUTDOWN_DELAY: '3600000' })
  const [, port = '', admin = ''] = await service.says(/listening at http:\/\/127\.0\.0\.1:(\d+),.*, metrics at (http:\/\/127\.0\.0\.1:\d+)\/metrics"/)
  t.same(await sign(port), { signature })
  const probe = async (path: string) => {
    const response = await fetch(admin + path)
    return [response.status, await response.text()]
  }
  const alive = [200, '{"ok":true,"service":"payment-signature-backend","variant":"A"}']
  for (const [path, ...expected] of [
    ['/', ...alive], ['/health', ...alive], ['/ready', 200, '{"ok":true}'],
    ['/api/generate-signature', 404, '{"error":"Not Found: GET /api/generate-signature"}'],
    ['/%c0', 400, '{"error":"Malformed URL"}']
  ] as const) t.strictSame(await probe(path), expected, path)
  const response = await fetch(`${admin}/metrics`)
  t.equal(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
  t.match(await response.text(), 'payment_signature_decisions_total{variant="A",operation="purchase",outcome="signed"} 1\n')
  t.equal((await fetch(`http://127.0.0.1:${port}/metrics`)).status, 404)
  service.process.kill('SIGTERM')
  await service.says(/"SIGTERM, not ready any more, still serving for 3600000 ms"/)
  t.strictSame(await probe('/ready'), [503, '{"error":"shutting down"}'])
  t.strictSame(await probe('/health'), alive)
  t.equal((await fetch(`http://127.0.0.1:${port}/ready`)).headers.get('connection'), 'close')
  t.same(await sign(port), { signature }, 'it goes on serving')
  const stalled = connect(Number(new URL(admin).port), '127.0.0.1').on('error', () => {})
  stalled.write('GET /metrics HTTP/1.1\r\nHo')
  service.process.kill('SIGTERM')
  t.equal(await service.ended, 1, 'a second signal ends it at once')
})

test('a request in flight at SIGTERM is answered, after the SHUTDOWN_DELAY', async t => {
  const service = server(t, { SHUTDOWN_DELAY: '500' })
  const [, port = ''] = await service.says(listening)
  const socket = await begin(port, body.slice(0, 50))
  const signalled = performance.now()
  service.process.kill('SIGTERM')
  await service.says(/SIGTERM, not ready/)
  socket.write(body.slice(50))
  t.match((await socket.toArray()).join(''), JSON.stringify({ signature }))
  t.equal(await service.ended, 0)
  t.ok(performance.now() - signalled >= 490)
})

test('SIGHUP ends the service neither while it is loaded nor later, and SIGUSR1 opens no inspector', async t => {
  const early = ['./main.js', './serve-command.js', '../../src/service.js'].map(name => server(t, {}, { nodeOptions: [loadingOf(name)] }))
  for (const loading of early) {
    await loading.says(/^loading$/m)
    loading.process.kill('SIGHUP')
    loading.process.kill('SIGUSR1')
  }
  const service = server(t, {})
  const [, port = ''] = await service.says(listening)
  service.process.kill('SIGHUP')
  service.process.kill('SIGUSR1')
  t.same(await sign(port), { signature })
  for (const { process: { signalCode, exitCode }, output } of early) {
    t.strictSame([signalCode, exitCode], [null, null])
    t.notMatch(output(), 'Debugger listening')
  }
  t.equal(await service.terminate(), 0)
  t.notMatch(service.output(), 'Debugger listening')
})

test('systemd learns of the start and of the stop', async t => {
  const folder = t.testdir({ states: '' })
  writeFileSync(join(folder, 'systemd-notify'), '#!/bin/sh\necho "$NOTIFY_SOCKET $1" >> states\n', { mode: 0o755 })
  const states = start(t, 'tail', ['-f', join(folder, 'states')], { cwd: folder, env: { PATH: process.env.PATH } })
  const service = server(t, { PATH: `${folder}:${process.env.PATH}`, NOTIFY_SOCKET: '@systemd' }, { cwd: folder })
  await states.says(/^@systemd READY=1\n$/)
  t.equal(await service.terminate(), 0)
  await states.says(/@systemd STOPPING=1\n/)
  const without = server(t, { NOTIFY_SOCKET: '@systemd' }, { nodeOptions: [importing('process.env.PATH = "/nowhere"')] })
  await without.says(/"level":40.*"code":"ENOENT".*"systemd-notify failed"/)
})

/** Runs `code` in the server when it gets SIGWINCH. */
const onSignal = (code: string) => importing(`process.once('SIGWINCH', () => { ${code} })`)

test('an unexpected fault is logged, and the process ends with 1; at a second one at once', async t => {
  for (const [code, ending] of [
    ['throw new Error("nobody expected this")', /"level":60.*nobody expected this.*"unexpected fault, shutting down".*\n.*"closed"/],
    ['Promise.reject(new Error("nobody waited for this"))', /"level":60.*nobody waited for this.*\n.*"closed"/],
    ['process.nextTick(() => { throw null }); throw new Error("the first")', /the first/]
  ] as const) {
    const service = server(t, {}, { nodeOptions: [onSignal(code)] })
    await service.says(listening)
    service.process.kill('SIGWINCH')
    t.equal(await service.ended, 1)
    t.match(service.output(), ending)
  }
})

test('a start that fails says why in a line, and exits with 2 if the configuration or a file cannot be used', async t => {
  const port = String(await tcpServer(t))
  const file = { 'policy.json': '{"callers":[],"more":1}' }
  for (const [variables, output] of [
    [{ PORT: port }, /^payment-signature: listen EADDRINUSE: address already in use 127\.0\.0\.1:\d+; see HOST and PORT$/m],
    [{ ADMIN_PORT: port }, /^payment-signature: listen EADDRINUSE: address already in use 127\.0\.0\.1:\d+; see ADMIN_HOST and ADMIN_PORT$/m],
    [{ VARIANT: 'canary-token', TRUST_PROXY: '1', MERCHANT_TOKEN: 'canary-token' },
      /^payment-signature: VARIANT is "\[redacted\]"; it must be A or B\npayment-signature: TRUST_PROXY is "1"; it must be [^\n]+\n$/],
    [{ POLICY_FILE: 'canary-token', MERCHANT_TOKEN: 'canary-token' },
      /^payment-signature: POLICY_FILE is "\[redacted\]", which cannot be used: ENOENT$/m],
    [{ HOST: 'canary-token', MERCHANT_TOKEN: 'canary-token' }, /^payment-signature: getaddrinfo \w+ \[redacted\]; see HOST and PORT$/m],
    [{ POLICY_FILE: './policy.json' }, /^(?:payment-signature: POLICY_FILE is "\.\/policy\.json": [^\n]+\n){2}$/]
  ] as const) {
    const service = server(t, variables, { cwd: t.testdir(file) })
    t.equal(await service.ended, /listen|getaddrinfo/.test(output.source) ? 1 : 2)
    t.match(service.output(), output)
  }
})

test('serve --check starts without listening, creating files or connecting', async t => {
  let connections = 0
  const listen = async () => String(await tcpServer(t, socket => {
    connections++
    socket.destroy()
  }))
  const [port, other] = [await listen(), await listen()]
  const folder = t.testdir({ '.env': 'VARIANT=B\n', token: 'tK7-mQ2xV9/bR4+wZ1', logs: {} })
  chmodSync(join(folder, 'logs'), 0o555)
  const variables = {
    NODE_ENV: 'production',
    MERCHANT_TOKEN_FILE: './token',
    PORT: port,
    REDIS_URL: `redis://user:canary@127.0.0.1:${other}`,
    AUTHORIZE_URL: `http://127.0.0.1:${other}/may-sign?key=canary`,
    RATE_LIMIT_MAX: '60',
    AUDIT_FILE: './audit'
  }
  const program = [process.execPath, join(root, 'dist/tools/command-line/payment-signature.js'), 'serve', '--check']
  const checking = (variables: Record<string, string>) => start(t, 'env', program, { cwd: folder, env: variables })
  const good = checking(variables)
  t.equal(await good.ended, 0)
  t.equal(good.output(), 'payment-signature: warning: open: a signature may also be that of another operation (set STRICT); ' +
    'pages of any origin may get signatures (set CORS_ORIGIN)\n' +
    // printf '%s' TOKEN | openssl dgst -sha256 -hmac 'payment-signature-backend key check value v1', its first 6 digits
    'payment-signature: the configuration can be used: variant B, token from MERCHANT_TOKEN_FILE (./token), 18 characters, ' +
    'key check value 736feb, guards: rate-limit=60, redis, authorize, audit-file\n')
  t.equal(connections, 0)
  t.notOk(readdirSync(folder).includes('audit'))

  for (const [wrong, line] of [
    [{ STRICT: 'yes' }, 'STRICT is "yes"; it must be false, true or report'],
    [{ AUTHORIZE_URL: `http://localhost:${port}/may-sign` },
      `AUTHORIZE_URL has the address of this service (HOST localhost, PORT ${port}); set it to the route of your backend`],
    [{ AUTHORIZE_URL: 'https://shop.example/api/generate-signature' },
      'AUTHORIZE_URL leads to a signing endpoint; set it to the route of your backend']
  ] as const) {
    const bad = checking({ ...variables, ...wrong })
    t.equal(await bad.ended, 2)
    t.equal(bad.output(), `payment-signature: ${line}\n`)
  }
  // Root may read and write everything, but for these capabilities.
  const setpriv = process.getuid?.() === 0 ? ['setpriv', '--bounding-set', '-dac_override,-dac_read_search'] : []
  const reason = `EACCES: chown or chmod the file or its folder for user ID ${process.getuid?.()}`
  chmodSync(join(folder, 'token'), 0)
  for (const [variable, path, fault] of [
    ['AUDIT_FILE', 'logs/audit', `opened (${reason})`],
    ['MERCHANT_TOKEN_FILE', './token', `read (${reason})`],
    ['MERCHANTS_FILE', './token', `used: ${reason}`],
    ['POLICY_FILE', './token', `used: ${reason}`]
  ] as const) {
    const denied = start(t, 'env', [...setpriv, ...program], {
      cwd: folder, env: { PATH: process.env.PATH, NODE_ENV: 'test', VARIANT: 'A', [variable]: path }
    })
    t.equal(await denied.ended, 2)
    t.equal(denied.output(), `payment-signature: ${variable} is "${path}", which cannot be ${fault}\n`)
  }
})
