import type { FastifyInstance, FastifyRequest } from 'fastify'
import { RefusedError } from '../http/errors.js'
import type { Attempt } from './attempt.js'
import { decisionOn, isUnrecorded, operationOf, outcomeOf, type Decision } from './audit.js'

/** Records a decision. The response waits for its promise. */
export type Audit = (decision: Decision) => unknown

/** Returns the given audit, or that of AUDIT: in its file, or in the log; undefined without an audit. */
function auditOf ({ config, auditFile, log }: FastifyInstance, given?: Audit): Audit | undefined {
  if (given !== undefined) return given
  if (auditFile !== undefined) return decision => auditFile.write(decision)
  if (config.AUDIT === 'false') return undefined
  const lines = log.child({}, { level: 'info' }) // at any LOG_LEVEL
  return decision => lines.info(decision, 'decision')
}

/**
 * Returns a function that records and counts the decision about a request, once. It throws if a signature must be
 * withheld, because it could not be recorded.
 */
export function recorderOf (app: FastifyInstance, given?: Audit) {
  const { config, metrics, identity: { variant } } = app
  const audit = auditOf(app, given)
  let isAuditDown = false

  return async function record (request: FastifyRequest, attempt: Attempt, refusal?: RefusedError): Promise<void> {
    if (attempt.isRecorded) return
    attempt.isRecorded = true
    const of = attempt.reading?.variant ?? variant
    let decision = refusal
    if (audit !== undefined && !(refusal !== undefined && isUnrecorded(refusal))) {
      try {
        await audit(decisionOn(request, attempt, of, refusal))
        isAuditDown = false
      } catch (error) { // that of a given function may quote the decision
        metrics?.auditLost.inc()
        const { isLogged = isAuditDown } = Object(error) as { isLogged?: boolean }
        if (!isLogged) request.log.error('decisions cannot be recorded: the audit failed')
        isAuditDown = true
        if (config.AUDIT === 'required') decision ??= new RefusedError('audit-unavailable')
      }
    }
    metrics?.decisions.inc({ variant: of, operation: operationOf(of, attempt.reading), outcome: outcomeOf(decision) })
    if (decision !== refusal) throw decision
  }
}
