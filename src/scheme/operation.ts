import { fields } from './request.js'
import type { Field } from './request.js'
import { toOptional } from './text.js'

export const operations = ['purchase', 'refund', 'void', 'inquiry'] as const

export type Operation = typeof operations[number]

/**
 * The operation that a request's `operationType` stands for, compared without regard to case. Anything else, an absent
 * one included, is a purchase (specification 2.1 and 4.3).
 *
 * @throws SigningError `ERR_NOT_TEXT`: the value cannot be converted to text
 */
export function operationOf (operationType: unknown): Operation {
  const text = toOptional(operationType).toLowerCase()
  return operations.find(operation => operation === text) ?? 'purchase'
}

/** An operation of variant A; or `B` for variant B, which has no operations. */
export type User = Operation | 'B'

/** What uses a field, as a sentence has it. */
export const userNames: Readonly<Record<User, string>> = {
  purchase: 'a purchase', refund: 'a refund', void: 'a void', inquiry: 'an inquiry', B: 'variant B'
}

/** The fields whose text is signed, besides those that always are (specification 4.3 and 4.4). */
const usedFields: Readonly<Record<User, readonly Field[]>> = {
  purchase: ['operationType', 'amount', 'orderId'],
  refund: ['operationType', 'amount', 'orderId', 'transactionFCRN'],
  void: ['operationType', 'orderId', 'transactionFCRN'],
  inquiry: ['operationType', 'transactionId', 'idType'],
  B: ['amount', 'orderId']
}

/** The fields that are signed, or say with what, whatever the operation is. */
const alwaysUsed: readonly Field[] = ['sid', 'clientTimeStamp', 'merchantAccountNumber', 'accountNumber', 'merchantToken']

const usesOf = (user: User): ReadonlyMap<string, 'always' | 'by operation' | 'never'> => new Map(fields.map(field =>
  [field, alwaysUsed.includes(field) ? 'always' : usedFields[user].includes(field) ? 'by operation' : 'never']))

/** Whether a field is used. */
export const uses = {
  purchase: usesOf('purchase'), refund: usesOf('refund'), void: usesOf('void'), inquiry: usesOf('inquiry'), B: usesOf('B')
} as const satisfies Record<User, unknown>
