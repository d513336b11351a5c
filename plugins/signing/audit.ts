import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Decision, SigningSettings } from '../../src/configuration/guard-options.js'
import { alsoSignedLike } from '../../src/guard/strict.js'
import { clientAddress } from '../../src/http/client-address.js'
import { continuation } from '../../src/http/continuation.js'
import { messages } from '../../src/http/messages.js'
import { refusalOf } from '../../src/http/refused-error.js'
import { traceFieldsOf } from '../../src/http/trace-context.js'
import { OptionsError } from '../../src/plugin-options.js'
import { fieldsOf, type Reading } from '../../src/scheme/request.js'
import { hash256 } from '../../src/scheme/variant.js'
import { hasSignature, operationOf, outcomeOf } from '../../src/telemetry/outcome.js'
import { counterIn } from '../../src/telemetry/prometheus.js'
import { ThrottledLog } from '../../src/telemetry/throttled-log.js'

/** Length limit of a recorded value, in UTF-16 code units. Longer values are cut and get their digest. */
const maxLength = 256

/** Returns a text that is cut after the token was removed: the cut could leave a part of the token. */
function brief (text: string, redact: (text: string) => string): string {
  if (text.length <= maxLength) return text
  return `${redact(text).slice(0, maxLength).toWellFormed()}… (${text.length} characters, SHA-256 ${hash256(text)})`
}

/** Fields of an operation that are recorded under their names. */
const recordedFields = ['amount', 'orderId', 'transactionFCRN', 'transactionId', 'idType'] as const

/** Returns the signed terms without the token. The digest of the session ID is enough to find a payment. */
function termsOf (reading: Reading, hasOwnToken: boolean, redact: (text: string) => string): Record<string, unknown> {
  const fields = fieldsOf(reading)
  // Assigned in a loop: Object.entries and a spread cost 7 µs for each request.
  const terms: Record<string, unknown> = { accountNumber: brief(reading.accountNumber.toWellFormed(), redact) }
  for (const field of recordedFields) {
    const value = fields[field]
    if (value !== undefined) terms[field] = brief(String(value), redact)
  }
  terms.alsoSignedLike = alsoSignedLike(reading)
  terms.clientTimeStamp = brief(reading.clientTimeStamp.toWellFormed(), redact)
  terms.sidSha256 = hash256(reading.sid)
  terms.merchantToken = hasOwnToken ? 'of the request' : undefined
  return terms
}

/** Registrations that have warned about `auditAs`. */
const warned = new WeakSet<FastifyInstance>()

/** Returns the text `auditAs` of the host's context. Leaves out any other value, with one warning. */
function userOf ({ signingContext, log, server }: FastifyRequest): string | undefined {
  const { auditAs } = Object(signingContext) as { auditAs?: unknown }
  if (auditAs === undefined) return undefined
  if (typeof auditAs === 'string' && /^[^\p{C}\p{Zl}\p{Zp}]{1,64}$/u.test(auditAs)) return auditAs
  if (!warned.has(server)) log.warn('auditAs is left out of the audit: it must be a text of 1 to 64 printable characters')
  warned.add(server)
  return undefined
}

function decisionOn (request: FastifyRequest, reply: FastifyReply, options: SigningSettings): Decision {
  const { redact = text => text } = options
  const variant = request.signingMerchant?.variant ?? options.variant
  const { signingReading: reading, signingCaller: caller, ip: clientAddress, id: reqId } = request
  return {
    reqId,
    ...traceFieldsOf(request),
    audit: {
      outcome: outcomeOf(request, reply),
      reason: refusalOf(request)?.message,
      wouldRefuse: request.signingWouldRefuse,
      caller,
      user: userOf(request),
      apiKey: request.signingRules?.apiKey,
      clientAddress,
      merchant: request.signingMerchant?.name,
      variant,
      operation: operationOf(variant, request),
      ...reading !== null && termsOf(reading, request.signingHasOwnToken, redact)
    }
  }
}

