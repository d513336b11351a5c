/** A request that is not granted, with a message for its client. Thrown anywhere; plugins/http/errors.ts responds. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly statusCode: number
  /** Response headers that belong to it. */
  readonly headers: Readonly<Record<string, string | number>>

  constructor (statusCode: number, message: string, headers: Readonly<Record<string, string | number>> = {}) {
    super(message)
    this.statusCode = statusCode
    this.headers = headers
  }
}
