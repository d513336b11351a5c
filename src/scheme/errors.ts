import type { SignatureRequest } from './fields.js'

/** Messages of requests that are refused with status 400: those of the specification, part 7, and of options. */
export const refusals = {
  ERR_AMOUNT_NOT_POSITIVE: 'Invalid amount: amount must be greater than 0',
  ERR_ACCOUNT_NUMBER_REQUIRED: 'merchantAccountNumber or accountNumber is required',
  ERR_SID_REQUIRED: 'sid is required (client-generated session ID)',
  ERR_CLIENT_TIMESTAMP_REQUIRED: 'clientTimeStamp is required (client-generated timestamp)',
  ERR_BODY_TOKEN: 'merchantToken is not accepted: leave it out',
  ERR_STRICT: 'the request does not match the strict grammar'
} as const

/** Messages of an invalid `sid` (specification 4.3, rule 4, and 4.4). */
export const sidRules = {
  notBlank: 'sid must be a non-empty string',
  uuidV4: 'sid must be a valid GUID (UUID v4)'
} as const

/** Codes of {@link InvalidRequestError}. */
export type RefusalCode = keyof typeof refusals

/**
 * Error for a request that is refused with status 400: a field is missing, the amount is not positive (specification
 * 4.1, steps 2 to 5), or an option of the signer refuses the request.
 *
 * @example
 * try {
 *   signer.sign({ ...request, sid: '' })
 * } catch (error) {
 *   if (error instanceof InvalidRequestError) return error.code // 'ERR_SID_REQUIRED'
 * }
 */
export class InvalidRequestError extends Error {
  override readonly name = 'InvalidRequestError'

  constructor (readonly code: RefusalCode, message: string = refusals[code]) {
    super(message)
  }
}

/** Codes of {@link SigningError}. The signer causes `ERR_SIGNING_FAILED`, the request causes the others. */
export type SigningErrorCode = 'ERR_SID_INVALID' | 'ERR_NOT_TEXT' | 'ERR_SIGNING_FAILED'

/**
 * Error for a request whose fields cannot be derived, or whose signature cannot be computed. The response has status
 * 500 and this message (specification 4.1, step 7).
 *
 * @example
 * try {
 *   signer.sign({ ...request, sid: ' ' })
 * } catch (error) {
 *   if (error instanceof SigningError) return error.code // 'ERR_SID_INVALID'
 * }
 */
export class SigningError extends Error {
  override readonly name = 'SigningError'

  constructor (readonly code: SigningErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
  }
}

/** True for an error whose message is for the client. */
export const isRequestError = (thrown: unknown): thrown is InvalidRequestError | SigningError =>
  thrown instanceof InvalidRequestError || thrown instanceof SigningError

/** Converts a value that a signer threw to an error whose message the client gets (specification 4.1, step 7). */
export function failureOf (thrown: unknown): InvalidRequestError | SigningError {
  if (isRequestError(thrown)) return thrown
  const message = thrown instanceof Error ? thrown.message : 'Signing failed'
  return new SigningError('ERR_SIGNING_FAILED', message, { cause: thrown })
}

/** Messages for invalid arguments. The calling code causes them, not the client. */
const usageMessages = {
  ERR_MERCHANT_TOKEN: 'merchantToken must be a non-empty string',
  ERR_REQUEST: 'request must be an object, such as a decoded JSON body',
  ERR_SIGNATURE: 'signature must be a string',
  ERR_OPTIONS: 'acceptBodyToken and strict must be true or false; the only other options are accountNumberDigits and timeStampMaxAhead',
  ERR_STRICT_TOKEN: 'strict needs a token that has more than digits and points',
  ERR_LIMIT: 'maxChanges must be 0, 1, 2 or 3, and maxTries an integer above 0'
} as const

/** Codes of {@link UsageError}. */
export type UsageErrorCode = keyof typeof usageMessages | 'ERR_VARIANT'

/**
 * Error for an invalid argument of a call of this library.
 *
 * @example
 * try {
 *   new VariantA('')
 * } catch (error) {
 *   if (error instanceof UsageError) return error.code // 'ERR_MERCHANT_TOKEN'
 * }
 */
export class UsageError extends TypeError {
  override readonly name = 'UsageError'

  constructor (code: keyof typeof usageMessages)
  constructor (code: 'ERR_VARIANT', message: string)
  constructor (readonly code: UsageErrorCode, message?: string) {
    super(message ?? usageMessages[code as keyof typeof usageMessages])
  }
}

/** All codes of this library's errors. */
export type ErrorCode = RefusalCode | SigningErrorCode | UsageErrorCode

/** @throws UsageError `ERR_MERCHANT_TOKEN`: without this check `undefined` would be signed as the token */
export function assertMerchantToken (token: unknown): asserts token is string {
  if (typeof token !== 'string' || token === '') throw new UsageError('ERR_MERCHANT_TOKEN')
}

/** True for an object that is not an array. */
export const isRequest = (request: unknown): request is SignatureRequest =>
  typeof request === 'object' && request !== null && !Array.isArray(request)

/** @throws UsageError `ERR_REQUEST` */
export function assertRequest (request: unknown): asserts request is SignatureRequest {
  if (!isRequest(request)) throw new UsageError('ERR_REQUEST')
}

/** @throws UsageError `ERR_SIGNATURE` */
export function assertSignature (signature: unknown): asserts signature is string {
  if (typeof signature !== 'string') throw new UsageError('ERR_SIGNATURE')
}

/** @throws UsageError `ERR_LIMIT` */
export function assertLimits (maxChanges: number, maxTries: number): void {
  if (![0, 1, 2, 3].includes(maxChanges) || !Number.isInteger(maxTries) || maxTries < 1) throw new UsageError('ERR_LIMIT')
}
