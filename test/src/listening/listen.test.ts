import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import t from 'tap'
import { addressesOf, listen } from '../../../src/listening/listen.js'
import { testApp } from '../../support/app.js'
import { listening, server } from '../../support/server.js'
import { whole } from '../../support/whole.js'

const portIn = (url = '') => Number(new URL(url).port)

t.test('localhost means all of its addresses', async t => {
  const found = await lookup('localhost', { all: true })
  t.strictSame(await addressesOf('localhost'), [...new Set(found.map(({ address }) => address))])
  t.strictSame(await addressesOf('0.0.0.0'), ['0.0.0.0'])
})

t.test('every address is served at the same port, and closed with the app', async t => {
  const { app } = testApp(t)
  const urls = await listen(app, ['127.0.0.1', '127.0.0.2'], 0)
  const port = portIn(urls[0])
  t.strictSame(urls, [`http://127.0.0.1:${port}`, `http://127.0.0.2:${port}`])
  for (const url of urls) t.match(await (await fetch(`${url}/health`)).json(), { ok: true })

  const idle = connect(port, '127.0.0.2')
  await once(idle, 'connect')
  idle.destroy()
  await app.close()
  for (const url of urls) await t.rejects(fetch(`${url}/health`))
})

t.test('a connection that cannot be accepted is logged and counted, at each address', async t => {
  const { app, log } = testApp(t)
  const urls = await listen(app, ['127.0.0.1', '127.0.0.2'], 0)
  // Like Node.js if the system has no file descriptor left.
  for (const server of [app.server, ...app.secondListeners]) {
    server.emit('error', Object.assign(new Error('accept ENFILE'), { code: 'ENFILE' }))
  }
  t.match(log(), /"level":50.*accept ENFILE.*"fault in background work, going on"/)
  t.equal(app.backgroundFaults.count, 2)
  for (const url of urls) t.equal((await fetch(`${url}/health`)).status, 200)
})

const cannotShare = /^(?:20|22\.\d|22\.1[01])\./.test(process.versions.node) && 'takes Node.js 22.12'

t.test('two processes share a port if both set REUSE_PORT', { skip: cannotShare }, async t => {
  const one = server(t, { REUSE_PORT: 'true' })
  const [, port = ''] = await one.says(listening)
  const other = server(t, { PORT: port, REUSE_PORT: 'true' })
  await other.says(listening)
  const alone = server(t, { PORT: port })
  t.equal(await alone.ended, 1)
  t.match(alone.output(), /EADDRINUSE.*; see HOST and PORT\n/)

  const hasServed = ({ output }: typeof one) => output().includes('"statusCode":404')
  while (!hasServed(one) || !hasServed(other)) await fetch(`http://127.0.0.1:${port}/x`, { headers: { connection: 'close' } })
})

t.test('a port of a process that does not share it', async t => {
  const [url] = await listen(testApp(t).app, ['127.0.0.1'], 0)
  await t.rejects(listen(testApp(t).app, ['127.0.0.1'], portIn(url), true), {
    message: whole(`listen EADDRINUSE: address already in use 127.0.0.1:${portIn(url)}; see HOST, PORT and REUSE_PORT`)
  })
})

const somaxconn = existsSync('/proc/sys/net/core/somaxconn') && Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'))
const skip = (somaxconn || 0) < 1100 && 'net.core.somaxconn does not allow it'

t.test('1,000 connections may wait while the process is busy', { skip }, async t => {
  const service = server(t, {})
  const [, port = ''] = await service.says(listening)
  service.process.kill('SIGSTOP') // so that it accepts none
  const sockets = Array.from({ length: 1000 }, () => connect(Number(port), '127.0.0.1'))
  t.teardown(() => sockets.forEach(socket => socket.destroy()))
  await Promise.all(sockets.map(socket => once(socket, 'connect')))
  service.process.kill('SIGCONT')
  t.equal((await fetch(`http://127.0.0.1:${port}/health`)).status, 200)
})

t.test('IPv6', async t => {
  const { app } = testApp(t)
  try {
    const [url] = await listen(app, ['::1'], 0)
    t.match(url, /^http:\/\/\[::1\]:\d+$/)
    t.equal((await fetch(`${url}/health`)).status, 200)
  } catch (error) {
    t.match(error, { cause: { code: 'EADDRNOTAVAIL' } }, 'this machine has no IPv6')
  }
})

// 203.0.113.0/24 is reserved for documentation (RFC 5737): no machine has an address of it.
t.test('an address that the machine lacks is skipped', async t => {
  const { app } = testApp(t)
  const urls = await listen(app, ['203.0.113.1', '127.0.0.1', '203.0.113.2'], 0)
  t.equal(urls.length, 1)
  t.match(urls[0], /^http:\/\/127\.0\.0\.1:/)
})

t.test('no usable address', async t => {
  const { app } = testApp(t)
  await t.rejects(listen(app, ['203.0.113.1'], 0), { cause: { code: 'EADDRNOTAVAIL' } })
})

t.test('a port that is in use at any of the addresses', async t => {
  const { app: first } = testApp(t)
  const port = portIn((await listen(first, ['127.0.0.2'], 0))[0])
  const { app: second } = testApp(t)
  await t.rejects(listen(second, ['127.0.0.1', '127.0.0.2'], port), { cause: { code: 'EADDRINUSE' } })
})
