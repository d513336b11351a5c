import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { haproxyBuffers, proxied } from '../support/documented.js'
import { body, sign, signature } from '../support/example.js'
import { freePort } from '../support/free-port.js'
import { load } from '../support/load.js'
import { startProxy, without } from '../support/proxies.js'
import { server } from '../support/server.js'

// Clients that take what they can leave the others served, and do not end the process.

const head = 'POST /api/generate-signature HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
const withBody = (text: string) => `${head}Content-Length: ${text.length}\r\n\r\n${text}`

/** Starts the service. `peak` returns its largest memory so far, in MiB. */
async function started (t: Test, variables = {}, descriptors = 0) {
  const service = server(t, { ADMIN_PORT: String(await freePort()), LOG_LEVEL: 'info', ...variables }, { descriptors })
  const [, port = '', admin = ''] = await service.says(/listening at http:\/\/127\.0\.0\.1:(\d+),.*(http:\/\/127\.0\.0\.1:\d+)\/metrics/)
  const peak = () => Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${service.process.pid}/status`, 'utf8'))?.[1]) / 1024
  return { service, port: Number(port), admin, peak }
}

/** Opens connections. Resolves when each is connected, or refused. */
async function open (t: Test, port: number, count: number, text: string): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {}).resume()
    t.teardown(() => socket.destroy())
    if (text !== '') socket.write(text)
    return socket
  })
  await Promise.all(sockets.map(socket => Promise.race([once(socket, 'connect'), once(socket, 'close')])))
  return sockets
}

/** Sends a text again and again on one connection after the other, until it is stopped. Returns the number of bytes. */
function flood (port: number, text: string) {
  const state = { isStopped: false, bytes: 0 }
  const ended = (async () => {
    while (!state.isStopped) {
      const socket = connect(port, '127.0.0.1').on('error', () => {}).resume()
      const closed = new Promise(resolve => socket.once('close', resolve))
      const send = (): void => {
        if (state.isStopped) socket.destroy()
        else if (socket.write(text)) setImmediate(send)
        state.bytes += text.length
      }
      socket.on('connect', send).on('drain', send)
      await closed
    }
  })()
  return {
    async stop () {
      state.isStopped = true
      await ended
      return state.bytes
    }
  }
}

for (const [what, text] of [
  ['pipelines requests', withBody(body).repeat(100)],
  ['sends bodies in chunks of a byte', `${head}Transfer-Encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(20_000)}0\r\n\r\n`],
  ['sends nested arrays', withBody(body.replace('"ORDER-12345"', `${'['.repeat(8000)}${']'.repeat(8000)}`))],
  ['sends the largest bodies with many keys', withBody(`{${Array.from({ length: 1600 }, (_, index) => `"k${index}":1`).join()}}`)]
] as const) {
  t.test(`one client that ${what}`, async t => {
    const { service, port, peak } = await started(t, { STRICT: 'true' })
    const durations: number[] = []
    const greedy = flood(port, text)
    const honest = load(port, 5, milliseconds => durations.push(milliseconds))
    await honest.until(500)
    const { failures } = await honest.stop()
    t.ok(await greedy.stop() > 100_000)
    t.strictSame(failures.slice(0, 3), [])
    durations.sort((one, other) => one - other)
    t.ok(durations[Math.floor(durations.length * 0.99)]! < 8000, `p99 ${durations[Math.floor(durations.length * 0.99)]} ms`)
    t.ok(peak() < 300, `${peak()} MiB`)
    t.equal(await service.terminate(), 0)
  })
}

t.test('3,500 connections with unfinished bodies, of which one comes in chunks of a byte', async t => {
  const { port, peak } = await started(t)
  await open(t, port, 1, `${head}Transfer-Encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(16_384)}`)
  const sockets = await open(t, port, 3499, `${head}Content-Length: 16384\r\n\r\n${' '.repeat(16_383)}`)
  const honest = load(port, 5)
  await honest.until(300)
  t.strictSame((await honest.stop()).failures.slice(0, 3), [])
  t.ok(peak() < 256, `${peak()} MiB: the memory of the documented containers`)
  await Promise.all(sockets.map(socket => socket.closed || once(socket, 'close'))) // 408, after 10 seconds
  t.same(await sign(port), { signature })
})

for (const [what, name, configuration, most] of [
  ['nginx', 'nginx', proxied.nginx, 99],
  ['Caddy, which streams bodies', 'caddy', proxied.caddy, 1100],
  ['HAProxy', 'haproxy', `${proxied.haproxy}\n${haproxyBuffers}`, 99],
  ['a HAProxy that streams bodies', 'haproxy', proxied.haproxy, 1100]
] as const) {
  t.test(`900 slow bodies through ${what}`, { skip: without(name) }, async t => {
    const { service, port } = await started(t, { RATE_LIMIT_MAX: '100000' })
    const proxy = await startProxy(t, name, configuration, { 3001: port, 3002: port })
    const honest = load(proxy.port, 5)
    const slow = `X: ${'x'.repeat(4000)}\r\nContent-Length: 14990\r\n\r\n${' '.repeat(13_000)}` // more than a buffer of HAProxy
    for (let batch = 0; batch < 18; batch++) {
      await open(t, proxy.port, 25, head + slow)
      await open(t, proxy.port, 25, head.replace('application/json', 'text/plain') + slow) // refused at once
      await honest.until(20)
    }
    t.strictSame((await honest.stop()).failures.slice(0, 3), [])
    const connections = readdirSync(`/proc/${service.process.pid}/fd`).length
    t.ok(connections < most, `${connections} descriptors`)
  })
}

t.test('1,000 connections of a stranger, each with a complete request, through a HAProxy that keeps them', { skip: without('haproxy') }, async t => {
  const { port } = await started(t, { RATE_LIMIT_MAX: '100000' })
  const proxy = await startProxy(t, 'haproxy', proxied.haproxy, { 3001: port, 3002: port })
  const sockets = await open(t, proxy.port, 1000, '')
  for (const socket of sockets) socket.write(withBody('{}'))
  await Promise.all(sockets.map(socket => once(socket, 'data')))
  const honest = load(proxy.port, 5)
  await honest.until(300)
  t.strictSame((await honest.stop()).failures.slice(0, 3), [])
})

t.test('1,300 idle connections, with 1,024 descriptors', async t => {
  const { service, port } = await started(t, {}, 1024)
  const idle = await open(t, port, 1300, '')
  await Promise.any(idle.map(socket => once(socket, 'close'))) // libuv takes and closes what has no descriptor
  for (const socket of idle) socket.destroy()
  await Promise.all(idle.map(socket => socket.closed || once(socket, 'close')))
  t.same(await sign(port), { signature })
  t.equal(await service.terminate(), 0)
})
