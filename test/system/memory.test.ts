import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { testApp } from '../support/app.js'
import { body, signature } from '../support/example.js'
import { portOf } from '../support/http.js'
import { memoryInUse } from '../support/memory.js'
import { send } from '../support/send.js'
import { listening, root, start } from '../support/server.js'

const groups = '/sys/fs/cgroup'
const isVersion1 = existsSync(join(groups, 'memory/memory.limit_in_bytes'))

/** Creates a cgroup with a memory limit, and returns its folder. */
function cgroup (t: Test, bytes: number): string {
  const folder = join(groups, isVersion1 ? 'memory' : '', `payment-signature-${process.pid}-${bytes}`)
  mkdirSync(folder)
  t.teardown(() => rmdirSync(folder))
  for (const file of ['memory.limit_in_bytes', 'memory.memsw.limit_in_bytes', 'memory.max', 'memory.swap.max']) {
    if (existsSync(join(folder, file))) writeFileSync(join(folder, file), String(file === 'memory.swap.max' ? 0 : bytes))
  }
  return folder
}

/** Reason to skip the test; false if this machine can run it. */
function withoutCgroups (): string | false {
  if (process.getuid?.() !== 0) return 'only root can make a cgroup'
  if (isVersion1) return false
  const controllers = join(groups, 'cgroup.subtree_control')
  return (!existsSync(controllers) || !/\bmemory\b/.test(readFileSync(controllers, 'utf8'))) && 'no cgroups that limit memory'
}

const head = 'POST /api/generate-signature HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
const many = Array.from({ length: 120 }, (_, index) => `header-${index}: ${'v'.repeat(110)}\r\n`).join('')
/** Requests that do not end, with almost 16 KiB of headers. */
const attacks = [
  `${head}A: ${'a'.repeat(16_000)}`,
  `POST /${'u'.repeat(8000)} HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\nA: ${'a'.repeat(8000)}\r\n\r\n{`,
  `${head}${'a:\r\n'.repeat(3900)}`,
  `${head}${many}`,
  `${head}Content-Length: 9\r\n${many}\r\n{`
]

const sign = async (port: number, agent: Agent): Promise<unknown> =>
  JSON.parse((await send(port, { agent, body })).body)

for (const [mebibytes, limit] of [[256, 2048]] as const) {
  t.test(`in ${mebibytes} MiB, the service survives all possible connections with the largest headers`, {
    skip: withoutCgroups()
  }, async t => {
    const group = cgroup(t, mebibytes * 2 ** 20)
    const service = start(t, 'sh', ['-c', 'echo $$ >"$1"; shift; exec "$@"', 'sh', join(group, 'cgroup.procs'),
      process.execPath, join(root, 'dist/src/server.js')], {
      cwd: t.testdir(), env: { PATH: process.env.PATH, PORT: '0', HOST: '127.0.0.1', ADMIN_HOST: '127.0.0.1', ADMIN_PORT: '0' }
    })
    t.teardown(async () => {
      service.process.kill('SIGKILL')
      await service.ended
    })
    const port = Number((await service.says(listening))[1])
    const [, metrics = ''] = await service.says(/metrics at (\S+?)"/)
    const [, max = ''] = /^payment_signature_connections_max (\d+)/m.exec(await (await fetch(metrics)).text()) ?? []

    const honest = new Agent({ keepAlive: true, maxSockets: 1 })
    t.teardown(() => honest.destroy())
    t.same(await sign(port, honest), { signature })
    const sockets: Socket[] = []
    for (let count = 1; count < Number(max); count++) {
      const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${2 + count % 20}` }).on('error', () => {})
      t.teardown(() => socket.destroy())
      sockets.push(socket)
      await Promise.race([once(socket, 'connect'), once(socket, 'close')])
      socket.resume().write(attacks[count % attacks.length]!)
    }
    const open = () => sockets.filter(({ destroyed }) => !destroyed).length
    t.equal(open(), Number(max) - 1)
    for (let count = 0; count < 20; count++) t.same(await sign(port, honest), { signature })
    t.equal(service.process.signalCode, null)
    t.equal(Number(max), Math.min(limit, Number(max)), `${max} connections, ${limit} if there are enough descriptors`)

    for (const socket of sockets) socket.destroy()
    let newcomer
    // The service refuses connections until it has seen the other ones end.
    while (newcomer === undefined) newcomer = await sign(port, new Agent()).catch(() => undefined)
    t.same(newcomer, { signature })
    honest.destroy()
    t.equal(await service.terminate(), 0)
  })
}

t.test('memory for a body of 102,000 chunks of one byte is at most three times the largest body', async t => {
  const { app } = testApp(t)
  let release = () => {}
  const released = new Promise<void>(resolve => { release = resolve })
  app.get('/never', () => released)
  const port = await portOf(app)
  const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`
  for (const [what, start, bytes] of [
    ['that is read', chunked, Buffer.from(`9\r\n${' '.repeat(9)}\r\n`.repeat(11_000))],
    ['behind another request', `GET /never HTTP/1.1\r\nHost: x\r\n\r\n${chunked}`, Buffer.from('1\r\n \r\n'.repeat(102_000))]
  ] as const) {
    const before = await memoryInUse()
    const accepted = once(app.server, 'connection')
    const client = connect(port, '127.0.0.1').on('error', () => {})
    const [server] = await accepted as [Socket]
    client.write(start)
    client.write(bytes)
    while (server.bytesRead < start.length + bytes.length) await turn()
    const used = await memoryInUse() - before
    t.ok(used <= 3 * 102_400, `${what}: ${used} bytes`)
    client.destroy()
  }
  release() // the close of a connection is noticed by reading
})
