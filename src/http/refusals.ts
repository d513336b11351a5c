import type { FastifyReply, FastifyRequest } from 'fastify'
import { isRequestError, messages, sidMessages, type InvalidRequestCode, type SigningErrorCode } from '../scheme/errors.js'

/**
 * Values of the header `Error-Code`, each with its status, its usual message, and the remedy. The OpenAPI document has
 * this table.
 */
export const errorCodes = {
  'amount-not-positive': [400, messages.ERR_AMOUNT_NOT_POSITIVE, 'send an amount above 0, or none'],
  'account-number-required': [400, messages.ERR_ACCOUNT_NUMBER_REQUIRED, 'send one of them, at the top level of the body'],
  'sid-required': [400, messages.ERR_SID_REQUIRED, 'send the field'],
  'client-timestamp-required': [400, messages.ERR_CLIENT_TIMESTAMP_REQUIRED, 'send the field'],
  'sid-invalid': [500, sidMessages.notBlank, 'send the variant\'s form'],
  'not-text': [500, 'Cannot convert object to primitive value', 'send strings'],
  strict: [400, 'amount must be 1 to 12 ASCII digits, a point and 2 digits, such as 100.00', 'correct the field'],
  'body-invalid': [400, 'Request body must be a JSON object', 'send one JSON object in UTF-8'],
  'http-invalid': [400, 'Malformed HTTP request', 'correct the request line or headers'],
  'api-key-required': [401, 'An API key is required: send it as Authorization: Bearer', 'send a key of the policy'],
  'api-key-unknown': [401, 'The API key is not known', 'send a key of the policy'],
  policy: [403, 'caller "anonymous" may not sign this operation (operations)', 'extend the policy'],
  'account-number-unknown': [403, 'the account number is not known', 'send an account number of the merchants'],
  refused: [403, 'Refused by the merchant', 'ask your backend'],
  'not-found': [404, 'Not Found', 'correct the path and its letter case'],
  'method-not-allowed': [405, 'Method Not Allowed', 'use a method from `Allow`'],
  'time-out': [408, 'Request Timeout: the request did not arrive in time', 'send it within 10 seconds'],
  'body-too-large': [413, 'Request body is too large', 'send at most 16 KiB'],
  'content-type': [415, 'Unsupported Media Type: send the body as application/json', 'send plain JSON in UTF-8 with that type'],
  'rate-limit': [429, 'Too many requests', 'wait `Retry-After` seconds'],
  'headers-too-large': [431, 'Request Header Fields Too Large', 'send at most 16 KiB of headers'],
  fault: [500, 'Internal Server Error', 'read the log'],
  'authorization-unavailable': [503, 'Authorization is unavailable, try again', 'repeat; check `AUTHORIZE_URL`'],
  'audit-unavailable': [503, 'Audit is unavailable, try again', 'repeat; check the disk of `AUDIT_FILE`'],
  'not-ready': [503, 'shutting down', 'use another instance']
} as const satisfies Record<string, readonly [status: number, message: string, remedy: string]>

/** The first part of the header `Error-Code`. */
export type RefusalCode = keyof typeof errorCodes

interface RefusedOptions extends ErrorOptions {
  /** The field that the client must change: a parameter of the header `Error-Code`. */
  readonly field?: string | undefined
  /** The rule, or the code of the merchant's answer: a parameter of the header `Error-Code`. */
  readonly reason?: string | undefined
  /** Other response headers. */
  readonly headers?: Readonly<Record<string, string | number>> | undefined
  /** Default: the status of the code. */
  readonly statusCode?: number | undefined
  /** Member `cause` of the request's line in the log. The client does not get it. */
  readonly loggedCause?: string | undefined
}

/** Refusal of a request, as the client gets it. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly statusCode: number

  constructor (
    readonly code: RefusalCode, message: string = errorCodes[code][1], readonly options: RefusedOptions = {}
  ) {
    super(message, options)
    this.statusCode = options.statusCode ?? errorCodes[code][0]
  }

  /** The header `Error-Code`: the code, and its parameter. */
  get errorCode (): string {
    const { field, reason } = this.options
    if (field !== undefined) return `${this.code}; field=${field}`
    return reason === undefined ? this.code : `${this.code}; reason=${reason}`
  }

  /** Returns the members of the refusal in log and audit, without a token in its message. */
  members (redact = (text: string) => text) {
    const { code, options: { field, reason } } = this
    return { code, field, reason, error: redact(this.message) }
  }
}

