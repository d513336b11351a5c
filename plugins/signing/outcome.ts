import type { FastifyReply, FastifyRequest } from 'fastify'
import { SigningError } from '../../src/scheme/errors.js'
import type { Operation } from '../../src/scheme/operation.js'
import type { Reading } from '../../src/scheme/reading.js'
import type { Variant } from '../../src/scheme/request.js'
import { errorOf } from '../http/errors.js'

/** What became of a request for a signature, as the metrics and the audit name it, by the response's status. */
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

/**
 * What became of a request. To the specification a `sid` that cannot be signed is a failure, with status 500; but its
 * client causes it, and nobody should be woken for it.
 */
export function outcomeOf (request: FastifyRequest, { statusCode }: FastifyReply): string {
  const error = errorOf(request)
  if (error instanceof SigningError && error.code !== 'ERR_SIGNING_FAILED') return 'invalid'
  return byStatus[statusCode] ?? 'refused'
}

/**
 * The operation that was asked for: `unknown` if the request was not read, or was refused for what it says; always
 * `purchase` in variant B, which has no operations.
 */
export const operationOf = (variant: Variant, reading: Reading | null): Operation | 'unknown' =>
  variant === 'B' ? 'purchase' : reading?.operation ?? 'unknown'
