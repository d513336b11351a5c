import type { FastifyInstance, FastifyRequest } from 'fastify'
import { RefusedError } from '../../http/refusals.js'
import type { Merchant, Merchants } from '../../merchants/merchant.js'
import { SigningError } from '../../scheme/errors.js'
import { fieldsOf, type Operation, type Reading } from '../../scheme/request.js'
import { hasOwnToken, hash256 } from '../../scheme/signer.js'
import type { IdentifiedCaller } from '../policy/policy.js'
import { alsoSignedLike } from '../../scheme/same-signature.js'

/** A decision about a request. It is frozen when it is made; what it did not come to is undefined. */
export interface Decision {
  readonly merchant?: Merchant | undefined
  /** Undefined if the scheme refuses the request. */
  readonly reading?: Reading | undefined
  /** Code of the refusal that STRICT=report only reports. */
  readonly wouldRefuse?: string | undefined
  /** The user, as `authorize` names it. */
  readonly user?: string | undefined
  /** The signature, or the refusal. */
  readonly outcome: string | RefusedError
}

/** An attempt to get a signature: each member is of one stage, and is written at one place of the route. */
export interface Attempt {
  /** On arrival: the caller. Undefined without a policy, and for an unknown caller. */
  caller?: IdentifiedCaller | undefined
  /** In the handler: undefined for a request that was refused before. */
  decision?: Decision
  /** At the end: the recording, from its beginning, with its refusal. A failure after it records no second outcome. */
  recording?: Promise<RefusedError | undefined>
}

/** Signed fields under their names. Long texts are cut. Absent for a request that was not read. */
type AuditedFields = { readonly [name in
  'accountNumber' | 'amount' | 'orderId' | 'transactionFCRN' | 'transactionId' | 'idType' | 'clientTimeStamp']?: string | undefined
}

/** Caller, signed fields and outcome of a request. `docs/operations.md` shows a record. */
export interface AuditRecord extends AuditedFields {
  readonly outcome: string
  readonly reason?: string | undefined
  /** `Error-Code` of the refusal. */
  readonly code?: string | undefined
  /** Code of the refusal that STRICT=report only reports. */
  readonly wouldRefuse?: string | undefined
  readonly caller: string
  /** The member `auditAs` of the answer of `authorize`, or of the backend. */
  readonly user?: string | undefined
  /** First 6 digits of the SHA-256 of the caller's API key. */
  readonly apiKey?: string | undefined
  readonly clientAddress: string
  /** Name of the merchant in the file of merchants. */
  readonly merchant?: string | undefined
  /** Undefined for a request that was not read, if the merchants have both variants. */
  readonly variant?: 'A' | 'B' | undefined
  readonly operation: Operation | 'unknown'
  readonly alsoSignedLike?: 'void' | 'inquiry' | 'clear-cache' | undefined
  readonly sidSha256?: string | undefined
  readonly merchantToken?: 'of the request' | undefined
}

/** Entry of the audit: a request and its outcome. */
export interface AuditEntry {
  /** The request's id in the log. */
  readonly reqId: string
  readonly audit: AuditRecord
}

/** Outcomes of requests without a signature, by the status of the response. Metrics and audit use these names. */
export const outcomes: Readonly<Record<number, string>> = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'forbidden',
  413: 'invalid',
  415: 'invalid',
  429: 'rate_limited',
  500: 'failed',
  503: 'unavailable'
}

/** Returns the outcome of a request. The specification requires 500 for an invalid `sid`, which the client causes. */
export function outcomeOf (refusal: RefusedError | undefined): string {
  if (refusal === undefined) return 'signed'
  const { cause, statusCode } = refusal
  if (cause instanceof SigningError) return 'invalid'
  return outcomes[statusCode] ?? 'refused'
}

/** Returns the operation of a request: `unknown` if it was not read and the variant has several. */
const operationOf = (variant: string, reading?: Reading): AuditRecord['operation'] =>
  variant === 'B' ? 'purchase' : reading?.operation ?? 'unknown'

/** True for a refusal that strangers can cause without end. It is logged and counted, but not recorded. */
export const isUnrecorded = ({ code }: RefusedError): boolean =>
  code === 'api-key-required' || code === 'api-key-unknown' || code === 'rate-limit'