/** Codes of errors of the scheme, by theirs. */
const byScheme: Readonly<Record<InvalidRequestCode | SigningErrorCode, RefusalCode>> = {
  ERR_AMOUNT_NOT_POSITIVE: 'amount-not-positive',
  ERR_ACCOUNT_NUMBER_REQUIRED: 'account-number-required',
  ERR_SID_REQUIRED: 'sid-required',
  ERR_CLIENT_TIMESTAMP_REQUIRED: 'client-timestamp-required',
  ERR_SID_INVALID: 'sid-invalid',
  ERR_NOT_TEXT: 'not-text'
}

/** Codes of errors of Fastify, by their status. All others are `refused`. */
const byStatus: Readonly<Record<number, RefusalCode>> = {
  400: 'body-invalid', 404: 'not-found', 413: 'body-too-large', 415: 'content-type'
}

interface UnknownError { statusCode?: number, code?: string, message?: string }

/**
 * Converts anything thrown to a RefusedError. The client gets the messages of a status from 400 to 499, and of 503. All
 * other errors become a `fault`.
 *
 * @param statusSoFar - of the response: a hook may have set it before it failed
 */
export function toRefusedError (error: unknown, statusSoFar = 200): RefusedError {
  if (error instanceof RefusedError) return error
  if (isRequestError(error)) {
    return new RefusedError(byScheme[error.code], error.message, { cause: error, field: error.field })
  }
  const { statusCode: ofError = 500, code, message } = Object(error) as UnknownError
  const statusCode = statusSoFar >= 400 ? statusSoFar : ofError
  const isForClient = (statusCode >= 400 && statusCode < 500) || statusCode === 503
  if (!isForClient) return new RefusedError('fault', undefined, { cause: error })
  if (code === 'FST_ERR_BAD_URL') return new RefusedError('http-invalid', 'Malformed URL', { cause: error })
  const isOfFastify = typeof code === 'string' && code.startsWith('FST_ERR_')
  const name = isOfFastify ? byStatus[statusCode] ?? 'refused' : 'refused'
  return new RefusedError(name, statusCode === 415 && isOfFastify ? undefined : message, { statusCode, cause: error })
}

/** Returns the members of a thrown value that the log can have. A getter of a foreign value may throw, too. */
function readable (error: unknown): { name?: unknown, code?: unknown, stack?: unknown, cause?: unknown } {
  try {
    const { name, code, stack, cause } = Object(error)
    return { name, code, stack, cause }
  } catch {
    return {}
  }
}

/** Returns the code of the fault behind an error, such as one of `fetch`; undefined without one. */
export function codeBehind (error: unknown): string | undefined {
  const { code } = readable(readable(error).cause)
  return typeof code === 'string' ? code : undefined
}

/**
 * Returns the members of an error for the log. The log would contain all enumerable members, such as the headers of a
 * failed request to a vault.
 */
export function loggable (error: unknown, redact = (text: string) => text): object {
  const { name, code, stack } = readable(error)
  return { type: name, code, stack: redact(typeof stack === 'string' ? stack : `no error but ${typeof error}`) }
}

/** A refusal, as the functions `authorize` and `tokenOf` return it. */
export interface Refusal {
  /** Status of the response, from 400 to 499. */
  readonly statusCode: number
  /** Message for the client. Default: `Refused by the merchant`. */
  readonly error?: string | undefined
  /** Reason for programs, 1 to 64 of `A-Z a-z 0-9 . _ -`: the client gets `Error-Code: refused; reason=…`. */
  readonly code?: string | undefined
}

/**
 * Returns the error that responds with the refusal of a custom function, which may have no types; undefined for another
 * value. A `code` that could not be a part of a header is left out.
 */
export function refusedBy (result: unknown): RefusedError | undefined {
  const { statusCode = 0, error, code } = Object(result) as Partial<Refusal>
  if (!Number.isInteger(statusCode) || statusCode < 400 || statusCode > 499) return undefined
  const message = typeof error === 'string' && error !== '' ? error : undefined
  const isReason = typeof code === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(code)
  return new RefusedError('refused', message, { statusCode, reason: isReason ? code : undefined })
}

/**
 * Sets status and headers of a refusal, and logs a fault. Returns `{ error: message }`, the body of every error
 * (specification 2.3).
 */
export function applyRefusal (refusal: RefusedError, request: FastifyRequest, reply: FastifyReply): { error: string } {
  const { statusCode, message, code, errorCode, cause, options: { headers = {} } } = refusal
  request.refusal = refusal
  if (code === 'fault') {
    request.log.error({ err: loggable(cause, request.attempt?.merchant?.redact) }, 'unexpected fault')
  }
  reply.code(statusCode).header('error-code', errorCode).headers(headers)
  return { error: message }
}
