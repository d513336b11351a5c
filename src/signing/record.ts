import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Decision, SigningSettings } from './options.js'
import { alsoSignedLike } from '../guard/strict.js'
import { traceFieldsOf } from '../http/request-id.js'
import { OptionsError } from '../settings/plugin-options.js'
import { fieldsOf, type Reading } from '../scheme/request.js'
import { hash256 } from '../scheme/variant.js'
import { counterIn } from '../telemetry/prometheus.js'
import { ThrottledLog } from '../telemetry/log-limits.js'
import type { Attempt } from './attempt.js'
import { decisionCounter, operationOf, outcomeOf, type CallerLabels } from './decision-metrics.js'

/** Length limit of a recorded value, in UTF-16 code units. Longer values are cut and get their digest. */
const maxLength = 256

/** Returns the beginning of a text, without a secret or a part of it. */
type Cut = (text: string, length: number) => string

const plainCut: Cut = (text, length) => text.slice(0, length).toWellFormed()

function brief (text: string, cut: Cut): string {
  if (text.length <= maxLength) return text
  return `${cut(text, maxLength)}… (${text.length} characters, SHA-256 ${hash256(text)})`
}

/** Fields of an operation that are recorded under their names. */
const recordedFields = ['amount', 'orderId', 'transactionFCRN', 'transactionId', 'idType'] as const

/** Returns the signed terms without the token. The digest of the session ID is enough to find a payment. */
function termsOf (reading: Reading, hasOwnToken: boolean, cut: Cut): Record<string, unknown> {
  const fields = fieldsOf(reading)
  // Assigned in a loop: Object.entries and a spread cost 7 µs for each request.
  const terms: Record<string, unknown> = { accountNumber: brief(reading.accountNumber.toWellFormed(), cut) }
  for (const field of recordedFields) {
    const value = fields[field]
    if (value !== undefined) terms[field] = brief(String(value), cut)
  }
  terms.alsoSignedLike = alsoSignedLike(reading)
  terms.clientTimeStamp = brief(reading.clientTimeStamp.toWellFormed(), cut)
  terms.sidSha256 = hash256(reading.sid)
  terms.merchantToken = hasOwnToken ? 'of the request' : undefined
  return terms
}

const termsOfUnread = (
  { accountNumber, clientTimeStamp, sid }: NonNullable<Attempt['unreadTerms']>, cut: Cut
) => ({
  accountNumber: brief(accountNumber.toWellFormed(), cut),
  clientTimeStamp: brief(clientTimeStamp.toWellFormed(), cut),
  sidSha256: hash256(sid)
})

/** True for a log that writes lines of the level info. Fastify's log without `logger` has no level. */
const writesInfo = (log: FastifyBaseLogger & { isLevelEnabled?: (level: string) => boolean }): boolean =>
  log.isLevelEnabled?.('info') ?? log.level !== undefined

/** Records a decision. Calls `done` once the decision is recorded, or with the error if it is not. */
type Writer = (decision: Decision, done: (error?: Error) => void) => void

/** True for promises of every realm, and for query builders, which run only when they are awaited. */
const isThenable = (value: unknown): boolean =>
  typeof (value as { then?: unknown } | undefined | null)?.then === 'function'

/** Returns a recorder that calls a function of the host, and awaits the promise that the function may return. */
function recorderOf (audit: (decision: Decision) => unknown): Writer {
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
    if (!isPending) return done() // at once, since a refusal of an aborted body must be sent in the same turn
    Promise.resolve(recorded).then(() => done(), fail)
  }
}

/** A refusal of the signing route, as the client gets it. */
interface Refused {
  readonly error: unknown
  readonly message: string
  readonly statusCode: number
  /** True for a refusal that is logged only as part of a count. */
  readonly isRepeated: boolean
}

/** Records a decision once. Returns false if a signature must be withheld, because it could not be recorded. */
type Recorder = (attempt: Attempt, refused?: Refused) => boolean | Promise<boolean>

