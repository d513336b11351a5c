import type { Diagnosis } from '../../tools/diagnosis/diagnosis.js'
import { both, uses, type Attempt, type Mistake, type Use } from './wrong-signatures.js'

/** Returns the hypotheses of a mistake. `a|b` is either hypothesis. */
const namesOf = ({ hypothesis }: Mistake): string[] => hypothesis === '' ? [] : hypothesis.split('+')

/** True if the first cause consists of exactly these mistakes. For an unnamed mistake, only the subject is compared. */
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

/** Yields pseudorandom numbers from 0 to 1, always the same. */
export function * numbers (): Generator<number> {
  for (let state = 1; ; state = state * 48271 % 0x7fffffff) yield state / 0x7fffffff
}

/** Returns pairs of single mistakes in two fields, or in a field and the computation. The pairs are always the same. */
export function pairsOf (
  mistakes: readonly Mistake[], count: number
): Array<{ one: Mistake, other: Mistake, use: Use, attempt: Attempt }> {
  const found = []
  // Other values, and digests that cannot be decoded, are found only without a second mistake.
  const alone = /\+|-another-value|^one-hash|^digest-(?:unpadded|sign-extended|bytes|hex-twice|appended)/
  const single = mistakes.filter(({ hypothesis }) => !alone.test(hypothesis))
  const random = numbers()
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random.next().value as number * items.length)]!
  while (found.length < count) {
    const [one, other, use] = [pick(single), pick(single), pick(uses)]
    const attempt = both(one, other, use)
    // A mistake may have no effect, such as an absent time stamp in seconds.
    const isHidden = [one, other].some(({ attempts }) => attempts.get(use)?.signature === attempt?.signature)
    if (attempt !== undefined && !isHidden) found.push({ one, other, use, attempt })
  }
  return found
}
