import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { scoped } from '../support/scope.js'
import type { Scope } from '../support/server.js'
import { model } from './model.js'
import { strict } from './strict.js'

/*
 * Searches for requests that break a promise, with random requests, and prints those that do.
 *
 *   npm run fuzz -- [strict|model ...] [--seconds 120] [--seed 1]
 */

interface Search {
  seed: number
  /** Time at which the search ends, by `performance.now()`. */
  end: number
  /** Prints a line of progress. */
  print: (line: string) => void
}

/** Searches for faults. Returns those it found; ten are enough. */
export type Fuzzer = (t: Scope, search: Search) => Promise<string[]>

const fuzzers: Readonly<Record<string, Fuzzer>> = { strict, model }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '120' }, seed: { type: 'string', default: String(randomInt(2 ** 31)) } }
})
const [seconds, seed] = [Number(values.seconds), Number(values.seed)]
const names = positionals.length > 0 ? positionals : Object.keys(fuzzers)
const unknown = names.filter(name => !Object.hasOwn(fuzzers, name))
if (unknown.length > 0 || !(seconds > 0) || !Number.isSafeInteger(seed)) {
  process.stderr.write(`usage: npm run fuzz -- [${Object.keys(fuzzers).join('|')} ...] [--seconds NUMBER] [--seed INTEGER]\n`)
  process.exit(2)
}

for (const name of names) {
  const print = (line: string): void => { process.stdout.write(`${name}: ${line}\n`) }
  print(`npm run fuzz -- ${name} --seconds ${seconds / names.length} --seed ${seed}`)
  const end = performance.now() + seconds * 1000 / names.length
  const faults = await scoped(`fuzz-${name}`, t => fuzzers[name]!(t, { seed, end, print }))
  for (const fault of faults) print(`FAULT ${fault}`)
  if (faults.length > 0) process.exitCode = 1
}
