import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { tcpServer } from '../support/backend.js'
import { body, sign, signature } from '../support/example.js'
import { importing, listening, root, sayingWhere, server, start } from '../support/server.js'

/** Sends a part of a request's body. Resolves with the connection once the service has begun to read the request. */
async function begin (port: string, part: string) {
  const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8')
  socket.write('POST /api/generate-signature HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
    `Content-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n${part}`)
  await once(socket, 'data') // 100 Continue
  return socket
}

/** Sends SIGTERM in the middle of a request's body. The request gets its response, and the process exits with 0. */
async function terminate (t: Test, service: ReturnType<typeof start>, port: string): Promise<void> {
  const socket = await begin(port, body.slice(0, 50))
  service.process.kill('SIGTERM')
  await service.says(/SIGTERM, shutting down/)
  t.notMatch(service.output(), 'still serving')
  socket.write(body.slice(50))
  const answer = (await socket.toArray()).join('')
  t.match(answer, /^HTTP\/1\.1 200 OK\r\n/m)
  t.match(answer, JSON.stringify({ signature }))
  t.equal(await service.ended, 0)
}

t.test('the service logs where it listens, signs, and exits with 0', async t => {
  const service = server(t, { MERCHANT_TOKEN: 'canary-token', VARIANT: 'b', AUDIT: 'required' })
  const [, port = ''] = await service.says(listening)
  t.match(service.output(), `"msg":"listening at http://127.0.0.1:${port}, version 0.1.0, variant B, ` +
    'token from MERCHANT_TOKEN, ' +
    'key check value 0ed99a"') // printf '%s' canary-token | openssl dgst -sha256 -hmac 'payment-signature-backend key check value v1'
  t.same(await sign(port), { error: 'sid must be a valid GUID (UUID v4)' })
  t.match(service.output(), /^\{"level":30.*"audit":\{"outcome":"invalid".*"msg":"decision"\}$/m, 'on standard output')
  service.process.kill('SIGINT')
  t.equal(await service.ended, 0)
  t.match(service.output(), /"SIGINT, shutting down".*\n.*"closed"/)
  t.notMatch(service.output(), 'canary-token')
})

t.test('systemd learns of the start, of the event loop and of the stop', async t => {
  const folder = t.testdir({ states: '' })
  writeFileSync(join(folder, 'systemd-notify'), '#!/bin/sh\necho "$NOTIFY_SOCKET $1" >> states\n', { mode: 0o755 })
  const states = start(t, 'tail', ['-f', join(folder, 'states')], { cwd: folder, env: { PATH: process.env.PATH } })
  const variables = { PATH: `${folder}:${process.env.PATH}`, NOTIFY_SOCKET: '@systemd', WATCHDOG_USEC: '200000' }
  const service = server(t, variables, { cwd: folder })
  await states.says(/^@systemd READY=1\n/)
  await service.says(listening)
  await states.says(/(?:@systemd WATCHDOG=1\n){2}/)
  t.notMatch(states.output(), 'STOPPING')
  t.equal(await service.terminate(), 0)
  await states.says(/@systemd STOPPING=1\n/)
})

t.test('SIGTERM with a request in flight', async t => {
  const service = server(t, {})
  const [, port = ''] = await service.says(listening)
  t.match(service.output(), 'token from the development default')
  await terminate(t, service, port)
})

t.test('RATE_LIMIT_MAX and ADMIN_PORT load their modules; metrics are served until the end', async t => {
  const service = server(t, { RATE_LIMIT_MAX: '1000', ADMIN_PORT: '0' })
  const [, port = '', metrics = ''] = await service.says(
    /listening at http:\/\/127\.0\.0\.1:(\d+), version [^,]+, variant A, token from [^,"]+, key check value [0-9a-f]{6}, metrics at (http:\/\/127\.0\.0\.1:\d+\/metrics)"/)
  t.equal((await fetch(`http://127.0.0.1:${port}/openapi.json`)).status, 200)
  let signed = await sign(port)
  while ('error' in (signed as object)) signed = await sign(port) // a busy machine is overloaded at the start
  t.same(signed, { signature })
  t.match(await (await fetch(metrics)).text(),
    'payment_signature_decisions_total{variant="A",operation="purchase",outcome="signed",caller="anonymous"} 1\n')
  t.equal(await service.terminate(), 0)
  await t.rejects(fetch(metrics))
})

/** Opens a keep-alive connection. `isAlive` sends a request, and returns true if the response has status 200. */
async function client (t: Test, port: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  const isAlive = async () => {
    const [response] = await once(get(`http://127.0.0.1:${port}/health`, { agent }), 'response')
    response.resume()
    await once(response, 'end')
    return response.statusCode === 200
  }
  t.ok(await isAlive())
  return { agent, isAlive }
}

/** Runs `code` in the server when it gets SIGWINCH. */
const onSignal = (code: string) =>
  importing(`import { closeSync, openSync } from 'node:fs'; process.once('SIGWINCH', () => { ${code} })`)

t.test('a timer without a free descriptor and an unhandled rejection do not end the process', async t => {
  const faults = onSignal(`
    const files = []
    try { for (;;) files.push(openSync('/dev/null')) } catch {}
    setTimeout(() => process.memoryUsage(), 0)
    setTimeout(() => Promise.reject(new Error('nobody waited for this')), 1)
    process.once('SIGWINCH', () => files.forEach(closeSync))
  `)
  const service = server(t, { ADMIN_PORT: '0' }, { descriptors: 256, nodeOptions: [faults] })
  const [, port = ''] = await service.says(listening)
  const [, metrics = ''] = await service.says(/metrics at (\S+?)"/)
  const { isAlive } = await client(t, port)
  service.process.kill('SIGWINCH')
  await service.says(/"level":50.*"code":"EMFILE".*"times":1,"msg":"fault in background work, going on"/)

  // A new connection needs a descriptor, too, so that the system ends the connection.
  const refused = connect(Number(port), '127.0.0.1')
  await new Promise(resolve => refused.on('error', () => {}).once('close', resolve))
  t.ok(await isAlive(), 'on the connection that it has')

  service.process.kill('SIGWINCH')
  while (await sign(port).catch(() => undefined) === undefined); // until descriptors are free again
  t.match(await (await fetch(metrics)).text(), 'payment_signature_background_faults_total 2\n')
  t.equal(await service.terminate(), 0)
  t.notMatch(service.output(), 'unexpected fault')
})

t.test('a Fastify that is too old is refused with one line', async t => {
  const older = importing(`import { createRequire } from 'node:module'
    delete createRequire(${JSON.stringify(`${root}/package.json`)})('fastify').LogController`)
  const service = server(t, {}, { nodeOptions: [older], isCovered: true })
  t.equal(await service.ended, 1)
  t.equal(service.output(), 'payment-signature-backend: the service needs Fastify 5.10 or newer, and the project that it ' +
    'is installed in has an older one: install it in a folder of its own\n')
})

t.test('SHUTDOWN_DELAY is on top of the time to finish', async t => {
  const service = server(t, { SHUTDOWN_DELAY: '1000' }, { isCovered: true })
  const [, port = ''] = await service.says(listening)
  const socket = await begin(port, '')
  const signalled = performance.now()
  service.process.kill('SIGTERM')
  await service.says(/SIGTERM, shutting down/)
  t.ok(performance.now() - signalled >= 1000)
  socket.write(body)
  t.match((await socket.toArray()).join(''), JSON.stringify({ signature }))
  t.equal(await service.ended, 0)
  t.match(service.output(), /"SIGTERM, shutting down"[^]*"closed"/)
})

for (const [what, variables, error] of [
  ['a port in use', {}, /^listen EADDRINUSE: address already in use 127\.0\.0\.1:PORT; see HOST and PORT\n$/],
  ['an admin port in use', { PORT: '0', ADMIN_PORT: 'PORT' },
    /^listen EADDRINUSE: address already in use 127\.0\.0\.1:PORT; see ADMIN_HOST and ADMIN_PORT\n$/],
  ['a host that is not an address, and has the token', { HOST: 'two words of the token', MERCHANT_TOKEN: 'words of the token' },
    /^getaddrinfo \w+ two \[redacted\]; see HOST and PORT\n$/],
  ['faults of the configuration', { VARIANT: 'canary-token', TRUST_PROXY: '1', MERCHANT_TOKEN: 'canary-token' },
    /^VARIANT is "\[redacted\]"; it must be A or B\npayment-signature-backend: TRUST_PROXY is "1"; it must be [^\n]+\n$/]
] as const) {
  t.test(`${what}: the reason is a line, without a stack trace`, async t => {
    const port = String(await tcpServer(t))
    const given = Object.entries({ PORT: 'PORT', ...variables }).map(([name, value]) => [name, value.replace('PORT', port)])
    const service = server(t, Object.fromEntries(given), { isCovered: what === 'a port in use' })
    t.equal(await service.ended, 1)
    t.match(service.output().replace(/^payment-signature-backend: /, '').replace(port, 'PORT'), error)
  })
}

t.test('an unexpected fault is logged, and the process ends with 1', async t => {
  const service = server(t, {}, { nodeOptions: [onSignal('throw new Error("nobody expected this")')] })
  await service.says(listening)
  service.process.kill('SIGWINCH')
  t.equal(await service.ended, 1)
  t.match(service.output(), /"level":60.*nobody expected this.*"unexpected fault, shutting down".*\n.*"closed"/)
})

t.test('a second unexpected fault ends the process at once', async t => {
  const faults = onSignal('process.nextTick(() => { throw null }); throw new Error("nobody expected this")')
  const service = server(t, {}, { nodeOptions: [faults], isCovered: true })
  await service.says(listening)
  service.process.kill('SIGWINCH')
  t.equal(await service.ended, 1)
  t.match(service.output(), /nobody expected this.*\n.*"level":60.*"err":null.*"unexpected fault, shutting down"/)
  t.notMatch(service.output(), '"closed"')
})

const noFull = !existsSync('/dev/full') && 'there is no /dev/full'

t.test('the service signs and exits with 0 when its log has no room', { skip: noFull }, async t => {
  // The log cannot contain the address.
  const service = server(t, {}, { nodeOptions: [sayingWhere], stdout: '/dev/full' })
  const [, port = ''] = await service.says(listening)
  t.same(await sign(port), { signature })
  t.equal(await service.terminate(), 0)
})

t.test('the service goes on when the reader of its log goes away', async t => {
  const service = server(t, {})
  const [, port = ''] = await service.says(listening)
  service.process.stdout?.destroy()
  t.same(await sign(port), { signature })
  t.same(await sign(port), { signature }, 'also after a line that could not be written')
  t.equal(await service.terminate(), 0)
})

t.test('npm start serves, signs, and exits when npm gets SIGTERM', async t => {
  // prestart does not build again: other tests could find a half of the build.
  const variables = [`PATH=${process.env.PATH}`, `HOME=${t.testdir()}`, 'PORT=0', 'HOST=127.0.0.1']
  const npm = ['npm', 'start', '--silent', '--ignore-scripts', '--update-notifier=false']
  const service = start(t, 'env', ['-i', ...variables, ...npm], { cwd: root, env: {} })
  const [, port = ''] = await service.says(listening)
  const lines = service.output().trim().split('\n').map(line => JSON.parse(line))
  t.match(lines, [{ level: 40, msg: /^the merchant token is the development token/ }, { level: 30, msg: /^listening/ }])
  t.equal(lines.length, 2, 'no other warning')
  t.same(await sign(port), { signature })
  await terminate(t, service, port)
})
