import { statusOf, type ErrorCodeName } from './error-codes.js'

/** A request that is not granted, with a message for its client. plugins/http/error-handler.ts responds. */
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

/** Returns the refusal of an overloaded process. It measures its load again within these two seconds. */
export const overloadError = (message: string): RefusedError => new RefusedError('overloaded', message, { 'retry-after': 2 })
