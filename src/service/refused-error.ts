import { statusOf, type ErrorCodeName } from './error-codes.js'

/** Refusal of a request, with a message for the client. plugins/http/error-handler.ts responds. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'

  /**
   * @param headers - response headers
   * @param isRepeated - true for a refusal that is logged only as part of a count
   * @param statusCode - default: the status of the code
   */
  constructor (
    readonly code: ErrorCodeName, message: string, readonly headers: Readonly<Record<string, string | number>> = {},
    readonly isRepeated = false, readonly statusCode = statusOf(code)
  ) {
    super(message)
  }
}

/** Returns the refusal of an overloaded process. The load is measured again within two seconds. */
export const overloadError = (message: string): RefusedError => new RefusedError('overloaded', message, { 'retry-after': 2 })
