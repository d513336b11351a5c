import type { Diagnosis } from '../../tools/diagnosis/diagnosis.js'
import { both, uses, type Attempt, type Mistake, type Use } from './wrong-signatures.js'

/** The names of hypotheses that make up a mistake; several of one place are separated by a bar. */
const namesOf = ({ hypothesis }: Mistake): string[] => hypothesis === '' ? [] : hypothesis.split('+')

/** Whether the first cause is these mistakes and no others; of one without a name, whether the place is right. */
export function isFirst (mistakes: readonly Mistake[], { causes, part1, part2 }: Diagnosis): boolean {
  const changes = [...causes[0]?.changes ?? []]
  if (changes.length === 0 || part1 === 'unexplained' || part2 === 'unexplained') return false
  for (const mistake of mistakes) {
    const { subject, hypothesis } = mistake
    if (hypothesis === '') return changes.every(({ finding }) => new RegExp(subject.replace('merchantToken', 'token')).test(finding))
    for (const name of namesOf(mistake)) {
      const index = changes.findIndex(({ hypothesis, alsoKnownAs }) => [hypothesis, ...alsoKnownAs].some(known => name.split('|').includes(known)))
      if (index === -1) return false
      changes.splice(index, 1)
    }
  }
  return changes.length === 0
}

/** Always the same numbers from 0 to 1. */
export function * numbers (): Generator<number> {
  for (let state = 1; ; state = state * 48271 % 0x7fffffff) yield state / 0x7fffffff
}

/** So many pairs of single mistakes in different fields, or in a field and in how it is signed; always the same. */
export function pairsOf (
  mistakes: readonly Mistake[], count: number
): Array<{ one: Mistake, other: Mistake, use: Use, attempt: Attempt }> {
  const found = []
  // Other values, and digests that cannot be read back, are found alone.
  const alone = /\+|-another-value|^one-hash|^digest-(?:unpadded|sign-extended|bytes|hex-twice|appended)/
  const single = mistakes.filter(({ hypothesis }) => !alone.test(hypothesis))
  const random = numbers()
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random.next().value as number * items.length)]!
  while (found.length < count) {
    const [one, other, use] = [pick(single), pick(single), pick(uses)]
    const attempt = both(one, other, use)
    // Of some pairs one leaves no trace, such as a time stamp in seconds where there is none.
    const isHidden = [one, other].some(({ attempts }) => attempts.get(use)?.signature === attempt?.signature)
    if (attempt !== undefined && !isHidden) found.push({ one, other, use, attempt })
  }
  return found
}
