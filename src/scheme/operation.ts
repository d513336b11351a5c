import { toOptional } from './terms.js'
import type { Variant } from './variant.js'

export const operations = ['purchase', 'refund', 'void', 'inquiry'] as const

export type Operation = typeof operations[number]

/** What uses a field, as a sentence has it; B is variant B, which has no operations. */
export const users: Readonly<Record<Operation | 'B', string>> = {
  purchase: 'a purchase', refund: 'a refund', void: 'a void', inquiry: 'an inquiry', B: 'variant B'
}

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

/**
 * The operation that a request's body asks for, for those who count and record: `unknown` if the body was not read, is
 * no object, or cannot be turned into text; always `purchase` in variant B, which has no operations.
 */
export function operationIn (variant: Variant, body: unknown): Operation | 'unknown' {
  if (variant === 'B') return 'purchase'
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return 'unknown'
  try {
    return operationOf((body as { operationType?: unknown }).operationType)
  } catch {
    return 'unknown'
  }
}
