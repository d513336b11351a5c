import { readerOf, type Variant } from '../../src/scheme/variants.js'
import type { PartFinding } from './diagnosis.js'
import type { Found } from './causes.js'

/** Hypotheses of mistakes that a program makes in both parts. */
const ofBothParts = /^(?:amount|timestamp|terms|text|digest|hashed)-|^(?:hmac|operation|variant)$/

/**
 * Returns sentences about the parts that are unexplained or not searched.
 *
 * @param isTokenAlone - true if the other request has the same order ID and account number
 * @param isSearched - false if no hypothesis was tried
 */
export function hintsOf (
  { part1, part2, causes }: Found, variant: Variant, isTokenAlone: boolean, isSearched: boolean
): string[] {
  const unfound = isSearched ? ', and no cause was found' : ''
  const settled = (part: number, finding: PartFinding, names: string): string => finding === 'matches'
    ? `Part ${part} matches: ${names} are right.`
    : `Part ${part} is explained: besides the causes above, ${names} are right.`
  const part1Settled = settled(1, part1, 'the time stamp, sid, amount and reference in part 1')
  const rest = `the ${readerOf(variant).parts.part2.includes('orderIdOrNull') ? 'order id, ' : ''}account number and token`
  const compare = 'Compare the request that was signed with the one that was sent, character by character.'
  const isLost = part1 === 'unexplained'
  const hasSame = causes[0]?.changes.some(({ hypothesis }) => ofBothParts.test(hypothesis)) === true
  if (part2 === 'unsearched') {
    return [isLost
      ? `Part 1 differs${unfound}: check the time stamp, sid, amount and reference. ${compare}`
      : part1Settled,
    `Part 2 was not searched, because there is no token. ${hasSame ? 'It probably has the same mistake. ' : ''}Part 2 also contains ${rest}.`]
  }
  if (isLost && part2 === 'unexplained') {
    return [
      `Neither part matches${unfound}.`,
      `Part 1 does not contain the token, so something else differs: check the time stamp, sid, amount and reference first. ${compare}`
    ]
  }
  if (isLost) {
    return [`${settled(2, part2, 'the token, and the time stamp, amount and reference in part 2,')} ` +
      `Part 1 ${hasSame ? 'probably has the same mistake, and ' : ''}differs in something else, most often the sid: ` +
      'generate the sid once, for the signature and the payment request.']
  }
  if (part2 === 'unexplained' && isTokenAlone) {
    return [part1Settled, 'Part 2 differs, and the other request has the same order id and account number. The token ' +
      'remains, perhaps the token of another environment: compare the key check values, or supply the other tokens.']
  }
  const open = hasSame ? 'probably has the same mistake, and another one that was not found' : `differs${unfound}`
  return part2 === 'unexplained'
    ? [part1Settled, `Part 2 ${open}: compare ${rest} with the signer's, the token by its key check value.`]
    : []
}
