import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { sign, signature } from '../support/example.js'
import { lacking } from '../support/installed.js'
import { importing, listening, loadingOf, root, server, start } from '../support/server.js'

t.jobs = 3 // the tests mostly wait

/** Code that reports the lookup of its host, which never ends, and then runs other code. */
const lookingUp = (code = '') => importing(
  'import dns from "node:dns/promises"; import { syncBuiltinESMExports } from "node:module"; ' +
  `dns.lookup = () => new Promise(() => { console.error("looking up, process " + process.pid); ${code}; setInterval(() => {}, 1000) }); ` +
  'syncBuiltinESMExports()')

const loading = loadingOf('./app.js')

for (const [script, first] of [
  ['dist/src/server.js', 'fastify'], ['dist/tools/command-line/payment-signature.js', './commands.js']
] as const) {
  t.test(`SIGHUP does not end ${script} while it is loaded`, { buffered: true }, async t => {
    const service = server(t, {}, { nodeOptions: [loadingOf(first)], script, args: script.includes('tools') ? ['serve'] : [] })
    await service.says(/^loading$/m)
    service.process.kill('SIGHUP')
    await service.says(/^payment-signature-backend: SIGHUP while starting, ignored$/m)
  })
}

t.test('a closed terminal ends a service that was started in it; kill -HUP does not', { buffered: true, skip: lacking('python3') }, async t => {
  // Standard input is the terminal; the rest goes to the test. The terminal closes when the program gets SIGTERM.
  const inTerminal = `import os, pty, signal, sys
streams = os.dup(1), os.dup(2)
pid, terminal = pty.fork()
if pid == 0:
    os.dup2(streams[0], 1), os.dup2(streams[1], 2)
    os.execvp(sys.argv[1], sys.argv[1:])
signal.signal(signal.SIGHUP, lambda *_: os.kill(pid, signal.SIGHUP))
signal.signal(signal.SIGTERM, lambda *_: os.close(terminal))
sys.exit(os.WTERMSIG(os.waitpid(pid, 0)[1]))`
  const service = start(t, 'python3', ['-c', inTerminal, process.execPath, join(root, 'dist/src/server.js')], {
    cwd: t.testdir(), env: { PATH: process.env.PATH, PORT: '0', HOST: '127.0.0.1' }
  })
  await service.says(listening)
  service.process.kill('SIGHUP')
  await service.says(/"SIGHUP, files to read again: 0"/)
  service.process.kill('SIGTERM')
  t.equal(await service.ended, 15, 'by SIGTERM, without a stack trace')
  t.match(service.output(), /"SIGTERM, shutting down".*\n.*"closed".*\n$/)
})

t.test('a file system that hangs does not keep the process', { buffered: true }, async t => {
  const path = join(t.testdir({ token: 'tK7-mQ2xV9/bR4+wZ1' }), 'token')
  const pipe = join(t.testdirName, 'pipe')
  t.equal(spawnSync('mkfifo', [pipe]).status, 0)
  // The second reading of the token blocks one of Node's threads.
  const option = importing('import fs from "node:fs/promises"; import { syncBuiltinESMExports } from "node:module"; ' +
    'const { open } = fs; let count = 0; fs.open = (path, ...rest) => ' +
    `path === ${JSON.stringify(path)} && count++ ? open(${JSON.stringify(pipe)}) : open(path, ...rest); syncBuiltinESMExports()`)
  const service = server(t, { MERCHANT_TOKEN_FILE: path }, { nodeOptions: [option] })
  await service.says(listening)
  service.process.kill('SIGHUP')
  await service.says(/"MERCHANT_TOKEN_FILE cannot be read: the file system does not answer; keeping/)
  service.process.kill('SIGTERM')
  t.equal(await service.ended, null)
  t.equal(service.process.signalCode, 'SIGTERM')
  t.match(service.output(), /"closed".*\n$/)
})

for (const [signal, what, option, begun] of [
  ['SIGTERM', 'while it is loaded', loading, /^loading$/m], ['SIGINT', 'before it listens', lookingUp(), /looking up/]
] as const) {
  t.test(`${signal} ${what} ends it with 0`, { buffered: true }, async t => {
    const service = server(t, { HOST: 'localhost' }, { nodeOptions: [option] })
    await service.says(begun)
    service.process.kill(signal)
    t.equal(await service.ended, 0)
    t.match(service.output(), `payment-signature-backend: ${signal} while starting\n`)
  })
}

t.test('SIGTERM as the service begins to listen shuts it down', { buffered: true }, async t => {
  const option = importing('import { Server } from "node:net"; const { listen } = Server.prototype; Server.prototype.listen = ' +
    'function (...args) { console.error("begins"); setTimeout(() => listen.apply(this, args), 100); return this }')
  const service = server(t, {}, { nodeOptions: [option] })
  await service.says(/begins/)
  t.equal(await service.terminate(), 0)
  t.match(service.output(), /"SIGTERM, shutting down".*\n(?:.*\n)*.*"closed"/)
})

const unshare = ['--map-root-user', '--pid', '--fork', '--kill-child']
const noNamespace = spawnSync('unshare', [...unshare, 'true']).status !== 0 && 'there is no unshare, or it is not permitted'

t.test('SIGTERM while starting ends the process with the ID 1, to which the kernel sends only signals that have a handler', { buffered: true, skip: noNamespace }, async t => {
  // The kernel would drop the signal, and the process reports that.
  const signalled = lookingUp('process.kill(1, "SIGTERM"); setTimeout(() => process.exit(7), 2000)')
  const args = [...unshare, process.execPath, signalled, join(root, 'dist/src/server.js')]
  const env = { PATH: process.env.PATH, PORT: '0', HOST: 'localhost' }
  const service = start(t, 'unshare', args, { cwd: t.testdir(), env })
  t.equal(await service.ended, 0)
  t.match(service.output(), 'looking up, process 1\npayment-signature-backend: SIGTERM while starting\n')
})

t.test('with SHUTDOWN_DELAY it is not ready first, and goes on serving until a second signal', { buffered: true }, async t => {
  const service = server(t, { SHUTDOWN_DELAY: '3600000' })
  const [, port = ''] = await service.says(listening)
  const ready = () => fetch(`http://127.0.0.1:${port}/ready`)
  t.equal((await ready()).status, 200)
  service.process.kill('SIGTERM')
  await service.says(/"SIGTERM, not ready any more, still serving for 3600000 ms"/)
  const response = await ready()
  t.equal(response.status, 503)
  t.equal(response.headers.get('connection'), 'close')
  t.same(await response.json(), { error: 'shutting down' })
  t.same(await sign(port), { signature })
  t.notMatch(service.output(), /SIGTERM, shutting down/)
  service.process.kill('SIGTERM')
  t.equal(await service.ended, 1)
})
