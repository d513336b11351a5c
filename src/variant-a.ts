import { SigningError } from './errors.js'
import { operationOf } from './operation.js'
import type { PreImages } from './signature.js'
import { signatureOf } from './signature.js'
import type { SignatureRequest } from './signature-request.js'
import type { Signer } from './signer.js'
import { accountNumberOf, merchantTokenOf, toOptional } from './terms.js'

interface DerivedFields {
  readonly amount: string
  readonly referenceNumber: string
  readonly orderId: string
}

/** The table of specification 4.3: what each operation puts into the signature. */
function deriveFields (request: SignatureRequest): DerivedFields {
  const operation = operationOf(request.operationType)
  const amount = toOptional(request.amount)
  const orderId = toOptional(request.orderId)
  const transactionFCRN = toOptional(request.transactionFCRN)
  const transactionId = toOptional(request.transactionId)
  const idType = toOptional(request.idType).toUpperCase()

  switch (operation) {
    case 'refund':
      return { amount, referenceNumber: transactionFCRN, orderId }
    case 'void':
      return { amount: '', referenceNumber: transactionFCRN, orderId }
    case 'inquiry':
      return { amount: '', referenceNumber: transactionId, orderId: idType === 'ORDER_ID' ? transactionId : '' }
    case 'purchase':
      return { amount, referenceNumber: '', orderId }
  }
}

/** Variant A: operation-aware, any session id that is not blank, an order term in part 2 (specification 4.2, 4.3). */
export class VariantA implements Signer {
  readonly variant = 'A'
  readonly #merchantToken: string

  /** @param merchantToken - the merchant's secret token; a request's own `merchantToken` takes precedence. */
  constructor (merchantToken: string) {
    this.#merchantToken = merchantToken
  }

  /**
   * The two texts that {@link sign} hashes. The second contains the token.
   *
   * @throws SigningError `ERR_SID_INVALID`: `sid` is not a string, or blank (specification 4.3, rule 4)
   * @throws TypeError a value cannot be converted to text
   */
  preImages (request: SignatureRequest): PreImages {
    const { amount, referenceNumber, orderId } = deriveFields(request)
    const { sid } = request
    if (typeof sid !== 'string' || sid.trim() === '') {
      throw new SigningError('ERR_SID_INVALID', 'sid must be a non-empty string')
    }
    const clientTimeStamp = String(request.clientTimeStamp)
    const orderIdOrNull = orderId === '' ? 'null' : orderId
    const merchantToken = merchantTokenOf(request, this.#merchantToken)
    const accountNumber = accountNumberOf(request)
    return {
      part1: clientTimeStamp + sid + amount + referenceNumber,
      part2: clientTimeStamp + orderIdOrNull + merchantToken + accountNumber + amount + referenceNumber
    }
  }

  /** The signature of `request`; throws what {@link preImages} throws. */
  sign (request: SignatureRequest): string {
    return signatureOf(this.preImages(request))
  }
}
