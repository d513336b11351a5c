import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, createWriteStream, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/server.js'
import { scoped } from '../support/scope.js'
import { table } from './part.js'
import type { Part } from './part.js'

/** The lowest Fastify for the service, and the newest. CI runs the versions of Node.js. */
const fastifyVersions = ['5.10.0', '5']

/** Copies this checkout with its build to a folder, and links all dependencies but Fastify. Returns its version. */
function copyWithFastify (directory: string, version: string, copy: string): string {
  const installed = join(directory, `fastify-${version}`)
  mkdirSync(installed, { recursive: true })
  execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', '--prefix', installed, `fastify@${version}`], { cwd: installed })
  mkdirSync(join(copy, 'node_modules'))
  execFileSync('sh', ['-c', 'git archive HEAD | tar -x -C "$1"', 'sh', copy], { cwd: root })
  cpSync(join(root, 'dist'), join(copy, 'dist'), { recursive: true })
  execFileSync('git', ['init', '--quiet'], { cwd: copy })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== 'fastify' && name !== '.cache') symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name))
  }
  symlinkSync(join(installed, 'node_modules/fastify'), join(copy, 'node_modules/fastify'))
  return JSON.parse(readFileSync(join(installed, 'node_modules/fastify/package.json'), 'utf8')).version
}

/** Runs the test suite of a checkout. Returns its totals. The output is kept in a file. */
async function suite (folder: string, log: string): Promise<{ passed: boolean, totals: string }> {
  const environment = Object.entries(process.env).filter(([name]) => !/^(TAP|NODE_|npm_)/.test(name))
  const args = ['node_modules/tap/dist/esm/run.mjs', '--disable-coverage', '--jobs=3', '--reporter=tap']
  const child = spawn(process.execPath, args, {
    cwd: folder, env: Object.fromEntries(environment), stdio: ['ignore', 'pipe', 'pipe']
  })
  const file = createWriteStream(log)
  child.stdout.pipe(file, { end: false })
  child.stderr.pipe(file, { end: false })
  const [code] = await once(child, 'close')
  file.end()
  await once(file, 'close')
  const totals = [...readFileSync(log, 'utf8').matchAll(/^# \{ total: (.*) \}$/gm)].at(-1)?.[1] ?? `no totals, exit code ${code}`
  return { passed: code === 0, totals: code === 0 ? totals : `FAILED: ${totals}` }
}

export const versions: Part = {
  name: 'versions',
  shows: 'The test suite passes with the oldest Fastify that the service supports, 5.10, and with the newest 5.',
  async run ({ directory, commit, short, note, signal }) {
    const rows: Array<{ passed: boolean, cells: string[] }> = []
    for (const version of fastifyVersions) {
      const path = join(directory, `fastify-${version}.json`)
      const stored = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
      if (!short && stored.commit === commit) { // an earlier run has passed
        rows.push(stored.row)
        continue
      }
      signal.throwIfAborted()
      await scoped('versions', async t => { // outside node_modules, whose code tests and lint ignore
        const installed = copyWithFastify(directory, version, t.testdir())
        const { passed, totals } = short ? { passed: true, totals: 'not run' } : await suite(t.testdir(), join(directory, `${version}.log`))
        const row = { passed, cells: [installed, totals] }
        rows.push(row)
        note(row.cells.join(' | '))
        if (!short && passed) writeFileSync(path, JSON.stringify({ commit, row }))
      })
    }
    return {
      passed: rows.every(({ passed }) => passed),
      figures: { versions: rows.length, failed: rows.filter(({ passed }) => !passed).length },
      details: table(['Fastify', 'suite'], rows.map(({ cells }) => cells))
    }
  }
}
