import { checkRequest } from './check-request.js'
import { termsOfVariantB } from './derivation-b.js'
import { signatureOf } from './signature.js'
import type { SignatureRequest } from './signature-request.js'
import type { Signer } from './signer.js'
import { preImagesOf } from './terms.js'
import { assertMerchantToken, assertRequest } from './usage.js'

/** Variant B: single-purpose, a UUID v4 as session id, the order id as the reference (specification 4.2 and 4.4). */
export class VariantB implements Signer {
  readonly variant = 'B'
  readonly #merchantToken: string

  /**
   * @param merchantToken - the merchant's secret token; a request's own `merchantToken` takes precedence
   * @throws UsageError `ERR_MERCHANT_TOKEN`: it is empty, or no string
   */
  constructor (merchantToken: string) {
    assertMerchantToken(merchantToken)
    this.#merchantToken = merchantToken
  }

  /**
   * The signature of a request, whose `clientTimeStamp` is in epoch milliseconds: `<part1>///<part2>`, two SHA-256
   * digests as 64 lowercase hexadecimal digits each (specification 2.2 and 4.1).
   *
   * @throws InvalidRequestError a required field is missing, or the amount is not positive
   * @throws SigningError `ERR_SID_INVALID`: `sid` is not a UUID version 4;
   * `ERR_NOT_TEXT`: a value cannot be converted to text
   * @throws UsageError `ERR_REQUEST`: the request is no object
   *
   * @example
   * const signer = new VariantB(process.env.MERCHANT_TOKEN ?? '')
   * signer.sign({
   *   amount: '100.00', merchantAccountNumber: '102551', orderId: 'ORDER-12345',
   *   sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11', clientTimeStamp: 1709912345678
   * })
   */
  sign (request: SignatureRequest): string {
    assertRequest(request)
    checkRequest(request)
    return signatureOf(preImagesOf(termsOfVariantB(request, this.#merchantToken)))
  }
}
