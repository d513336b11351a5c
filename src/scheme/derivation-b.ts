import { SigningError } from './errors.js'
import type { SignatureRequest } from './signature-request.js'
import type { Terms } from './terms.js'
import { accountNumberOf, merchantTokenOf } from './terms.js'
import { textOf } from './text.js'

/** A UUID version 4 as text, in either case (specification 4.4). */
export const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

function amountOf ({ amount }: SignatureRequest): string {
  if (amount === undefined || amount === null) return ''
  const text = textOf(amount)
  return text === 'undefined' ? '' : text
}

/**
 * The terms of variant B: the order id is the reference (specification 4.2 and 4.4).
 *
 * @param configured - the merchant token, for requests that bring none
 * @throws SigningError `ERR_SID_INVALID`: `sid` is not a UUID version 4 (specification 4.4);
 * `ERR_NOT_TEXT`: a value cannot be converted to text
 */
export function termsOfVariantB (request: SignatureRequest, configured: string): Terms {
  const amount = amountOf(request)
  const referenceNumber = textOf(request.orderId ?? '')
  const { sid } = request
  if (typeof sid !== 'string' || !uuidV4.test(sid)) {
    throw new SigningError('ERR_SID_INVALID', 'sid must be a valid GUID (UUID v4)')
  }
  return {
    clientTimeStamp: textOf(request.clientTimeStamp),
    sid,
    amount,
    referenceNumber,
    orderIdOrNull: '',
    merchantToken: merchantTokenOf(request, configured),
    accountNumber: accountNumberOf(request)
  }
}
