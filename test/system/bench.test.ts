import { join } from 'node:path'
import t from 'tap'
import { lacking } from '../support/installed.js'
import { root, start } from '../support/server.js'

// A short run has no useful figures. It fails if a signature is wrong or a request fails.

t.test('a short run of the benchmark', { skip: lacking('wrk', 'taskset', 'nginx') }, async t => {
  // env -i, because the test runner instruments what a test starts.
  const bench = start(t, 'env', [
    '-i', `PATH=${process.env.PATH}`, process.execPath, join(root, 'test/bench/run.js'), 'modes', 'start', 'library',
    '--rounds', '1', '--seconds', '0.2'
  ], { cwd: root, env: {} })
  t.equal(await bench.ended, 0, 'it ends well', { output: bench.output() })
  t.match(bench.output(), /^\| default log, behind nginx \| \d/m)
  t.match(bench.output(), /^\| guards, `AUDIT=required` in a file, default log \| \d/m)
  t.match(bench.output(), /^\| a signature \| \d/m)
})
