/** Messages of requests that are refused with status 400: those of the specification, part 7. */
export const messages = {
  ERR_AMOUNT_NOT_POSITIVE: 'Invalid amount: amount must be greater than 0',
  ERR_ACCOUNT_NUMBER_REQUIRED: 'merchantAccountNumber or accountNumber is required',
  ERR_SID_REQUIRED: 'sid is required (client-generated session ID)',
  ERR_CLIENT_TIMESTAMP_REQUIRED: 'clientTimeStamp is required (client-generated timestamp)'
} as const

/** Messages of an invalid `sid` (specification 4.3, rule 4, and 4.4). */
export const sidMessages = { notBlank: 'sid must be a non-empty string', uuidV4: 'sid must be a valid GUID (UUID v4)' }

/** The field of each code that has always the same one. */
const fieldOf: Readonly<Partial<Record<string, string>>> = {
  ERR_AMOUNT_NOT_POSITIVE: 'amount',
  ERR_ACCOUNT_NUMBER_REQUIRED: 'merchantAccountNumber',
  ERR_SID_REQUIRED: 'sid',
  ERR_SID_INVALID: 'sid',
  ERR_CLIENT_TIMESTAMP_REQUIRED: 'clientTimeStamp'
}

/** Codes of {@link InvalidRequestError}. */
export type InvalidRequestCode = keyof typeof messages

/**
 * Error for a request that is refused with status 400: a field is missing, or the amount is not positive (specification
 * 4.1, steps 2 to 5).
 *
 * @example
 * try {
 *   signer.read({ ...request, sid: '' })
 * } catch (error) {
 *   if (error instanceof InvalidRequestError) return error.code // 'ERR_SID_REQUIRED'
 * }
 */
export class InvalidRequestError extends Error {
  override readonly name = 'InvalidRequestError'

  /** The field that the request must change. */
  readonly field: string | undefined

  constructor (readonly code: InvalidRequestCode) {
    super(messages[code])
    this.field = fieldOf[code]
  }
}

/** Codes of {@link SigningError}. */
export type SigningErrorCode = 'ERR_SID_INVALID' | 'ERR_NOT_TEXT'

/**
 * Error for a request whose fields cannot be derived. The response has status 500 and this message (specification 4.1,
 * steps 1 and 6).
 *
 * @example
 * try {
 *   signer.read({ ...request, sid: ' ' })
 * } catch (error) {
 *   if (error instanceof SigningError) return error.code // 'ERR_SID_INVALID'
 * }
 */
export class SigningError extends Error {
  override readonly name = 'SigningError'
  /** The field that the request must change; undefined for another fault. */
  readonly field: string | undefined

  constructor (readonly code: SigningErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.field = fieldOf[code]
  }
}

/** True for an error whose message is for the client. */
export const isRequestError = (thrown: unknown): thrown is InvalidRequestError | SigningError =>
  thrown instanceof InvalidRequestError || thrown instanceof SigningError

/** Messages for invalid arguments. The calling code causes them, not the client. */
const usageMessages = {
  ERR_VARIANT: 'variant must be "A" or "B"',
  ERR_MERCHANT_TOKEN: 'merchantToken must be a non-empty string',
  ERR_REQUEST: 'request must be an object, such as a decoded JSON body',
  ERR_READING: 'reading must be a result of read, in the same variant: sign(read(request))',
  ERR_SIGNATURE: 'signature must be a string',
  ERR_LIMIT: 'maxTries must be an integer above 0',
  ERR_CLIENT_ADDRESS: 'clientAddress must return the client\'s address, a non-empty string and no promise',
  ERR_BODY_READ: 'the body of the request was read before: call the handler before the body parser, or pass rawBody as the body'
} as const

/** Codes of {@link UsageError}. */
export type UsageErrorCode = keyof typeof usageMessages

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

  constructor (readonly code: UsageErrorCode) { super(usageMessages[code]) }
}

/** @throws UsageError the argument is not valid */
export function assertArgument (isValid: boolean, code: UsageErrorCode): asserts isValid {
  if (!isValid) throw new UsageError(code)
}

/** All codes of this library's errors. */
export type ErrorCode = InvalidRequestCode | SigningErrorCode | UsageErrorCode
