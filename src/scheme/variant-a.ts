import { checkRequest } from './check-request.js'
import { termsOfVariantA } from './derivation-a.js'
import { signatureOf } from './signature.js'
import type { SignatureRequest } from './signature-request.js'
import type { Signer } from './signer.js'
import { preImagesOf } from './terms.js'
import { assertMerchantToken, assertRequest } from './usage.js'

/** Variant A: operation-aware, any session id that is not blank, an order term in part 2 (specification 4.2, 4.3). */
export class VariantA implements Signer {
  readonly variant = 'A'
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
   * @throws SigningError `ERR_SID_INVALID`: `sid` is not a string, or blank;
   * `ERR_NOT_TEXT`: a value cannot be converted to text
   * @throws UsageError `ERR_REQUEST`: the request is no object
   *
   * @example
   * const signer = new VariantA(process.env.MERCHANT_TOKEN ?? '')
   * signer.sign({
   *   operationType: 'refund', amount: '100.00', merchantAccountNumber: '102551', transactionFCRN: '987654',
   *   sid: 'client-generated-session-id', clientTimeStamp: 1709912345678
   * })
   */
  sign (request: SignatureRequest): string {
    assertRequest(request)
    checkRequest(request)
    return signatureOf(preImagesOf(termsOfVariantA(request, this.#merchantToken)))
  }
}
