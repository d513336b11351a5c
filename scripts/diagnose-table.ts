import { diagnose } from '../tools/diagnosis/diagnose.js'
import { isFirst, pairsOf } from '../test/support/diagnosed.js'
import { namedMistakes } from '../test/support/named-mistakes.js'
import { unnamedMistakes } from '../test/support/unnamed-mistakes.js'
import { uses } from '../test/support/wrong-signatures.js'
import type { Attempt, Mistake } from '../test/support/wrong-signatures.js'

/*
 * Prints how well diagnose does: each mistake in both variants and all operations, with the place of its cause and the
 * number of texts hashed; pairs of mistakes; mistakes that nobody named; and how long a search takes that finds
 * nothing.
 *
 *   npm run diagnose-table -- [pairs]
 */
const print = (line: string): void => { process.stdout.write(`${line}\n`) }

const pairs = Number(process.argv[2] ?? 1000)

function share (name: string, results: readonly boolean[]): void {
  const first = results.filter(Boolean).length
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

share('Named', table(namedMistakes))
share('Nobody named', table(unnamedMistakes))

const results = pairsOf(namedMistakes, pairs).map(({ one, other, use, attempt }) => {
  const diagnosis = diagnose(attempt.signature, attempt.request, attempt.options)
  const is = isFirst([one, other], diagnosis)
  if (!is) {
    const found = diagnosis.causes[0]?.changes.map(({ hypothesis }) => hypothesis).join(' + ') ?? 'nothing'
    const names = [one, other].map(({ hypothesis, what }) => `${hypothesis} (${what})`).join(' and ')
    print(`- ${use}: ${names}: ${found}, ${diagnosis.tries}`)
  }
  return is
})
share('Pairs', results)

/** A digest that no text has. */
const nothing = 'a'.repeat(64)
const misses = uses.flatMap(use => namedMistakes.flatMap(({ attempts, changed }): Attempt[] => {
  const attempt = attempts.get(use)
  return attempt === undefined || changed === undefined ? [] : [attempt]
})).filter((_attempt, index) => index % 12 === 0).flatMap(({ signature, request, options }) => [`${nothing}///${nothing}`, signature.replace(/[^/]+$/, nothing)]
  .map(wrong => {
    const begin = process.cpuUsage()
    const { tries } = diagnose(wrong, request, options)
    const { user, system } = process.cpuUsage(begin)
    return { tries, milliseconds: (user + system) / 1000 }
  }))
const at = (values: number[], rank: number): string =>
  values.sort((one, other) => one - other)[Math.floor(rank * values.length)]!.toFixed(0)
for (const rank of [0.5, 0.95]) {
  const milliseconds = at(misses.map(({ milliseconds }) => milliseconds), rank)
  const tries = at(misses.map(({ tries }) => tries), rank)
  print(`Misses, ${rank * 100} %: ${milliseconds} ms of one core, ${tries} texts hashed`)
}
