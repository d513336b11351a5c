import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RefusedError } from '../../http/refusals.js'
import { within } from '../../http/within.js'
import type { Merchant } from '../../merchants/merchant.js'
import { fieldsOf, type Operation, type Reading } from '../../scheme/request.js'
import { alsoSignedLike } from '../../scheme/same-signature.js'
import { hasOwnToken, hash256 } from '../../scheme/signer.js'
import type { Variant } from '../../scheme/variants.js'
import type { Attempt } from '../attempt.js'
import { openAuditFile } from './audit-file.js'

/** Fields that are recorded under their names. */
const auditedNames = ['amount', 'orderId', 'transactionFCRN', 'transactionId', 'idType'] as const

/** Signed fields under their names. Long texts are cut. Absent for a request that was not read. */
type AuditedFields =
  { readonly [name in typeof auditedNames[number] | 'accountNumber' | 'clientTimeStamp']?: string | undefined }

/** Caller, signed fields and outcome of a request. `docs/audit.md` shows a record. */
export interface AuditRecord extends AuditedFields {
  readonly outcome: string
  /** First part of the header `Error-Code`. */
  readonly code?: string | undefined
  /** The field to change, as in the header. */
  readonly field?: string | undefined
  /** The rule of the policy, or the code of your backend, as in the header. */
  readonly reason?: string | undefined
  /** Message for the client. */
  readonly error?: string | undefined
  /** `Error-Code` of the refusal that STRICT=report only reports. */
  readonly wouldRefuse?: string | undefined
  readonly caller: string
  /** The member `auditAs` of the answer of `authorize`, or of the backend. */
  readonly user?: string | undefined
  /** First 6 digits of the SHA-256 of the caller's API key. */
  readonly keyId?: string | undefined
  readonly clientAddress: string
  /** Name of the merchant in the file of merchants. */
  readonly merchant?: string | undefined
  /** Undefined for a request that was not read, if the merchants have both variants. */
  readonly variant?: Variant | undefined
  readonly operation: Operation | 'unknown'
  readonly alsoSignedLike?: 'void' | 'inquiry' | 'clearCache' | undefined
  readonly sidSha256?: string | undefined
  readonly merchantToken?: 'of the request' | undefined
}

/** Entry of the audit: a request and its outcome. */
export interface AuditEntry {
  readonly requestId: string
  readonly audit: AuditRecord
}

/** False for a refusal that strangers can cause without end. It is logged and counted. */
export const isAudited = ({ code }: RefusedError): boolean =>
  code !== 'api-key-required' && code !== 'api-key-unknown' && code !== 'rate-limit'

/** Length limit of a recorded value, in UTF-16 code units. Longer values are cut and get their digest. */
const maxLength = 256

function brief (text: string, redact: (text: string) => string): string {
  const redacted = redact(text.toWellFormed())
  if (redacted.length <= maxLength) return redacted
  return `${redacted.slice(0, maxLength).toWellFormed()}… (${text.length} characters, SHA-256 ${hash256(text)})`
}

/** Returns the signed terms without the token. The digest of the session ID is enough to find a payment. */
function termsOf (reading: Reading, { isKnown, redact }: Merchant): Partial<AuditRecord> {
  const fields = fieldsOf({ ...reading, idType: redact(reading.idType) }) // in upper case, a token would not be found
  // An unknown account number may be a token that was pasted into the wrong field.
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

/** Returns the audit entry of a request. */
export function entryOf (
  request: FastifyRequest, { caller, merchant, reading, wouldRefuse, user }: Attempt,
  { outcome, variant, operation }: { outcome: string, variant: string, operation: AuditRecord['operation'] },
  refusal?: RefusedError
): AuditEntry {
  return {
    requestId: request.id,
    audit: {
      outcome,
      ...refusal?.members(merchant?.redact),
      wouldRefuse: wouldRefuse?.errorCode,
      caller: caller?.name ?? 'anonymous',
      user,
      keyId: caller?.keyId,
      clientAddress: request.clientAddress,
      merchant: merchant?.name,
      variant: variant === 'A' || variant === 'B' ? variant : undefined,
      operation,
      ...merchant && reading && termsOf(reading, merchant)
    }
  }
}

/** Records an entry. The response waits for its promise, at most for AUTHORIZE_TIMEOUT. */
export type Audit = (entry: AuditEntry) => unknown

/**
 * Returns the given audit, or that of AUDIT_FILE, or of AUDIT in the log; undefined without one. It logs outages. The
 * message of its error is a cause for the log.
 */
export function auditOf (app: FastifyInstance, given?: Audit): Audit | undefined {
  const { log, config: { AUDIT, AUDIT_FILE, AUTHORIZE_TIMEOUT } } = app
  if (given !== undefined) {
    let isDown = false
    return async entry => {
      try {
        await within(AUTHORIZE_TIMEOUT, () => given(entry), () => new Error('no result in time'))
        isDown = false
      } catch { // the message of its error may quote the entry
        if (!isDown) log.error({ requestId: entry.requestId }, 'decisions cannot be recorded: the audit failed')
        isDown = true
        throw new Error('audit failed')
      }
    }
  }
  if (AUDIT_FILE !== '') return openAuditFile(app)
  if (!AUDIT) return undefined
  const lines = log.child({}, { level: 'info' }) // written at any LOG_LEVEL
  return entry => lines.info(entry, 'decision')
}
