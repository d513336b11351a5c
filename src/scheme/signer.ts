import { preImagesOf } from './pre-images.js'
import { merchantTokenOf, readRequest } from './reading.js'
import type { Reading } from './reading.js'
import type { SignatureRequest, Variant } from './request.js'
import { signatureOf } from './signature.js'
import { assertMerchantToken } from './usage.js'

/** An object that signs requests: a VariantA, a VariantB, or a custom signer. */
export interface Signer {
  /** The scheme it signs with, as `GET /health` reports it. */
  readonly variant: Variant

  /**
   * Returns `<part1>///<part2>`, two lowercase hexadecimal SHA-256 digests, or a promise of it.
   * An error that it throws is answered with status 500 and the error's message, which must contain no secret.
   */
  sign (request: SignatureRequest): string | Promise<string>
}

/** Signs under a variant, after the specification's checks and an optional check of its own. */
export class VariantSigner<V extends Variant = Variant> implements Signer {
  readonly variant: V
  readonly #merchantToken: string
  readonly #check: ((reading: Reading) => void) | undefined

  /**
   * @param merchantToken - the merchant's secret token; a request's own `merchantToken` takes precedence
   * @param check - throws if a request that the specification allows is not to be signed
   * @throws UsageError `ERR_MERCHANT_TOKEN`: it is empty, or not a string
   */
  constructor (variant: V, merchantToken: string, check?: (reading: Reading) => void) {
    assertMerchantToken(merchantToken)
    this.variant = variant
    this.#merchantToken = merchantToken
    this.#check = check
  }

  /**
   * The signature of a request, whose `clientTimeStamp` is in epoch milliseconds: `<part1>///<part2>`, two SHA-256
   * digests as 64 lowercase hexadecimal digits each (specification 2.2 and 4.1).
   *
   * @throws InvalidRequestError a required field is missing, the amount is not positive, or an option refuses it
   * @throws SigningError `ERR_SID_INVALID`: variant A: `sid` is not a string, or blank; variant B: it is not a UUID
   * version 4; `ERR_NOT_TEXT`: a value cannot be converted to text
   * @throws UsageError `ERR_REQUEST`: the request is not an object
   */
  sign (request: SignatureRequest): string {
    return this.signReading(readRequest(this.variant, request))
  }

  /** The signature of a request that was read under the same variant. */
  signReading (reading: Reading): string {
    this.#check?.(reading)
    return signatureOf(preImagesOf(reading, merchantTokenOf(reading, this.#merchantToken)))
  }
}

/** The signer of a variant, as the specification has it. */
export const signerOf = (variant: Variant, merchantToken: string): VariantSigner =>
  new VariantSigner(variant, merchantToken)

/** True if a signer signs what was read. A custom signer gets a request instead. */
export const signsReadings = (signer: Signer): signer is VariantSigner =>
  signer instanceof VariantSigner && signer.sign === VariantSigner.prototype.sign
