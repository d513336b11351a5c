import type { FastifyInstance, FastifyRequest } from 'fastify'
import { RefusedError } from '../http/refusals.js'
import { SigningError } from '../scheme/errors.js'
import type { Attempt } from './attempt.js'
import { auditOf, entryOf, isAudited, type Audit } from './audit/audit.js'

/** Outcomes of our own refusals, by their status. Metrics and audit use these names. */
export const outcomes: Readonly<Record<number, string>> = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'forbidden',
  413: 'invalid',
  415: 'invalid',
  429: 'rate-limit',
  500: 'failed',
  503: 'unavailable'
}

/**
 * Returns the outcome of a request: `refused` for each refusal of the merchant, with any status from 400 to 499. The
 * specification requires 500 for an invalid `sid`, which the client causes.
 */
export function outcomeOf (refusal: RefusedError | undefined): string {
  if (refusal === undefined) return 'signed'
  const { cause, code, statusCode } = refusal
  if (cause instanceof SigningError) return 'invalid'
  return (code === 'refused' && statusCode < 500 ? undefined : outcomes[statusCode]) ?? 'refused'
}

/**
 * Returns a function that records and counts the outcome of a request. It returns the refusal that is the response: a
 * signature that could not be recorded is withheld.
 */
export function createRecorder (app: FastifyInstance, given?: Audit) {
  const { metrics } = app
  const audit = auditOf(app, given)

  return async function record (
    request: FastifyRequest, attempt: Attempt, refusal?: RefusedError
  ): Promise<RefusedError | undefined> {
    // There is no request to record if the client hung up before its body was complete. A user's hook that reads a part
    // of the body looks the same: its request may be signed.
    if (refusal !== undefined && request.raw.readableAborted) return refusal
    const { merchant, reading } = attempt
    const variant = merchant?.reader.variant ?? app.merchants.variant
    const operation = reading?.operation ?? (variant === 'B' ? 'purchase' : 'unknown')
    let final = refusal
    if (audit !== undefined && (refusal === undefined || isAudited(refusal))) {
      const entry = entryOf(request, attempt, { outcome: outcomeOf(refusal), variant, operation }, refusal)
      try {
        await audit(entry)
      } catch (error) {
        metrics?.auditLost.inc()
        final ??= new RefusedError('audit-unavailable', undefined, { loggedCause: (error as Error).message })
      }
    }
    metrics?.decisions.inc({ variant, operation, outcome: outcomeOf(final) })
    return final
  }
}
