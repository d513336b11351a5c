import type { FastifyReply, FastifyRequest } from 'fastify'
import { SigningError } from '../../src/scheme/errors.js'
import type { Reading } from '../../src/scheme/reading.js'
import { readerOf } from '../../src/scheme/variants.js'
import type { Variant } from '../../src/scheme/variants.js'
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

/** The operation of a request: `unknown` if it was not read and the variant has several. */
export function operationOf (variant: Variant, reading: Reading | null): string {
  const [only, ...others] = Object.keys(readerOf(variant).operations)
  return reading?.operation ?? (others.length === 0 ? only as string : 'unknown')
}
