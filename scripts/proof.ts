import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../test/support/server.js'
import { parts } from './proof/parts.js'
import type { Context, Part, StoredResult } from './proof/part.js'
import { resultDocuments, resultPath } from './proof/report.js'

/*
 * Runs the parts of the proof, stores their results in scripts/proof/results, and writes docs/assurance.md.
 *
 *   npm run proof -- [differential http …] [--seed 1] [--minutes 120] [--short] [--report]
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    minutes: { type: 'string' },
    short: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false }
  }
})
const names = parts.map(({ name }) => name)
const unknown = positionals.filter(name => !names.includes(name))
const seed = Number(values.seed)
const minutes = values.minutes === undefined ? undefined : Number(values.minutes)
const print = (line: string): void => { process.stdout.write(`${line}\n`) }

function usage (problem: string): never {
  process.stderr.write(`${problem}\n`)
  process.exit(2)
}
if (unknown.length > 0) usage(`unknown part ${unknown.join(', ')}: the parts are ${names.join(', ')}`)
if (!Number.isSafeInteger(seed) || seed < 0) usage('--seed must be an integer of at least 0')
if (minutes !== undefined && !(minutes > 0)) usage('--minutes must be a number above 0')

const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

/** True if tracked files other than the results and the report differ from the commit. */
const isDirty = (): boolean => git('status', '--porcelain', '--untracked-files=no', '--', '.',
  ':!scripts/proof/results', ':!docs/assurance.md') !== ''

const isInstalled = (program: string): boolean =>
  spawnSync('sh', ['-c', 'command -v "$1"', 'sh', program], { env: { PATH: `${process.env.PATH}:/usr/sbin` } }).status === 0

const abort = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => abort.abort())

/** Runs a part and stores its result. Returns true if the part passed. */
async function passes ({ name, programs = [], run }: Part): Promise<boolean> {
  const missing = programs.filter(program => !isInstalled(program))
  if (missing.length > 0) {
    print(`${name}: not run: needs ${missing.join(', ')}`)
    return false
  }
  const directory = join(root, 'node_modules/.cache/proof', name)
  mkdirSync(directory, { recursive: true })
  const context: Context = {
    seed,
    directory,
    short: values.short,
    ...minutes !== undefined && { minutes },
    note: line => print(`${name}: ${line}`),
    signal: abort.signal
  }
  const circumstances = {
    command: `npm run proof -- ${name}${minutes === undefined ? '' : ` --minutes ${minutes}`}`,
    date: new Date().toISOString(),
    commit: git('rev-parse', '--short=12', 'HEAD'),
    isDirty: isDirty(),
    machine: `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, Node.js ${process.versions.node}`,
    seed
  }
  const start = performance.now()
  const result = await run(context)
  const seconds = Math.round((performance.now() - start) / 1000)
  if (result.details !== undefined) print(`\n${result.details}\n`)
  print(`${name}: ${result.passed ? 'passed' : 'FAILED'} after ${seconds} s with seed ${seed}: ${JSON.stringify(result.figures)}`)
  if (!values.short && !abort.signal.aborted) {
    const stored: StoredResult = { ...circumstances, seconds, ...result }
    writeFileSync(resultPath(name), `${JSON.stringify(stored, undefined, 2)}\n`)
  }
  return result.passed
}

const chosen = values.report ? [] : parts.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
const failed: string[] = []
for (const part of chosen) {
  if (abort.signal.aborted) break
  const isPassed = await passes(part).catch(error => print(`${part.name}: ${error.stack}`))
  if (isPassed !== true) failed.push(part.name)
}
if (!values.short) {
  for (const [path, text] of Object.entries(resultDocuments(parts))) writeFileSync(join(root, path), text)
}
if (failed.length > 0) print(`not passed: ${failed.join(', ')}`)
process.exit(failed.length === 0 && !abort.signal.aborted ? 0 : 1)
