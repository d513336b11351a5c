import { readerOf } from '../../src/scheme/variants.js'
import type { Variant } from '../../src/scheme/variants.js'
import type { Diagnosis, PartFinding } from './diagnosis.js'
import type { Found } from './find-causes.js'
import type { ParsedSignature } from './parse-signature.js'
import type { Search } from './search.js'

/** What to look at where a part stays unexplained. */
function hintsOf ({ part1, part2 }: Found, variant: Variant): string[] {
  const is = (finding: PartFinding): string => finding === 'matches' ? 'matches' : 'is explained'
  const rest = `the ${readerOf(variant).parts.part2.includes('orderIdOrNull') ? 'order id, ' : ''}account number and token`
  const compare = 'compare the request that was signed with the one that was sent, character by character.'
  const isLost = part1 === 'unexplained'
  if (part2 === 'unsearched') {
    return [isLost
      ? `Part 1 does not match, and nothing that was tried makes it match: check the time stamp, sid, amount and reference, and ${compare}`
      : `Part 1 ${is(part1)}, which settles the time stamp, sid, amount and reference.`,
    `Part 2 was not searched: that needs the token. It also has ${rest}.`]
  }
  if (isLost && part2 === 'unexplained') {
    return [
      'Neither part matches, and nothing that was tried makes one match.',
      `Part 1 holds no secret, so the token is not the only difference: check the time stamp, sid, amount and reference first, and ${compare}`
    ]
  }
  if (isLost) {
    return [`Part 2 ${is(part2)}, so the time stamp, amount, reference and token are settled. Part 1 differs, which leaves the sid: most ` +
      'often another one was signed than was sent, or part 1 was copied wrongly. Generate the sid once, for the signature and the payment request.']
  }
  if (part2 === 'unexplained') {
    return [`Part 1 ${is(part1)}, so the time stamp, sid, amount and reference are settled.`,
      `Part 2 does not match, which leaves ${rest}. Most often it is the token of another environment: compare the key check values, ` +
      'or supply the other tokens.']
  }
  return []
}

/** What was found, and what that leaves; the first hint is why the request would be refused. */
export function diagnosisOf (
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
