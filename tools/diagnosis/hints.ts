import { readerOf, type Variant } from '../../src/scheme/variants.js'
import type { Diagnosis, PartFinding } from './diagnosis.js'
import type { Found } from './find-causes.js'
import type { ParsedSignature } from './parse-signature.js'
import type { Search } from './search.js'

/** Facts that are known without the search. */
export interface Circumstances {
  readonly variant: Variant
  /** Warning that the signature contains the token. */
  readonly published: readonly string[]
  /** Reasons why the service refuses the request. */
  readonly hints: readonly string[]
  /** Properties of the request that are legal and often a mistake. */
  readonly warnings: readonly string[]
  /** The other request has the same order id and account number. */
  readonly isTokenAlone: boolean
}

/** Returns what is known about parts that stay unexplained. */
function hintsOf ({ part1, part2 }: Found, variant: Variant, isTokenAlone: boolean): string[] {
  const is = (finding: PartFinding): string => finding === 'matches' ? 'matches' : 'is explained'
  const rest = `the ${readerOf(variant).parts.part2.includes('orderIdOrNull') ? 'order id, ' : ''}account number and token`
  const compare = 'compare the request that was signed with the one that was sent, character by character.'
  const isLost = part1 === 'unexplained'
  if (part2 === 'unsearched') {
    return [isLost
      ? `Part 1 does not match, and nothing that was tried makes it match: check the time stamp, sid, amount and reference, and ${compare}`
      : `Part 1 ${is(part1)}, which settles the time stamp, sid, amount and reference of part 1.`,
    `Part 2 was not searched: that needs the token. It also has ${rest}.`]
  }
  if (isLost && part2 === 'unexplained') {
    return [
      'Neither part matches, and nothing that was tried makes one match.',
      `Part 1 holds no secret, so the token is not the only difference: check the time stamp, sid, amount and reference first, and ${compare}`
    ]
  }
  if (isLost) {
    return [`Part 2 ${is(part2)}, which settles the time stamp, amount and reference of part 2, and the token. Part 1 differs in something ` +
      'else: most often another sid was signed than was sent. Generate the sid once, for the signature and the payment request.']
  }
  if (part2 === 'unexplained') {
    return [`Part 1 ${is(part1)}, which settles the time stamp, sid, amount and reference of part 1.`, isTokenAlone
      ? 'Part 2 differs, and the order id and account number are those of the other request, which leaves the token, perhaps the ' +
        'token of another environment: compare the key check values, or supply the other tokens.'
      : `Part 2 differs, and nothing that was tried makes it match: compare ${rest} with the signer's, the token by its key check value.`]
  }
  return []
}

/** Returns what was found, and what remains open; the first hint is why the request would be refused. */
export function diagnosisOf (
  { variant, published, hints, warnings, isTokenAlone }: Circumstances, form: ParsedSignature, found: Found,
  { tries, isExhausted }: Search
): Diagnosis {
  const { part1, part2, causes } = found
  const isRight = part1 === 'matches' && part2 !== 'unexplained' && part2 !== 'explained' && causes.length === 0
  const isPlain = form.changes.length === 0
  const all = isRight && !isPlain ? [{ changes: [], equallyLikely: 1 }] : causes
  const limit = isExhausted ? ['The search reached its limit before everything was tried.'] : []
  const isOpen = part1 === 'unexplained' || part2 === 'unexplained'
  return {
    valid: isRight && part2 === 'matches' && isPlain && hints.length === 0,
    part1,
    part2,
    causes: all.map(({ changes, equallyLikely }) => ({ equallyLikely, changes: [...form.changes, ...changes] })),
    hints: [...published, ...hints, ...hintsOf(found, variant, isTokenAlone), ...isOpen ? warnings : [], ...limit],
    tries,
    complete: !isExhausted
  }
}