/** Length limit of a recorded value, in UTF-16 code units. Longer values are cut and get their digest. */
const maxLength = 256

function brief (text: string, redact: (text: string) => string): string {
  const redacted = redact(text.toWellFormed())
  if (redacted.length <= maxLength) return redacted
  return `${redacted.slice(0, maxLength).toWellFormed()}… (${text.length} characters, SHA-256 ${hash256(text)})`
}

/** Fields that are recorded under their names. */
const auditedNames = ['amount', 'orderId', 'transactionFCRN', 'transactionId', 'idType'] as const

/** Returns the signed terms without the token. The digest of the session ID is enough to find a payment. */
function termsOf (reading: Reading, { isKnown, redact }: Merchant): Partial<AuditRecord> {
  const fields = fieldsOf({ ...reading, idType: redact(reading.idType) }) // it is in upper case there
  // An account number of nobody may be a token, pasted into the wrong field.
  const isShown = isKnown || /^[0-9]+$/.test(reading.accountNumber)
  const terms: Record<string, string | undefined> = {
    accountNumber: isShown ? brief(reading.accountNumber, redact) : `[${reading.accountNumber.length} characters]`
  }
  for (const name of auditedNames) if (fields[name] !== undefined) terms[name] = brief(fields[name], redact)
  terms.alsoSignedLike = alsoSignedLike(reading)
  terms.clientTimeStamp = brief(reading.clientTimeStamp, redact)
  terms.sidSha256 = hash256(reading.sid)
  terms.merchantToken = hasOwnToken(reading) ? 'of the request' : undefined
  return terms as Partial<AuditRecord>
}

/** Returns the audit entry of a decision. */
export function entryOf (
  request: FastifyRequest, { caller, decision }: Attempt, variant: Merchants['variant'], refusal?: RefusedError
): AuditEntry {
  const { merchant, reading, wouldRefuse, user }: Partial<Decision> = decision ?? {}
  return {
    reqId: request.id,
    audit: {
      outcome: outcomeOf(refusal),
      reason: refusal && (merchant?.redact(refusal.message) ?? refusal.message),
      code: refusal?.errorCode,
      wouldRefuse,
      caller: caller?.name ?? 'anonymous',
      user,
      apiKey: caller?.apiKey,
      clientAddress: request.clientAddress,
      merchant: merchant?.name,
      variant: variant === 'A,B' ? undefined : variant,
      operation: operationOf(variant, reading),
      ...merchant && reading && termsOf(reading, merchant)
    }
  }
}

/** Records an entry. The response waits for its promise. */
export type Audit = (entry: AuditEntry) => unknown

/** Returns the given audit, or that of AUDIT_FILE, or of AUDIT in the log; undefined without one. It logs outages. */
function auditOf ({ config, auditFile, log }: FastifyInstance, given?: Audit): Audit | undefined {
  if (given !== undefined) {
    let isDown = false
    return async entry => {
      try {
        await given(entry)
        isDown = false
      } catch (error) { // its text may quote the entry
        if (!isDown) log.error({ reqId: entry.reqId }, 'decisions cannot be recorded: the audit failed')
        isDown = true
        throw error
      }
    }
  }
  if (auditFile !== undefined) return entry => auditFile.write(entry)
  if (!config.AUDIT) return undefined
  const lines = log.child({}, { level: 'info' }) // at any LOG_LEVEL
  return entry => lines.info(entry, 'decision')
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
    // A client that hung up before its body was complete has asked for nothing.
    if (request.raw.readableAborted) return refusal
    const reading = attempt.decision?.reading
    const { variant: ofService } = app.merchants
    const variant = ofService === 'A,B' ? reading?.variant ?? ofService : ofService
    let outcome = refusal
    if (audit !== undefined && !(refusal !== undefined && isUnrecorded(refusal))) {
      try {
        await audit(entryOf(request, attempt, variant, refusal))
      } catch {
        metrics?.auditLost.inc()
        outcome ??= new RefusedError('audit-unavailable')
      }
    }
    metrics?.decisions.inc({ variant, operation: operationOf(variant, reading), outcome: outcomeOf(outcome) })
    return outcome
  }
}
