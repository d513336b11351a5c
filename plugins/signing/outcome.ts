import type { Operation } from '../../src/scheme/operation.js'
import type { Reading } from '../../src/scheme/reading.js'
import type { Variant } from '../../src/scheme/request.js'

/** What became of a request for a signature, as the metrics and the audit name it, by its status. */
const byStatus: Readonly<Record<number, string>> = {
  200: 'signed',
  400: 'invalid',
  401: 'unauthenticated',
  403: 'forbidden',
  413: 'invalid',
  415: 'invalid',
  429: 'rate_limited',
  500: 'failed',
  503: 'unavailable'
}

/** The outcome that a response's status stands for. */
export const outcomeOf = (statusCode: number): string => byStatus[statusCode] ?? 'refused'

/**
 * The operation that was asked for: `unknown` if the request was not read, or was refused for what it says; always
 * `purchase` in variant B, which has no operations.
 */
export const operationOf = (variant: Variant, reading: Reading | null): Operation | 'unknown' =>
  variant === 'B' ? 'purchase' : reading?.operation ?? 'unknown'
