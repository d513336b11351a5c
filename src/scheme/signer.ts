import { preImagesOf } from './pre-images.js'
import { merchantTokenOf, readRequest } from './reading.js'
import type { Reading } from './reading.js'
import type { SignatureRequest, Variant } from './request.js'
import { signatureOf } from './signature.js'
import { assertMerchantToken } from './usage.js'

/** Whatever can sign a request: {@link VariantA}, {@link VariantB}, or one of your own. */
export interface Signer {
  /** The scheme it signs with, as `GET /health` reports it. */
  readonly variant: Variant

  /**
   * Returns `<part1>///<part2>`, two lowercase hexadecimal SHA-256 digests, or a promise of it.
   * What it throws is answered with status 500 and the error's message, so the message must hold no secret.
   */
  sign (request: SignatureRequest): string | Promise<string>
}

abstract class VariantSigner implements Signer {
  abstract readonly variant: Variant
  readonly #merchantToken: string

  /**
   * @param merchantToken - the merchant's secret token; a request's own `merchantToken` takes precedence
   * @throws UsageError `ERR_MERCHANT_TOKEN`: it is empty, or not a string
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
   * @throws SigningError `ERR_SID_INVALID`: variant A: `sid` is not a string, or blank; variant B: it is not a UUID
   * version 4; `ERR_NOT_TEXT`: a value cannot be converted to text
   * @throws UsageError `ERR_REQUEST`: the request is not an object
   */
  sign (request: SignatureRequest): string {
    return this.signReading(readRequest(this.variant, request))
  }

  /** The signature of a request that was read under the same variant. */
  signReading (reading: Reading): string {
    return signatureOf(preImagesOf(reading, merchantTokenOf(reading, this.#merchantToken)))
  }
}

/**
 * Variant A: operation-aware, any session id that is not blank, an order term in part 2 (specification 4.2, 4.3).
 *
 * @example
 * const signer = new VariantA(process.env.MERCHANT_TOKEN ?? '')
 * signer.sign({
 *   operationType: 'refund', amount: '100.00', merchantAccountNumber: '102551', transactionFCRN: '987654',
 *   sid: 'client-generated-session-id', clientTimeStamp: 1709912345678
 * })
 */
export class VariantA extends VariantSigner {
  readonly variant = 'A'
}

/**
 * Variant B: single-purpose, a UUID v4 as session id, the order id as the reference (specification 4.2 and 4.4).
 *
 * @example
 * const signer = new VariantB(process.env.MERCHANT_TOKEN ?? '')
 * signer.sign({
 *   amount: '100.00', merchantAccountNumber: '102551', orderId: 'ORDER-12345',
 *   sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11', clientTimeStamp: 1709912345678
 * })
 */
export class VariantB extends VariantSigner {
  readonly variant = 'B'
}

/** The signer of a variant. */
export const signerOf = (variant: Variant, merchantToken: string): VariantA | VariantB =>
  variant === 'A' ? new VariantA(merchantToken) : new VariantB(merchantToken)

/** Returns true for our own signers, which sign a reading. A custom signer gets the reading as a request. */
export const signsReadings = (signer: Signer): signer is VariantA | VariantB =>
  signer instanceof VariantSigner && signer.sign === VariantSigner.prototype.sign