/** True for a log that writes lines of the level info. Fastify's log without `logger` has no level. */
const writesInfo = (log: FastifyBaseLogger & { isLevelEnabled?: (level: string) => boolean }): boolean =>
  log.isLevelEnabled?.('info') ?? log.level !== undefined

/** Records a decision. Calls `done` once the decision is recorded, or with the error if it is not. */
type Recorder = (decision: Decision, done: (error?: Error) => void) => void

/** True for promises of every realm, and for query builders, which run only when they are awaited. */
const isThenable = (value: unknown): boolean =>
  typeof (value as { then?: unknown } | undefined | null)?.then === 'function'

/** Returns a recorder that calls a function of the host, and awaits the promise that the function may return. */
function recorderOf (audit: (decision: Decision) => unknown): Recorder {
  return (decision, done) => {
    const fail = () => done(new Error('the audit function failed')) // its own error may quote the decision
    let recorded: unknown
    let isPending
    try {
      recorded = audit(decision)
      isPending = isThenable(recorded)
    } catch {
      return fail()
    }
    if (!isPending) return done() // synchronously: a hook that has responded expects a sent response
    Promise.resolve(recorded).then(() => done(), fail)
  }
}

/** Records each decision before its response is sent. */
export default fp<SigningSettings>(async function audit (app, options) {
  const { audit = false, recordDecision, auditRequired, metrics } = options
  if (audit === false && recordDecision === undefined) return
  if (audit === true && recordDecision === undefined && !writesInfo(app.log)) {
    throw new OptionsError('audit: true needs a logger whose level is info or lower')
  }
  const record = recordDecision ??
    recorderOf(typeof audit === 'function' ? audit : decision => app.log.info(decision, 'decision'))
  const waits = auditRequired || recordDecision === undefined
  const lost = metrics &&
    await counterIn(metrics, 'payment_signature_audit_lines_lost_total', 'Decisions that could not be recorded.', [])
  const failures = new ThrottledLog<string>((times, reqId) => {
    try {
      app.log.error({ reqId, times }, 'the audit function failed')
    } catch {} // With `audit: true`, the log is what failed.
  })

  const waiting = new WeakSet<FastifyReply>()

  app.addHook('onSend', (request, reply, payload, done) => {
    if (waiting.has(reply)) return // a second response, by a hook that went on after its first one
    if (refusalOf(request)?.isRepeated) return done(null, payload) // the log has only a count

    const proceed = continuation(reply, done)
    const isSigned = hasSignature(request)
    // A hook of the host may have responded with a stored signature.
    const needsAudit = auditRequired && (isSigned || reply.statusCode < 300)

    function respond (error?: Error): void {
      waiting.delete(reply)
      if (error !== undefined) {
        lost?.inc()
        if (recordDecision === undefined) failures.report(request.id) // the service's trail logs its outages itself
      }
      if (!waits) return
      const isWithheld = needsAudit && error !== undefined
      // The route may have signed in the meantime, but this response stands.
      request.signingSucceeded = isSigned && !isWithheld
      if (!isWithheld) return proceed(null, payload)
      if (recordDecision !== undefined) { // in the service, each refusal has this line
        const line = { statusCode: 503, error: messages.auditUnavailable, client: clientAddress(request) }
        request.log.info({ ...line, ...traceFieldsOf(request) }, 'request refused')
      }
      // A hook of the host may have encoded the payload.
      reply.code(503).header('error-code', 'audit-unavailable').removeHeader('content-encoding').type('application/json; charset=utf-8')
      proceed(null, JSON.stringify({ error: messages.auditUnavailable }))
    }

    if (waits) waiting.add(reply)
    record(decisionOn(request, reply, options), respond)
    if (!waits) done(null, payload)
  })
}, { name: 'audit', fastify: '5.x' })
