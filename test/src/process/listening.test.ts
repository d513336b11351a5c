import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { connectionLimitOf, descriptorLimit, memoryLimit } from '../../../src/process/connection-limit.js'
import { listen } from '../../../src/process/listen.js'
import { testApp } from '../../support/app.js'
import { root } from '../../support/server.js'
import { whole } from '../../support/whole.js'

const portIn = (url = '') => Number(new URL(url).port)

t.test('a connection that cannot be accepted is logged and counted', async t => {
  const { app, log } = testApp(t)
  const url = await listen(app, 'localhost', 0)
  // Like Node.js if the system has no file descriptor left.
  app.server.emit('error', Object.assign(new Error('accept ENFILE'), { code: 'ENFILE' }))
  t.match(log(), /"level":50.*accept ENFILE.*"fault in background work, going on"/)
  t.equal(app.backgroundFaults.count, 1)
  t.equal((await fetch(`${url}/health`)).status, 200)
})

t.test('a port that is in use', async t => {
  const url = await listen(testApp(t).app, '127.0.0.2', 0)
  await t.rejects(listen(testApp(t).app, '127.0.0.2', portIn(url)), {
    cause: { code: 'EADDRINUSE' },
    message: whole(`listen EADDRINUSE: address already in use 127.0.0.2:${portIn(url)}; see HOST and PORT`)
  })
})

t.test('IPv6', async t => {
  const url = await listen(testApp(t).app, '::1', 0).catch(error => {
    t.match(error, { cause: { code: 'EADDRNOTAVAIL' } }, 'this machine has no IPv6')
    return undefined
  })
  if (url !== undefined) t.match(url, /^http:\/\/\[::1\]:\d+$/)
})

const config = (AUTHORIZE_URL = '') => ({ AUTHORIZE_URL })

t.test('the limit of connections is that of descriptors minus those that the process needs', async t => {
  for (const [descriptors, limit] of [
    [64, 16], [1024, 976], [16_432, 16_384], [16_433, 16_384], [Infinity, 16_384]
  ] as const) t.equal(connectionLimitOf(config(), descriptors, 2 ** 34), limit)
})

t.test('the memory allows 16 connections for each MiB beyond 128', async t => {
  for (const [mebibytes, limit] of [
    [64, 128], [135, 128], [137, 144], [256, 2048], [1151, 16_368], [1153, 16_384]
  ] as const) t.equal(connectionLimitOf(config(), Infinity, mebibytes * 2 ** 20), limit)
  t.equal(connectionLimitOf(config(), 1024, 2 ** 28), 976, 'fewer if there are fewer descriptors')
})

t.test('the memory is the minimum of cgroup, machine and twice the heap', async t => {
  t.equal(memoryLimit(256, 1000, 259), 256)
  t.equal(memoryLimit(2 ** 64, 1000, 600), 1000, 'a cgroup of version 1 without a limit')
  t.equal(memoryLimit(0, 1000, 600), 1000, 'no cgroup')
  t.equal(memoryLimit(256, 1000, 67), 134)
  t.ok(memoryLimit() > 2 ** 20)
})

t.test('connections to your backend are subtracted, at most half', async t => {
  t.equal(connectionLimitOf(config('http://shop'), 1024, 2 ** 34), 720)
  t.equal(connectionLimitOf(config('http://shop'), 128), 40)
  t.equal(connectionLimitOf(config('http://shop'), 49), 1)
})

t.test('too few open files', async t => {
  t.throws(() => connectionLimitOf(config(), 48), {
    message: whole('the limit of open files is 48, of which 48 are not for connections: raise it (ulimit -n)')
  })
})

t.test('the descriptor limit of the process', async t => {
  const module = join(root, 'dist/src/process/connection-limit.js')
  const script = `import('${module}').then(({ descriptorLimit }) => console.log(descriptorLimit()))`
  const output = execFileSync('sh', ['-c', 'ulimit -n 200 && exec "$@"', 'sh', process.execPath, '-e', script], {
    encoding: 'utf8', env: {}
  })
  t.equal(output, '200\n')
  const folder = t.testdir({ limits: 'Max processes 7 7\nMax open files            unlimited            unlimited            files\n' })
  t.equal(descriptorLimit(join(folder, 'limits')), Infinity)
  t.equal(descriptorLimit(join(folder, 'missing')), Infinity, 'as on Windows')
})
