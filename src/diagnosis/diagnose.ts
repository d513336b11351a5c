import type { SignatureRequest } from '../scheme/request.js'
import { assertLimits, assertMerchantToken, assertRequest } from '../scheme/usage.js'
import { verify } from '../scheme/verify.js'
import type { DiagnoseOptions, Diagnosis } from './diagnosis.js'
import { enumerate } from './enumerate.js'
import { findCauses } from './find-causes.js'
import { parseSignature } from './parse-signature.js'
import { report } from './report.js'
import { Search } from './search.js'

/**
 * Looks for the smallest changes of the request, the token or the computation under which `signature` comes out, such
 * as an amount of 100 instead of 100.00. The two parts are searched one after the other: part 1 holds no secret, and
 * settles time stamp, session id, amount and reference; what is left for part 2 is order id, token and account number.
 *
 * It returns for whatever a signature or a request looks like, and throws only when it is called wrongly.
 *
 * @param signature - the one that was expected, or rejected, in whatever form it has
 * @param request - the decoded JSON body as this side believes it was; `clientTimeStamp` is in epoch milliseconds
 * @throws UsageError `ERR_SIGNATURE`, `ERR_REQUEST`, `ERR_VARIANT`, `ERR_MERCHANT_TOKEN`, `ERR_LIMIT`
 *
 * @example
 * const { causes, hints } = diagnose(signature, request, { variant: 'A', merchantToken })
 * for (const { finding, fix } of causes[0]?.changes ?? []) console.log(finding, fix)
 */
export function diagnose (signature: string, request: SignatureRequest, options: DiagnoseOptions): Diagnosis {
  const { variant, otherTokens = {}, otherRequest, maxChanges = 3, maxTries = 1_000_000 } = options
  const { merchantToken = 'unknown' } = options
  const { refusal } = verify(signature, request, { variant, merchantToken })
  for (const token of Object.values(otherTokens)) assertMerchantToken(token)
  if (otherRequest !== undefined) assertRequest(otherRequest)
  assertLimits(maxChanges, maxTries)

  const hints = refusal === '' ? [] : [`The service would refuse this request: ${refusal}.`]
  const unexplained = {
    valid: false, part1: 'unexplained', part2: 'unexplained', causes: [], tries: 0, complete: true
  } as const

  const parsed = parseSignature(signature)
  if (typeof parsed === 'string') return { ...unexplained, hints: [...hints, parsed] }
  const candidates = enumerate(request, { ...options, merchantToken })
  if (candidates === undefined) return { ...unexplained, hints } // the refusal says which value has no text
  const search = new Search(parsed.algorithm, candidates.hypotheses, maxChanges, maxTries)
  if (options.merchantToken !== undefined) {
    return report(variant, hints, parsed, findCauses(search, candidates.scenarios, parsed.assignments), search)
  }
  const ofPart1 = parsed.assignments.filter(({ part1 }) => part1 !== undefined)
    .map(assignment => ({ ...assignment, part2: undefined }))
  const found = findCauses(search, candidates.scenarios, ofPart1)
  return { ...report(variant, hints, parsed, found, search), valid: false, part2: 'unexplained', hints: [...hints, 'Part 2 was not searched: that needs the token.'] }
}
