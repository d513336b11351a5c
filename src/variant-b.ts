import { SigningError } from './errors.js'
import type { PreImages } from './signature.js'
import { signatureOf } from './signature.js'
import type { SignatureRequest } from './signature-request.js'
import type { Signer } from './signer.js'
import { accountNumberOf, merchantTokenOf } from './terms.js'

/** A UUID version 4 as text, in either case (specification 4.4). */
export const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

function amountOf ({ amount }: SignatureRequest): string {
  if (amount === undefined || amount === null) return ''
  const text = String(amount)
  return text === 'undefined' ? '' : text
}

/** Variant B: single-purpose, a UUID v4 as session id, the order id as the reference (specification 4.2 and 4.4). */
export class VariantB implements Signer {
  readonly variant = 'B'
  readonly #merchantToken: string

  /** @param merchantToken - the merchant's secret token; a request's own `merchantToken` takes precedence. */
  constructor (merchantToken: string) {
    this.#merchantToken = merchantToken
  }

  /**
   * The two texts that {@link sign} hashes. The second contains the token.
   *
   * @throws SigningError `ERR_SID_INVALID`: `sid` is not a UUID version 4 (specification 4.4)
   * @throws TypeError a value cannot be converted to text
   */
  preImages (request: SignatureRequest): PreImages {
    const amount = amountOf(request)
    const referenceNumber = String(request.orderId ?? '')
    const { sid } = request
    if (typeof sid !== 'string' || !uuidV4.test(sid)) {
      throw new SigningError('ERR_SID_INVALID', 'sid must be a valid GUID (UUID v4)')
    }
    const clientTimeStamp = String(request.clientTimeStamp)
    const merchantToken = merchantTokenOf(request, this.#merchantToken)
    const accountNumber = accountNumberOf(request)
    return {
      part1: clientTimeStamp + sid + amount + referenceNumber,
      part2: clientTimeStamp + merchantToken + accountNumber + amount + referenceNumber
    }
  }

  /** The signature of `request`; throws what {@link preImages} throws. */
  sign (request: SignatureRequest): string {
    return signatureOf(this.preImages(request))
  }
}
