import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { diagnose } from '../../tools/diagnosis/diagnose.js'
import { isFirst } from '../support/diagnosed.js'
import { namedMistakes } from '../support/named-mistakes.js'
import { isInstalled, programs, runProgram } from '../support/programs.js'
import { unnamedMistakes } from '../support/unnamed-mistakes.js'
import type { Share } from './diagnose-worker.js'
import { uses, type Attempt, type Mistake } from '../support/wrong-signatures.js'

/*
 * Measures diagnose. Prints each mistake in both variants and all operations, with the rank of its cause and the number
 * of hashed texts; pairs of mistakes; unnamed mistakes; the cost of a search without a result; other values that a
 * mistake could explain; and programs with mistakes. Exit code: 1 if a figure misses its target.
 *
 *   npm run diagnose-table -- [pairs] [other values]
 */
const print = (line: string): void => { process.stdout.write(`${line}\n`) }

const pairs = Number(process.argv[2] ?? 200)
const others = Number(process.argv[3] ?? 1000)

/** Prints a share, and sets the exit code if the share is too small. */
function share (name: string, results: readonly boolean[], least: number): void {
  const first = results.filter(Boolean).length
  if (first < least * results.length) process.exitCode = 1
  print(`\n${name}: ${first} of ${results.length} first, ${(100 * first / results.length).toFixed(1)} %\n`)
}

function table (mistakes: readonly Mistake[]): boolean[] {
  print(`| mistake | ${uses.join(' | ')} |\n|---|${'---|'.repeat(uses.length)}`)
  const results: boolean[] = []
  for (const mistake of mistakes) {
    const cells = uses.map(use => {
      const attempt = mistake.attempts.get(use)
      if (attempt === undefined) return ''
      const diagnosis = diagnose(attempt.signature, attempt.request, attempt.options)
      const is = isFirst([mistake], diagnosis)
      results.push(is)
      return `${is ? '1st' : '**not first**'}, ${diagnosis.tries}`
    })
    const name = [mistake.hypothesis, mistake.what].filter(Boolean).join(': ').replaceAll('|', '\\|')
    print(`| ${name} | ${cells.join(' | ')} |`)
  }
  return results
}

share('Named', table(namedMistakes), 1)
share('Unnamed', table(unnamedMistakes), 0.95)

/** A digest without a known text. */
const nothing = 'a'.repeat(64)
const misses = uses.flatMap(use => namedMistakes.flatMap(({ attempts, changed }): Attempt[] => {
  const attempt = attempts.get(use)
  return attempt === undefined || changed === undefined ? [] : [attempt]
})).filter((_attempt, index) => index % 12 === 0).flatMap(({ signature, request, options }) =>
  [`${nothing}///${nothing}`, signature.replace(/[^/]+$/, nothing)].map(wrong => {
    const begin = process.cpuUsage()
    const { tries } = diagnose(wrong, request, options)
    const { user, system } = process.cpuUsage(begin)
    return { tries, seconds: (user + system) / 1e6 }
  }))
const at = (values: number[], rank: number): number =>
  values.sort((one, other) => one - other)[Math.min(values.length - 1, Math.floor(rank * values.length))]!
for (const rank of [0.5, 0.95, 1]) {
  const seconds = at(misses.map(({ seconds }) => seconds), rank).toFixed(2)
  print(`Misses, ${rank * 100} %: ${seconds} s of one core, ${at(misses.map(({ tries }) => tries), rank)} texts hashed`)
}

/** Diagnoses pairs and other values on all cores. */
async function shares (): Promise<Share[]> {
  const count = availableParallelism()
  return Promise.all(Array.from({ length: count }, async (_, index) => {
    const worker = new Worker(new URL('./diagnose-worker.js', import.meta.url), { workerData: { index, count, pairs, others } })
    const [share] = await once(worker, 'message') as [Share]
    return share
  }))
}

const all = await shares()
const results = all.flatMap(({ ofPairs }) => ofPairs)
for (const { line } of results.filter(({ isFirst }) => !isFirst)) print(line)
share('Pairs', results.map(({ isFirst }) => isFirst), 0.97)

const judged = all.flatMap(({ ofOthers }) => ofOthers)
const falseStories = judged.filter(({ isFalse }) => isFalse)
for (const { line } of falseStories) print(line)
const facts = judged.filter(({ isFact }) => isFact).length
const hints = judged.filter(({ isWrongHint }) => isWrongHint).length
print(`\nOther values: ${falseStories.length} of ${judged.length} explained by a mistake, ${facts} of them as a fact; ` +
  `${hints} wrong hints; ${judged.filter(({ isFound }) => isFound).length} found`)

const missed = programs.filter(({ language }) => isInstalled(language)).map(program => {
  const { signature, request, options } = runProgram(program)
  return isFirst([{ hypothesis: program.expected, what: '', subject: '', attempts: new Map() }], diagnose(signature, request, options))
})
share('Programs', missed, 0.95)

const isCostly = misses.some(({ tries }) => tries > 1_300_000)
if (isCostly || falseStories.length > 0.005 * judged.length || facts > 0) process.exitCode = 1
