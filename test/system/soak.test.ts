import { join } from 'node:path'
import t from 'tap'
import { withoutRedis } from '../support/redis.js'
import { root, start } from '../support/server.js'

t.test('a short run of the soak', { skip: withoutRedis }, async t => {
  // env -i, because the test runner instruments what a test starts.
  const soak = start(t, 'env', [
    '-i', `PATH=${process.env.PATH}`, process.execPath, join(root, 'dist/test/proof/run.js'), 'soak', '--short'
  ], { cwd: root, env: {} })
  t.equal(await soak.ended, 0, 'it ends well', { output: soak.output() })
  t.match(soak.output(), /^soak: passed after \d+ s with seed \d+: \{"requests":\d+,.*"faults":0\}$/m)
})
