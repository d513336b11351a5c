/** A request that is not granted, with a message for its client. Thrown anywhere; plugins/http/errors.ts responds. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly statusCode: number
  /** Response headers that belong to it. */
  readonly headers: Readonly<Record<string, string | number>>
  /** True for a refusal that is logged only as part of a count. */
  readonly isRepeated: boolean

  constructor (
    statusCode: number, message: string, headers: Readonly<Record<string, string | number>> = {}, isRepeated = false
  ) {
    super(message)
    this.statusCode = statusCode
    this.headers = headers
    this.isRepeated = isRepeated
  }
}

/** Returns the refusal of an overloaded process. It measures its load again within these two seconds. */
export const overloadError = (message: string): RefusedError => new RefusedError(503, message, { 'retry-after': 2 })
