import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import type { Environment } from '../../../src/configuration/settings.js'
import { connectionLimitOf, descriptorLimit, memoryLimit } from '../../../src/listening/connection-limit.js'
import { root } from '../../support/server.js'
import { whole } from '../../support/whole.js'

const config = (MAX_CONNECTIONS: number, AUTHORIZE_URL = '') =>
  ({ MAX_CONNECTIONS, AUTHORIZE_URL, AUTHORIZE_MAX_IN_FLIGHT: 256 }) as Environment

t.test('the limit of descriptors minus those that the process needs', async t => {
  for (const [descriptors, limit] of [
    [64, 16], [128, 80], [1024, 976], [4096, 4048], [16_432, 16_384], [1_048_576, 16_384], [Infinity, 16_384]
  ] as const) t.equal(connectionLimitOf(config(0), descriptors, 2 ** 34), limit)
})

t.test('the memory allows 16 connections for each MiB beyond 128', async t => {
  for (const [mebibytes, limit] of [
    [64, 128], [128, 128], [135, 128], [137, 144], [256, 2048], [512, 6144], [1151, 16_368], [1152, 16_384],
    [65_536, 16_384]
  ] as const) t.equal(connectionLimitOf(config(0), Infinity, mebibytes * 2 ** 20), limit)
  t.equal(connectionLimitOf(config(0), 1024, 2 ** 28), 976, 'fewer if there are fewer descriptors')
  t.equal(connectionLimitOf(config(5000), Infinity, 2 ** 28), 5000, 'MAX_CONNECTIONS wins')
})

t.test('the memory is the minimum of cgroup, machine and twice the heap', async t => {
  t.equal(memoryLimit(256, 1000, 259), 256)
  t.equal(memoryLimit(2 ** 64, 1000, 600), 1000, 'a cgroup of version 1 without a limit')
  t.equal(memoryLimit(0, 1000, 600), 1000, 'no cgroup')
  t.equal(memoryLimit(256, 1000, 67), 134)
  t.ok(memoryLimit() > 2 ** 20)
})

t.test('connections to your backend are subtracted, at most half', async t => {
  t.equal(connectionLimitOf(config(0, 'http://shop'), 1024, 2 ** 34), 720)
  t.equal(connectionLimitOf(config(0, 'http://shop'), 128), 40)
  t.equal(connectionLimitOf(config(0, 'http://shop'), 49), 1)
})

t.test('an explicit MAX_CONNECTIONS', async t => {
  t.equal(connectionLimitOf(config(1), 64), 1)
  t.equal(connectionLimitOf(config(16), 64), 16)
  t.equal(connectionLimitOf(config(976, 'http://shop'), 1024), 976)
  t.equal(connectionLimitOf(config(100_000), Infinity), 100_000)
})

t.test('MAX_CONNECTIONS above the limit of descriptors', async t => {
  t.throws(() => connectionLimitOf(config(977), 1024), {
    code: 'ERR_CONFIGURATION',
    message: whole('the limit of open files is 1024, of which 48 are not for connections: raise it (ulimit -n), or set ' +
      'MAX_CONNECTIONS to at most 976')
  })
  t.throws(() => connectionLimitOf(config(0), 48), {
    message: whole('the limit of open files is 48, of which 48 are not for connections: raise it (ulimit -n)')
  })
})

t.test('the descriptor limit of the process', async t => {
  const module = join(root, 'dist/src/listening/connection-limit.js')
  const script = `import('${module}').then(({ descriptorLimit }) => {
    console.log(descriptorLimit(), process.report.excludeNetwork)
  })`
  const output = execFileSync('sh', ['-c', 'ulimit -n 200 && exec "$@"', 'sh', process.execPath, '-e', script], {
    encoding: 'utf8', env: {}
  })
  t.equal(output, '200 false\n')
})

t.test('a system without a descriptor limit', async t => {
  t.equal(descriptorLimit({ userLimits: { open_files: { soft: 'unlimited' } } }), Infinity)
  t.equal(descriptorLimit({}), Infinity, 'as on Windows')
})
