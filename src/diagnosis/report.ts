import type { Variant } from '../scheme/request.js'
import type { Diagnosis } from './diagnosis.js'
import type { Found } from './find-causes.js'
import type { ParsedSignature } from './parse-signature.js'
import type { Search } from './search.js'

const fieldsOfPart2 = { A: 'order id, account number and token', B: 'account number and token' }

/** What to look at where a part stays unexplained. */
function hintsOf ({ part1, part2 }: Found, variant: Variant): string[] {
  const first = part1 === 'matches' ? 'matches' : 'is explained'
  const second = part2 === 'matches' ? 'matches' : 'is explained'
  if (part2 === 'unsearched') {
    const without = 'Part 2 was not searched: that needs the token.'
    return part1 === 'unexplained'
      ? ['Part 1 does not match, and nothing that was tried makes it match: compare the time stamp, sid, amount and reference with ' +
         'those that were signed, character by character.', without]
      : [`Part 1 ${first}, which settles the time stamp, sid, amount and reference. ${without} It also has the ${fieldsOfPart2[variant]}.`]
  }
  if (part1 === 'unexplained' && part2 === 'unexplained') {
    return [
      'Neither part matches, and nothing that was tried makes one match.',
      'Part 1 holds no secret, so the token is not the only difference: check the time stamp, sid, amount and reference first, and compare ' +
      'the request that was signed with the one that was sent, character by character.'
    ]
  }
  if (part1 === 'unexplained') {
    return [`Part 2 ${second}, so the time stamp, amount, reference and token are settled. Part 1 differs, which leaves the sid: most ` +
      'often another one was signed than was sent, or part 1 was copied wrongly. Generate the sid once, for the signature and the payment request.']
  }
  if (part2 === 'unexplained') {
    return [
      `Part 1 ${first}, so the time stamp, sid, amount and reference are settled.`,
      `Part 2 does not match, which leaves the ${fieldsOfPart2[variant]}. Most often it is the token of another ` +
      'environment: compare the key check values, or supply the other tokens.'
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
  const isRight = part1 === 'matches' && part2 !== 'unexplained' && part2 !== 'explained' && causes.length === 0
  const isPlain = form.changes.length === 0
  const all = isRight && !isPlain ? [{ changes: [] }] : causes
  const limit = isExhausted ? ['The search reached its limit before everything was tried.'] : []
  return {
    valid: isRight && part2 === 'matches' && isPlain && hints.length === 0,
    part1,
    part2,
    causes: all.map(({ changes }) => ({ changes: [...form.changes, ...changes] })),
    hints: [...hints, ...hintsOf(found, variant), ...limit],
    tries,
    complete: !isExhausted
  }
}
