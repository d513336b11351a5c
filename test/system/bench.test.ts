import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { root, start } from '../support/server.js'

// The figures of so short a run are worth nothing. It fails unless every server gives the right signature, before and
// after the load, and no request under load fails.

const skip = ['wrk', 'taskset'].some(program => spawnSync(program, ['-v']).error) && 'the benchmark needs wrk and Linux'

t.test('a short run of the benchmark', { skip }, async t => {
  // By env, because the test runner would instrument what it measures.
  const bench = start(t, 'env', [
    '-i', `PATH=${process.env.PATH}`, process.execPath, join(root, 'bench/run.js'), '--rounds', '1', '--seconds', '0.2'
  ], { cwd: root, env: {} })
  t.equal(await bench.ended, 0, 'it ends well', { output: bench.output() })
  t.match(bench.output(), /^\| service, log off, against Express 5, no log \| \d/m)
  t.match(bench.output(), /^\| service, default log \| \d/m)
})
