import type { FastifyInstance, FastifyRequest } from 'fastify'
import { RefusedError } from '../http/refusals.js'
import { SigningError } from '../scheme/errors.js'
import { fieldsOf, type Reading } from '../scheme/request.js'
import { hash256 } from '../scheme/signer.js'
import type { Attempt } from './attempt.js'
import { alsoSignedLike } from './same-signature.js'

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
  /** The member `auditAs` of the option `context`'s result. */
  readonly user?: string | undefined
  /** First 6 digits of the SHA-256 of the caller's API key. */
  readonly apiKey?: string | undefined
  readonly clientAddress: string
  /** Name of the merchant in the file of merchants. */
  readonly merchant?: string | undefined
  /** `A,B` for a request that was not read, if each merchant has a variant. */
  readonly variant: string
  readonly operation: string
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
  const { cause, code, statusCode } = refusal
  if (cause instanceof SigningError && code !== 'signing-failed') return 'invalid'
  return outcomes[statusCode] ?? 'refused'
}

/** Returns the operation of a request: `unknown` if it was not read and the variant has several. */
const operationOf = (variant: string, reading?: Reading): string =>
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
function termsOf (reading: Reading, { merchant, hasOwnToken = false }: Attempt): Partial<AuditRecord> {
  const redact = merchant?.redact ?? (text => text)
  const fields = fieldsOf({ ...reading, idType: redact(reading.idType) }) // it is in upper case there
  // An account number of nobody may be a token, pasted into the wrong field.
  const isShown = merchant !== undefined || /^[0-9]+$/.test(reading.accountNumber)
  const terms: Record<string, string | undefined> = {
    accountNumber: isShown ? brief(reading.accountNumber, redact) : `[${reading.accountNumber.length} characters]`
  }
  for (const name of auditedNames) if (fields[name] !== undefined) terms[name] = brief(fields[name], redact)
  terms.alsoSignedLike = alsoSignedLike(reading)
  terms.clientTimeStamp = brief(reading.clientTimeStamp, redact)
  terms.sidSha256 = hash256(reading.sid)
  terms.merchantToken = hasOwnToken ? 'of the request' : undefined
  return terms as Partial<AuditRecord>
}

/** Returns the member `auditAs` of the context, if it is a number, or a text of 1 to 64 printable characters. */
function userIn (context: unknown): string | undefined {
  const { auditAs } = Object(context) as { auditAs?: unknown }
  if (Number.isFinite(auditAs)) return String(auditAs)
  return typeof auditAs === 'string' && /^[^\p{C}\p{Zl}\p{Zp}]{1,64}$/u.test(auditAs) ? auditAs : undefined
}

/** Returns the audit entry of a decision. */
export function entryOf (
  request: FastifyRequest, attempt: Attempt, variant: string, refusal?: RefusedError
): AuditEntry {
  const { caller, merchant, context, reading, wouldRefuse } = attempt
  return {
    reqId: request.id,
    audit: {
      outcome: outcomeOf(refusal),
      reason: refusal && (merchant?.redact(refusal.message) ?? refusal.message),
      code: refusal?.errorCode,
      wouldRefuse,
      caller: caller?.name ?? 'anonymous',
      user: userIn(context),
      apiKey: caller?.apiKey,
      clientAddress: request.clientAddress,
      merchant: merchant?.name,
      variant,
      operation: operationOf(variant, reading),
      ...reading && termsOf(reading, attempt)
    }
  }
}

/** Records an entry. The response waits for its promise. */
export type Audit = (entry: AuditEntry) => unknown

/** Returns the given audit, or that of AUDIT, in its file or in the log; undefined without one. It logs outages. */
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
  if (config.AUDIT === 'false') return undefined
  const lines = log.child({}, { level: 'info' }) // at any LOG_LEVEL
  return entry => lines.info(entry, 'decision')
}

/**
 * Returns a function that records and counts the outcome of a request. It returns the refusal that is the response: a
 * signature that could not be recorded may have to be withheld.
 */
export function createRecorder (app: FastifyInstance, given?: Audit) {
  const { config, metrics } = app
  const audit = auditOf(app, given)

  return async function record (
    request: FastifyRequest, attempt: Attempt, refusal?: RefusedError
  ): Promise<RefusedError | undefined> {
    // A client that hung up before its body was complete has asked for nothing.
    if (request.raw.readableAborted) return refusal
    const { variant: ofService } = app.merchants
    const variant = ofService === 'A,B' ? attempt.reading?.variant ?? ofService : ofService
    let outcome = refusal
    if (audit !== undefined && !(refusal !== undefined && isUnrecorded(refusal))) {
      try {
        await audit(entryOf(request, attempt, variant, refusal))
      } catch {
        metrics?.auditLost.inc()
        if (config.AUDIT === 'required') outcome ??= new RefusedError('audit-unavailable')
      }
    }
    metrics?.decisions.inc({ variant, operation: operationOf(variant, attempt.reading), outcome: outcomeOf(outcome) })
    return outcome
  }
}
