import { merchantTokenOf, readLoosely } from '../scheme/reading.js'
import type { Reading } from '../scheme/reading.js'
import type { TermName } from '../scheme/pre-images.js'
import { fields } from '../scheme/request.js'
import type { SignatureRequest, Variant } from '../scheme/request.js'
import { toOptional } from '../scheme/text.js'
import type { Kind } from './transform.js'

export type { TermName }

/** A request as somebody may have read it, also one that is refused: whoever signed may not have refused it. */
export interface Context {
  readonly variant: Variant
  readonly request: SignatureRequest
  /** Undefined in variant B. */
  readonly operation: Reading['operation']
  readonly terms: Readonly<Record<TermName, string>>
  /** What the user calls a term: the name of the field that was sent, where there is one. */
  readonly subjects: Readonly<Record<TermName, string>>
}

export const kinds: Readonly<Record<TermName, Kind>> = {
  clientTimeStamp: 'timestamp',
  sid: 'sid',
  amount: 'amount',
  referenceNumber: 'identifier',
  orderIdOrNull: 'identifier',
  merchantToken: 'token',
  accountNumber: 'account-number'
}

/**
 * Reads a request under a token.
 *
 * @param token - empty for the request's own, if it has one
 * @returns undefined if a value has no text
 */
export function contextOf (variant: Variant, request: SignatureRequest, token: string): Context | undefined {
  const reading = readLoosely(variant, request)
  if (reading === undefined) return undefined
  const { operation, clientTimeStamp, sid, amount, referenceNumber, orderIdOrNull, accountNumber } = reading
  const merchantToken = token === '' ? merchantTokenOf(reading, '') : token
  const reference = operation === 'inquiry' ? 'transactionId' : operation === 'purchase' ? 'The reference' : 'transactionFCRN'
  const orderId = operation === 'inquiry' ? 'transactionId' : 'orderId'
  return {
    variant,
    request,
    operation,
    terms: { clientTimeStamp, sid, amount, referenceNumber, orderIdOrNull, merchantToken, accountNumber },
    subjects: {
      clientTimeStamp: 'clientTimeStamp',
      sid: 'sid',
      amount: 'amount',
      referenceNumber: variant === 'B' ? 'orderId' : reference,
      orderIdOrNull: orderIdOrNull === 'null' ? 'The text for the absent order id' : orderId,
      merchantToken: 'The token',
      accountNumber: reading.accountNumberField
    }
  }
}

/** Only what may be signed: any number of other fields may be there, and would be copied with each change. */
export const knownFields = (request: Readonly<Record<string, unknown>>): SignatureRequest =>
  Object.fromEntries(fields.map(field => [field, request[field]])) as SignatureRequest

/** The text of any field, also of one that the request does not sign: empty if it has none. */
export function fieldText (value: unknown): string {
  try {
    return toOptional(value)
  } catch {
    return ''
  }
}
