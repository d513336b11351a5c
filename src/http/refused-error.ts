import type { PolicyRefusal } from '../guard/policy.js'
import { isRequestError, SigningError, type InvalidRequestError } from '../scheme/errors.js'
import { fields } from '../scheme/request.js'
import { errorCodes, statusOf, type ErrorCodeName } from './error-codes.js'

const fieldNames: ReadonlySet<string> = new Set(fields)

/**
 * Returns the header `Error-Code` of a scheme's error, such as `strict; field=amount`. The error's message names the
 * field first. A custom signer may throw any code and message: neither enters the header.
 */
export function schemeErrorCode ({ code, message }: InvalidRequestError | SigningError): string {
  const name = String(code).slice('ERR_'.length).toLowerCase().replaceAll('_', '-')
  if (name === 'signing-failed' || !Object.hasOwn(errorCodes, name)) return 'signing-failed'
  const field = message.split(' ').find(word => fieldNames.has(word))
  return field === undefined ? name : `${name}; field=${field}`
}

/** Refusal of a request, with a message for the client. plugins/http/responses.ts responds. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'

  /**
   * @param headers - response headers
   * @param statusCode - default: the status of the code
   * @param client - key of the client in the count of repeated refusals; default: the client's address
   */
  constructor (
    readonly code: ErrorCodeName, message: string, readonly headers: Readonly<Record<string, string | number>> = {},
    readonly statusCode = statusOf(code), readonly client?: string
  ) {
    super(message)
  }
}

/** Returns the refusal of a rule of the policy, which `Error-Code` names. */
export const policyError = ({ rule, message }: PolicyRefusal): RefusedError =>
  new RefusedError('policy', message, { 'error-code': `policy; reason=${rule}` })

/** Returns the header `Error-Code` of a refusal, with its parameter. */
export const errorCodeOf = (refusal: RefusedError | InvalidRequestError | SigningError): string =>
  refusal instanceof RefusedError ? String(refusal.headers['error-code'] ?? refusal.code) : schemeErrorCode(refusal)

/** Returns the error whose message the response to a fault of a signer has (specification 4.1, step 7). */
export function failureOf (thrown: unknown): RefusedError | InvalidRequestError | SigningError {
  if (thrown instanceof RefusedError || isRequestError(thrown)) return thrown
  const message = thrown instanceof Error ? thrown.message : 'Signing failed'
  return new SigningError('ERR_SIGNING_FAILED', message, { cause: thrown })
}

/** Returns the refusal of an overloaded process. The load is measured again within two seconds. */
export const overloadError = (message: string): RefusedError => new RefusedError('overloaded', message, { 'retry-after': 2 })

/**
 * Returns the refusal of a limit, with `Retry-After`.
 *
 * @param reason - for the client and the log, such as "Too many requests"
 * @param wait - time until the client is let in again, in milliseconds
 * @param client - as in {@link RefusedError}
 */
export function tooManyRequests (code: ErrorCodeName, reason: string, wait: number, client?: string): RefusedError {
  const seconds = Math.max(1, Math.ceil(wait / 1000))
  const message = `${reason}: try again in ${seconds === 1 ? '1 second' : `${seconds} seconds`}`
  return new RefusedError(code, message, { 'retry-after': seconds }, statusOf(code), client)
}
