import { operationOf } from '../scheme/operation.js'
import { merchantTokenOf, readLoosely } from '../scheme/reading.js'
import type { Reading } from '../scheme/reading.js'
import type { TermName } from '../scheme/pre-images.js'
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
  clientTimeStamp: 'time',
  sid: 'sid',
  amount: 'amount',
  referenceNumber: 'identifier',
  orderIdOrNull: 'identifier',
  merchantToken: 'token',
  accountNumber: 'account'
}

/** What the names of hypotheses begin with. */
export const prefixes: Readonly<Record<TermName, string>> = {
  clientTimeStamp: 'timestamp',
  sid: 'sid',
  amount: 'amount',
  referenceNumber: 'identifier',
  orderIdOrNull: 'identifier',
  merchantToken: 'token',
  accountNumber: 'account-number'
}

function subjectsOf ({ variant, operation, orderIdOrNull, accountNumberField }: Reading): Context['subjects'] {
  const reference = variant === 'B' ? 'orderId' : operation === 'purchase' ? 'The reference' : operation === 'inquiry' ? 'transactionId' : 'transactionFCRN'
  const order = orderIdOrNull === 'null' ? 'The text for the absent order id' : operation === 'inquiry' ? 'transactionId' : 'orderId'
  return {
    clientTimeStamp: 'clientTimeStamp',
    sid: 'sid',
    amount: 'amount',
    referenceNumber: reference,
    orderIdOrNull: order,
    merchantToken: 'The token',
    accountNumber: accountNumberField
  }
}

/** @returns undefined if a value has no text */
export function contextOf (variant: Variant, request: SignatureRequest, merchantToken: string): Context | undefined {
  const reading = readLoosely(variant, request)
  if (reading === undefined) return undefined
  const { operation, clientTimeStamp, sid, amount, referenceNumber, orderIdOrNull, accountNumber } = reading
  const token = merchantTokenOf(reading, merchantToken)
  return {
    variant,
    request,
    operation,
    terms: { clientTimeStamp, sid, amount, referenceNumber, orderIdOrNull, merchantToken: token, accountNumber },
    subjects: subjectsOf(reading)
  }
}

/** The text of any field, also of one that the request does not sign: empty if it has none. */
export function fieldText (value: unknown): string {
  try {
    return toOptional(value)
  } catch {
    return ''
  }
}

/** The operation that the field says, in variant B as well. */
export const operationIn = ({ operationType }: SignatureRequest) => operationOf(fieldText(operationType))
