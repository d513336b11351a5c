import type { Diagnosis } from '../../tools/diagnosis/diagnosis.js'
import type { Mistake } from './wrong-signatures.js'

/** True if the first cause consists of exactly this mistake. `a|b` is either hypothesis, `a+b` is both. */
export function isFirst ({ hypothesis }: Mistake, { causes, part1, part2 }: Diagnosis): boolean {
  const changes = [...causes[0]?.changes ?? []]
  if (changes.length === 0 || part1 === 'unexplained' || part2 === 'unexplained') return false
  for (const name of hypothesis.split('+')) {
    const index = changes.findIndex(({ hypothesis, alsoKnownAs }) => [hypothesis, ...alsoKnownAs].some(known => name.split('|').includes(known)))
    if (index === -1) return false
    changes.splice(index, 1)
  }
  return changes.length === 0
}
