import { SigningError } from '../scheme/errors.js'
import type { Reading } from '../scheme/request.js'
import { readerOf, type Variant } from '../scheme/variants.js'

/** Outcomes of requests without a signature, by the status of the response. Metrics and audit use these names. */
const byStatus: Readonly<Record<number, string>> = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'forbidden',
  413: 'invalid',
  415: 'invalid',
  429: 'rate_limited',
  500: 'failed',
  503: 'unavailable'
}

/** All outcomes. */
export const outcomes: ReadonlySet<string> = new Set(['signed', 'refused', ...Object.values(byStatus)])

/**
 * Returns the outcome of a request. The specification requires 500 for an invalid `sid`. The client causes it, so the
 * outcome is `invalid` and raises no alert.
 *
 * @param refusal - undefined for a signature
 */
export function outcomeOf (refusal?: { readonly error: unknown, readonly statusCode: number }): string {
  if (refusal === undefined) return 'signed'
  const { error, statusCode } = refusal
  if (error instanceof SigningError && error.code !== 'ERR_SIGNING_FAILED') return 'invalid'
  return byStatus[statusCode] ?? 'refused'
}

/** Returns the operations of a variant. The last one is for requests that were not read. */
export function operationsOf (variant: Variant | 'A,B'): string[] {
  const operations = Object.keys(readerOf(variant === 'B' ? 'B' : 'A').operations)
  return operations.length === 1 ? operations : [...operations, 'clear-cache', 'unknown']
}

/** Returns the operation of a request: `unknown` if it was not read and the variant has several. */
export const operationOf = (variant: Variant | 'A,B', reading: Reading | null): string =>
  reading?.operation ?? operationsOf(variant).at(-1) as string
