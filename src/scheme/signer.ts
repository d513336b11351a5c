import type { SignatureRequest } from './signature-request.js'
import type { Variant } from './variant.js'

/** Whatever can sign a request: {@link VariantA}, {@link VariantB}, or one of your own. */
export interface Signer {
  /** The scheme it signs with, as `GET /health` reports it. */
  readonly variant: Variant

  /**
   * Returns `<part1>///<part2>`, two lowercase hexadecimal SHA-256 digests.
   * What it throws is answered with status 500 and the error's message, so the message must hold no secret.
   */
  sign (request: SignatureRequest): string
}
