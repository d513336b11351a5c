import { SigningError } from './errors.js'
import { operationOf } from './operation.js'
import type { SignatureRequest } from './signature-request.js'
import type { Terms } from './terms.js'
import { accountNumberOf, merchantTokenOf, toOptional } from './terms.js'
import { textOf } from './text.js'

interface OperationTerms {
  readonly amount: string
  readonly referenceNumber: string
  readonly orderId: string
}

/** The table of specification 4.3: what each operation puts into the signature. */
function operationTerms (request: SignatureRequest): OperationTerms {
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

/**
 * The terms of variant A (specification 4.2 and 4.3).
 *
 * @param configured - the merchant token, for requests that bring none
 * @throws SigningError `ERR_SID_INVALID`: `sid` is not a string, or blank (specification 4.3, rule 4);
 * `ERR_NOT_TEXT`: a value cannot be converted to text
 */
export function termsOfVariantA (request: SignatureRequest, configured: string): Terms {
  const { amount, referenceNumber, orderId } = operationTerms(request)
  const { sid } = request
  if (typeof sid !== 'string' || sid.trim() === '') {
    throw new SigningError('ERR_SID_INVALID', 'sid must be a non-empty string')
  }
  return {
    clientTimeStamp: textOf(request.clientTimeStamp),
    sid,
    amount,
    referenceNumber,
    orderIdOrNull: orderId === '' ? 'null' : orderId,
    merchantToken: merchantTokenOf(request, configured),
    accountNumber: accountNumberOf(request)
  }
}
