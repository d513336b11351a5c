import { assertLimits, assertMerchantToken, assertRequest, assertSignature, InvalidRequestError, SigningError } from '../../src/scheme/errors.js'
import type { SignatureRequest } from '../../src/scheme/fields.js'
import { readerOf } from '../../src/scheme/variants.js'
import type { Variant } from '../../src/scheme/variants.js'
import { computationsOf } from './computation.js'
import type { DiagnoseOptions, Diagnosis } from './diagnosis.js'
import { findCauses } from './find-causes.js'
import { parseSignature } from './parse-signature.js'
import { diagnosisOf } from './hints.js'
import { scenariosOf } from './scenarios.js'
import { Search } from './search.js'

/** Why a request cannot be signed at all: one hint, or none if it can. */
function refusalsOf (variant: Variant, request: SignatureRequest): string[] {
  try {
    readerOf(variant).read(request)
    return []
  } catch (failure) {
    if (!(failure instanceof InvalidRequestError || failure instanceof SigningError)) throw failure
    return [`The service would refuse this request: ${failure.message}.`]
  }
}

/**
 * Looks for the likeliest changes of the request, the token or the computation under which `signature` comes out, such
 * as an amount of 100 instead of 100.00. The two parts are searched one after the other: part 1 holds no secret, and
 * settles time stamp, sid, amount and reference; what is left for part 2 is order id, token and account number.
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
  const { variant, merchantToken, otherTokens = {}, otherRequest } = options
  const { maxChanges = 3, maxTries = 1_000_000, onProgress = () => {} } = options
  assertSignature(signature)
  if (merchantToken !== undefined) assertMerchantToken(merchantToken)
  for (const token of Object.values(otherTokens)) assertMerchantToken(token)
  const hints = refusalsOf(variant, request)
  if (otherRequest !== undefined) assertRequest(otherRequest)
  assertLimits(maxChanges, maxTries)

  const parsed = parseSignature(signature)
  const scenarios = scenariosOf(request, options)
  if (typeof parsed === 'string' || scenarios[0] === undefined) {
    if (typeof parsed === 'string') hints.push(parsed) // of a value without a text the refusal tells
    return { valid: false, part1: 'unexplained', part2: 'unexplained', causes: [], hints, tries: 0, complete: true }
  }
  const search = new Search({ maxChanges, maxTries, onProgress })
  const computations = computationsOf(parsed.digits, scenarios[0].context)
  const found = findCauses(search, scenarios, computations, parsed.assignments)
  return diagnosisOf(variant, hints, parsed, found, search)
}