/** Returns a function that writes a decision to the audit, and returns false if that failed. Undefined: no audit. */
async function auditor (
  app: FastifyInstance, options: SigningSettings
): Promise<Recorder | undefined> {
  const { audit = false, recordDecision, auditRequired, metrics, cut = plainCut } = options
  if (audit === false && recordDecision === undefined) return undefined
  if (audit === true && recordDecision === undefined && !writesInfo(app.log)) {
    throw new OptionsError('audit: true needs a logger whose level is info or lower')
  }
  const write = recordDecision ??
    recorderOf(typeof audit === 'function' ? audit : decision => app.log.info(decision, 'decision'))
  const waits = auditRequired || recordDecision === undefined
  const lost = metrics &&
    await counterIn(metrics, 'payment_signature_audit_lines_lost_total', 'Decisions that could not be recorded.', [])
  const failures = new ThrottledLog<string>((times, reqId) => {
    try {
      app.log.error({ reqId, times }, 'the audit function failed')
    } catch {} // With `audit: true`, the log is what failed.
  })
  let hasWarned = false

  /** Returns the text `auditAs` of the host's context. Leaves out any other value, with one warning. */
  function userOf ({ context, request }: Attempt): string | undefined {
    const { auditAs } = Object(context) as { auditAs?: unknown }
    if (auditAs === undefined) return undefined
    if (typeof auditAs === 'string' && /^[^\p{C}\p{Zl}\p{Zp}]{1,64}$/u.test(auditAs)) return auditAs
    if (!hasWarned) request.log.warn('auditAs is left out of the audit: it must be a text of 1 to 64 printable characters')
    hasWarned = true
    return undefined
  }

  function decisionOn (attempt: Attempt, refused?: Refused): Decision {
    const { request, reading, unreadTerms, caller, merchant } = attempt
    const variant = merchant?.variant ?? options.variant
    return {
      reqId: request.id,
      ...traceFieldsOf(request),
      audit: {
        outcome: outcomeOf(refused),
        reason: refused?.message,
        wouldRefuse: attempt.wouldRefuse,
        caller,
        user: userOf(attempt),
        apiKey: attempt.rules?.apiKey,
        clientAddress: request.ip,
        merchant: merchant?.name,
        variant,
        operation: operationOf(variant, reading),
        ...reading === null
          ? unreadTerms !== null && termsOfUnread(unreadTerms, cut)
          : termsOf(reading, attempt.hasOwnToken, cut)
      }
    }
  }

  return (attempt, refused) => {
    let isWritten: boolean | undefined
    let resolve: ((isWritten: boolean) => void) | undefined
    write(decisionOn(attempt, refused), error => {
      isWritten = error === undefined
      if (!isWritten) {
        lost?.inc()
        // The service's trail logs its outages itself.
        if (recordDecision === undefined) failures.report(attempt.request.id)
      }
      resolve?.(isWritten)
    })
    return !waits || (isWritten ?? new Promise<boolean>(_resolve => { resolve = _resolve }))
  }
}

/** Returns the recorder of a signing route. It records the first decision about each request, and no other. */
export async function recorder (
  app: FastifyInstance, options: SigningSettings, labels: CallerLabels
): Promise<Recorder> {
  const audit = await auditor(app, options)
  const count = await decisionCounter(options, labels)

  return (attempt, refused) => {
    function end (isWritten: boolean): boolean {
      const isReleased = isWritten || options.auditRequired !== true
      const isWithheld = refused === undefined && !isReleased // counts as the refusal that follows
      if (!attempt.isCounted && !isWithheld) {
        attempt.isCounted = true
        count(attempt, outcomeOf(refused))
      }
      return isReleased
    }

    // The log has a count of repeated refusals.
    if (audit === undefined || attempt.isAudited || refused?.isRepeated === true) return end(true)
    attempt.isAudited = true
    const written = audit(attempt, refused)
    return written instanceof Promise ? written.then(end) : end(written)
  }
}
