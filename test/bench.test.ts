import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { root, start } from './support/server.js'

// The figures of such a short run are worth nothing. What is tested is that everything runs, without errors, and
// answers right: the benchmark ends with an error if a target does not give the literal signature.

const skip = process.platform !== 'linux' && 'the benchmark needs Linux'

t.test('a short run of the benchmark', { skip }, async t => {
  const out = t.testdir()
  const results = (part: string) => JSON.parse(readFileSync(join(out, `${part}.json`), 'utf8')).result

  /** Runs it on the built service, by env, because the test runner would instrument it. */
  const bench = (...args: string[]) => start(t, 'env', [
    '-i', `PATH=${process.env.PATH}`, `HOME=${homedir()}`, process.execPath, join(root, 'bench/run.js'), '--out', out, ...args
  ], { cwd: root, env: {} })

  const run = bench('--smoke')
  t.equal(await run.ended, 0, 'it ends well', { output: run.output() })

  t.test('every target answers right', async t => {
    const targets: Array<{ name: string, rounds: Array<{ errors: number }> }> = results('http').targets
    const { go, ...others } = Object.fromEntries(
      targets.map(({ name, rounds }) => [name, rounds.map(({ errors }) => errors)]))
    t.same(others, {
      'bare-fastify': [0],
      'node-http': [0],
      silent: [0],
      service: [0],
      guards: [0],
      'guards-audit': [0],
      'silent-again': [0],
      hono: [0],
      express: [0]
    })
    t.test('Go', { skip: run.output().includes('skipped: Go') && 'there is no go here' }, async t => t.same(go, [0]))
  })

  t.test('signer, start and growth', async t => {
    t.match(results('signer').cases, [
      { variant: 'A', operation: 'purchase', text: 'ASCII', ours: [Number], floor: [Number], createHash: [Number] },
      { variant: 'A', operation: 'inquiry', text: 'ASCII' },
      { variant: 'A', operation: 'refund', text: 'non-ASCII' },
      { variant: 'B', operation: '', text: 'non-ASCII' }
    ])
    t.match(results('start').rows, [
      { label: 'bare Fastify, first 200', milliseconds: [Number] },
      { label: 'service, first 200', milliseconds: [Number] },
      { label: 'node -e 0', milliseconds: [Number] }
    ])
    t.match(results('growth').rows, [
      { what: 'bytes of body', value: 100_000, rounds: [{ errors: 0 }] },
      { what: 'processes', value: 2, rounds: [{ errors: 0 }] }
    ])
    t.match(results('growth').memory, { points: [{ signatures: Number, memory: Number }], errors: 0 })
  })

  t.test('the report', async t => {
    const report = bench('report')
    t.equal(await report.ended, 0, 'it ends well', { output: report.output() })
    const page = readFileSync(join(out, 'bench/README.md'), 'utf8')
    t.match(page, /^\| service, logging off, against Express 5 \| \d/m)
    t.match(page, /^\| A \| purchase \| ASCII \| \d/m)
    t.match(page, /^\| service, first 200 \| \d/m)
    t.match(page, /^\| processes: 2 \| \d/m)
    t.match(readFileSync(join(out, 'docs/bench.svg'), 'utf8'), /^<svg [^]*>bare Fastify that signs<[^]*<\/svg>\n$/)
  })

  t.test('what it does not understand', async t => {
    for (const args of [['sign'], ['--fast'], ['--rounds', '0']]) {
      const refused = bench(...args)
      t.equal(await refused.ended, 2)
      t.match(refused.output(), 'npm run bench')
    }
  })
})
