import { timingSafeEqual } from 'node:crypto'
import { assertArgument, isRequestError } from './errors.js'
import { isRequest, type SignatureRequest } from './request.js'
import { hash256, hasOwnToken, preImagesOf } from './signer.js'
import { readerOf, rulesOf, type Variant } from './variants.js'

/** The scheme of a signature. */
export interface Scheme {
  readonly variant: Variant
  /** The merchant's secret token. The request's own `merchantToken` is never used. */
  readonly merchantToken: string
}

/** Result of {@link compare}. */
interface Comparison {
  /** True if both parts are right under the given token, and the signature contains nothing else. */
  readonly valid: boolean
  /** True if the first digest is right: time stamp, session id, amount and reference. */
  readonly part1: boolean
  /** True if the second digest is right: time stamp, order id, token, account number, amount and reference. */
  readonly part2: boolean
  /** True if the request has its own `merchantToken`. By default the service signs such a request with that token. */
  readonly ownToken: boolean
  /** Error message if the request cannot have a signature; otherwise empty. */
  readonly refusal: string
}

/** Constant-time comparison of texts of the same length: the time does not reveal the number of equal characters. */
function isSame (text: string, expected: string): boolean {
  const [bytes, expectedBytes] = [Buffer.from(text), Buffer.from(expected)]
  return bytes.length === expectedBytes.length && timingSafeEqual(bytes, expectedBytes)
}

/**
 * Compares each part of a signature with the right one for a request under the given token (specification 4.2). Reports
 * every fault of the signature or the request; throws only for invalid arguments.
 *
 * @param signature - `<part1>///<part2>`, each 64 lowercase hexadecimal digits (specification 2.2)
 * @param request - the decoded JSON body; `clientTimeStamp` is in epoch milliseconds
 * @throws UsageError `ERR_SIGNATURE`, `ERR_REQUEST`, `ERR_VARIANT`, `ERR_MERCHANT_TOKEN`
 *
 * @example
 * compare(signature, request, { variant: 'A', merchantToken }).part1 // true
 */
export function compare (signature: string, request: SignatureRequest, scheme: Scheme): Comparison {
  const { variant, merchantToken }: Scheme = Object(scheme) // a missing argument gets the errors below
  assertArgument(typeof signature === 'string', 'ERR_SIGNATURE')
  assertArgument(typeof merchantToken === 'string' && merchantToken !== '', 'ERR_MERCHANT_TOKEN')
  assertArgument(isRequest(request), 'ERR_REQUEST')
  let ownToken = Boolean(request.merchantToken)
  const [first, second = '', ...rest] = signature.split('///') as [string, ...string[]]
  try {
    const reading = readerOf(variant).read(request)
    ownToken = hasOwnToken(reading)
    const preImages = preImagesOf(rulesOf(variant), reading, merchantToken)
    const part1 = isSame(first, hash256(preImages.part1))
    const part2 = isSame(second, hash256(preImages.part2))
    return { valid: part1 && part2 && rest.length === 0, part1, part2, ownToken, refusal: '' }
  } catch (failure) {
    if (!isRequestError(failure)) throw failure
    return { valid: false, part1: false, part2: false, ownToken, refusal: failure.message }
  }
}

/**
 * Returns true if a signature is right for a request under the given token (specification 4.2), and false for every
 * fault of the signature or the request. The arguments are those of {@link compare}.
 *
 * @throws UsageError `ERR_SIGNATURE`, `ERR_REQUEST`, `ERR_VARIANT`, `ERR_MERCHANT_TOKEN`
 *
 * @example
 * verify(signature, request, { variant: 'A', merchantToken }) // true
 */
export function verify (signature: string, request: SignatureRequest, scheme: Scheme): boolean {
  return compare(signature, request, scheme).valid
}
