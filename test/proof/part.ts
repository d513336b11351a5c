import type { Scope } from '../support/server.js'
import { scoped } from '../support/scope.js'

/** A promise of the project, and the experiment that shows it. */
export interface Part {
  name: string
  /** The promise, in one sentence. */
  shows: string
  /** Programs that the part needs. The part is not run where one is missing. */
  programs?: string[]
  run: (context: Context) => Promise<Result>
  /** Adds judgements that were made after the run to a stored result. Default: there are none. */
  complete?: (result: StoredResult) => StoredResult
}

export interface Context {
  seed: number
  commit: string
  /** True for a smoke test of the part: a few seconds instead of the whole experiment. */
  short: boolean
  /** Duration that the user asks for, in minutes, for parts that run for a time and not for a number of cases. */
  minutes?: number
  /** Folder that is kept between runs, in which a part stores what it needs to resume. */
  directory: string
  /** Prints a line of progress. */
  note: (line: string) => void
  /** Aborted at SIGINT and SIGTERM. */
  signal: AbortSignal
}

interface Result {
  passed: boolean
  figures: Record<string, string | number>
  /** Markdown without code blocks: a table, or a list of failures. */
  details?: string
  /** Facts for `complete`. */
  data?: unknown
}

/** A result as it is stored, with the circumstances of the run. */
export interface StoredResult extends Result {
  command: string
  /** ISO 8601, UTC. */
  date: string
  commit: string
  /** True if tracked files differed from the commit. */
  isDirty: boolean
  machine: string
  seed: number
  seconds: number
}

/** Returns a function of a part that runs with a folder and processes that end with it. */
export const inScope = (name: string, run: (scope: Scope, context: Context) => Promise<Result>): Part['run'] =>
  context => scoped(name, scope => run(scope, context))

/** Returns a Markdown table. */
export function table (head: string[], rows: Array<Array<string | number>>): string {
  const line = (cells: Array<string | number>) => `| ${cells.map(cell => String(cell).replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

/**
 * Returns a generator of pseudo-random numbers from 0 to below 1 (mulberry32). Equal seeds yield equal sequences.
 */
export function randomOf (seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6D2B79F5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns a percentile of some numbers: 0.99 for the 99th. */
export function percentile (numbers: number[], share: number): number {
  const sorted = [...numbers].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}
