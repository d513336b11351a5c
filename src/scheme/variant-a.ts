import { SigningError } from './errors.js'
import { operationOf } from './operation.js'
import type { Operation } from './operation.js'
import type { SignatureRequest } from './request.js'
import { toOptional } from './text.js'

/** The terms that variant A derives from a request (specification 4.3). */
export interface DerivationA {
  readonly operation: Operation
  readonly amount: string
  readonly referenceNumber: string
  /** The order id, or the text `null`. */
  readonly orderIdOrNull: string
  /** As sent; empty when absent. */
  readonly idType: string
}

/**
 * The table of specification 4.3: what each operation puts into the signature.
 *
 * @throws SigningError `ERR_NOT_TEXT`
 */
export function deriveA (request: SignatureRequest): DerivationA {
  const operation = operationOf(request.operationType)
  const amount = toOptional(request.amount)
  const orderId = toOptional(request.orderId)
  const transactionFCRN = toOptional(request.transactionFCRN)
  const transactionId = toOptional(request.transactionId)
  const idType = toOptional(request.idType)
  const orderIdOrNull = orderId === '' ? 'null' : orderId

  switch (operation) {
    case 'purchase':
      return { operation, amount, referenceNumber: '', orderIdOrNull, idType }
    case 'refund':
      return { operation, amount, referenceNumber: transactionFCRN, orderIdOrNull, idType }
    case 'void':
      return { operation, amount: '', referenceNumber: transactionFCRN, orderIdOrNull, idType }
    case 'inquiry': {
      const isOrderId = idType.toUpperCase() === 'ORDER_ID' && transactionId !== ''
      return {
        operation, amount: '', referenceNumber: transactionId, orderIdOrNull: isOrderId ? transactionId : 'null', idType
      }
    }
  }
}

/** @throws SigningError `ERR_SID_INVALID`: it is not a string, or blank (specification 4.3, rule 4) */
export function checkSidA (sid: unknown): void {
  if (typeof sid !== 'string' || sid.trim() === '') {
    throw new SigningError('ERR_SID_INVALID', 'sid must be a non-empty string')
  }
}
