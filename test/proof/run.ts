import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { pathOf } from '../support/installed.js'
import { root } from '../support/server.js'
import { parts } from './parts.js'
import type { Context, Part, StoredResult } from './part.js'
import { resultDocuments, resultPath } from './report.js'

/*
 * Runs the parts of the proof, stores their results in test/proof/results, and writes docs/assurance.md. The default
 * seed is the commit.
 *
 *   npm run proof -- [differential http …] [--seed 1] [--minutes 120] [--short] [--report]
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    minutes: { type: 'string' },
    short: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false }
  }
})
const names = parts.map(({ name }) => name)
const unknown = positionals.filter(name => !names.includes(name))
const minutes = values.minutes === undefined ? undefined : Number(values.minutes)
const print = (line: string): void => { process.stdout.write(`${line}\n`) }

function usage (problem: string): never {
  process.stderr.write(`${problem}\n`)
  process.exit(2)
}
if (unknown.length > 0) usage(`unknown part ${unknown.join(', ')}: the parts are ${names.join(', ')}`)
if (minutes !== undefined && !(minutes > 0)) usage('--minutes must be a number above 0')

const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

const commit = git('rev-parse', '--short=12', 'HEAD')
const seed = values.seed === undefined ? parseInt(commit.slice(0, 7), 16) : Number(values.seed)
if (!Number.isSafeInteger(seed) || seed < 0) usage('--seed must be an integer of at least 0')

/** True if tracked files other than the results and the report differ from the commit. */
const isDirty = (): boolean => git('status', '--porcelain', '--untracked-files=no', '--', '.',
  ':!test/proof/results', ':!docs/assurance.md') !== ''

const abort = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => abort.abort())

/** Runs a part and stores its result. Returns true if the part passed. */
async function passes ({ name, programs = [], run, complete = result => result }: Part): Promise<boolean> {
  const missing = programs.filter(program => pathOf(program) === undefined)
  if (missing.length > 0) {
    print(`${name}: not run: needs ${missing.join(', ')}`)
    return false
  }
  const directory = join(root, 'node_modules/.cache/proof', name)
  mkdirSync(directory, { recursive: true })
  const context: Context = {
    seed,
    commit,
    directory,
    short: values.short,
    ...minutes !== undefined && { minutes },
    note: line => print(`${name}: ${line}`),
    signal: abort.signal
  }
  const circumstances = {
    command: `npm run proof -- ${name}${minutes === undefined ? '' : ` --minutes ${minutes}`}`,
    date: new Date().toISOString(),
    commit,
    isDirty: isDirty(),
    machine: `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, Node.js ${process.versions.node}`,
    seed
  }
  const start = performance.now()
  const raw = await run(context)
  const seconds = Math.round((performance.now() - start) / 1000)
  const stored: StoredResult = { ...circumstances, seconds, ...raw }
  const result = complete(stored)
  if (result.details !== undefined) print(`\n${result.details}\n`)
  print(`${name}: ${result.passed ? 'passed' : 'FAILED'} after ${seconds} s with seed ${seed}: ${JSON.stringify(result.figures)}`)
  if (!values.short && !abort.signal.aborted) {
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
