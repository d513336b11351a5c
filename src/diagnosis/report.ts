import type { Variant } from '../scheme/request.js'
import type { Diagnosis } from './diagnosis.js'
import type { Found } from './find-causes.js'
import type { ParsedSignature } from './parse-signature.js'
import type { Search } from './search.js'

const part2Fields = { A: 'order id, account number and token', B: 'account number and token' }

/** What to look at where a part stays unexplained. */
function hintsOf ({ part1, part2 }: Found, variant: Variant, complete: boolean): string[] {
  const limits = complete ? [] : ['The search reached its limit before everything was tried; allow more tries.']
  if (part1 === 'unexplained' && part2 === 'unexplained') {
    return [
      'Neither part matches, and nothing that was tried makes one match.',
      'Part 1 holds no secret, so the token is not the only difference: check the time stamp, session id, amount and ' +
      'reference first, and compare the request that was signed with the one that was sent, character by character.',
      ...limits
    ]
  }
  if (part2 === 'unexplained') {
    return [
      `Part 1 ${part1 === 'matches' ? 'matches' : 'is explained'}, so the time stamp, session id, amount and reference are settled.`,
      `Part 2 does not match, which leaves the ${part2Fields[variant]}. Most often it is the token of another ` +
      'environment: compare the key check values, or supply the other tokens.',
      ...limits
    ]
  }
  return []
}

/**
 * What was found, and what that leaves.
 *
 * @param hints - why the request would be refused, if it would
 */
export function report (
  variant: Variant, hints: readonly string[], form: ParsedSignature, found: Found, { tries, isExhausted }: Search
): Diagnosis {
  const { part1, part2, causes } = found
  const isRight = part1 === 'matches' && part2 === 'matches'
  const isPlain = form.changes.length === 0
  const all = isRight && !isPlain ? [{ changes: [] }] : causes
  return {
    valid: isRight && isPlain && hints.length === 0,
    part1,
    part2,
    causes: all.map(({ changes }) => ({ changes: [...form.changes, ...changes] })),
    hints: [...hints, ...hintsOf(found, variant, !isExhausted)],
    tries,
    complete: !isExhausted
  }
}
