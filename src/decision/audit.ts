import type { FastifyRequest } from 'fastify'
import { alsoSignedLike } from '../guard/strict.js'
import { addressOf } from '../http/client-address.js'
import type { RefusedError } from '../http/errors.js'
import { SigningError } from '../scheme/errors.js'
import { fieldsOf, type Reading } from '../scheme/request.js'
import { hash256 } from '../scheme/signer.js'
import type { Attempt } from './attempt.js'

/** Signed fields under their names. Long texts are cut. Absent for a request that was not read. */
type AuditedFields = { readonly [name in
  'accountNumber' | 'amount' | 'orderId' | 'transactionFCRN' | 'transactionId' | 'idType' | 'clientTimeStamp']?: string | undefined
}

/** Caller, signed fields and outcome of a request. `docs/operations.md` shows a record. */
export interface AuditRecord extends AuditedFields {
  readonly outcome: string
  readonly reason?: string | undefined
  /** Code of the refusal that `strict: 'report'` only reports. */
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

/** A request and its outcome, for the audit. */
export interface Decision {
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
  if (cause instanceof SigningError && cause.code !== 'ERR_SIGNING_FAILED') return 'invalid'
  return outcomes[statusCode] ?? 'refused'
}

/** Returns the operation of a request: `unknown` if it was not read and the variant has several. */
export const operationOf = (variant: string, reading?: Reading): string =>
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
const recorded = ['amount', 'orderId', 'transactionFCRN', 'transactionId', 'idType'] as const

/** Returns the signed terms without the token. The digest of the session ID is enough to find a payment. */
function termsOf (reading: Reading, { signing, hasOwnToken = false }: Attempt): Partial<AuditRecord> {
  const redact = signing?.redact ?? (text => text)
  const fields = fieldsOf({ ...reading, idType: redact(reading.idType) }) // it is in upper case there
  // An account number of nobody may be a token, pasted into the wrong field.
  const isShown = signing !== undefined || /^[0-9]+$/.test(reading.accountNumber)
  const terms: Record<string, string | undefined> = {
    accountNumber: isShown ? brief(reading.accountNumber, redact) : `[${reading.accountNumber.length} characters]`
  }
  for (const name of recorded) if (fields[name] !== undefined) terms[name] = brief(fields[name], redact)
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

/** Returns the record of a decision. */
export function decisionOn (
  request: FastifyRequest, attempt: Attempt, variant: string, refusal?: RefusedError
): Decision {
  const { caller, signing, context, reading, wouldRefuse } = attempt
  return {
    reqId: request.id,
    audit: {
      outcome: outcomeOf(refusal),
      reason: refusal?.message,
      wouldRefuse,
      caller: caller?.name ?? 'anonymous',
      user: userIn(context),
      apiKey: caller?.apiKey,
      clientAddress: addressOf(request.ip),
      merchant: signing?.name,
      variant,
      operation: operationOf(variant, reading),
      ...reading && termsOf(reading, attempt)
    }
  }
}
