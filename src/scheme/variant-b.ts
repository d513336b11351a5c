import { SigningError } from './errors.js'
import type { SignatureRequest } from './request.js'
import { toText } from './text.js'

/** A UUID version 4 as text, in either case (specification 4.4). */
export const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

/** The terms that variant B derives from a request (specification 4.4). */
export interface DerivationB {
  readonly operation: undefined
  readonly amount: string
  /** The order id. */
  readonly referenceNumber: string
  readonly orderIdOrNull: ''
  readonly idType: ''
}

/** @throws SigningError `ERR_NOT_TEXT` */
export function deriveB (request: SignatureRequest): DerivationB {
  const amount = toText(request.amount ?? '')
  return {
    operation: undefined,
    amount: amount === 'undefined' ? '' : amount,
    referenceNumber: toText(request.orderId ?? ''),
    orderIdOrNull: '',
    idType: ''
  }
}

/** @throws SigningError `ERR_SID_INVALID`: it is not a UUID version 4 (specification 4.4) */
export function checkSidB (sid: unknown): void {
  if (typeof sid !== 'string' || !uuidV4.test(sid)) {
    throw new SigningError('ERR_SID_INVALID', 'sid must be a valid GUID (UUID v4)')
  }
}
