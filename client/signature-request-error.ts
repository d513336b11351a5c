/**
 * What went wrong:
 * - `ERR_ARGUMENT`: the call cannot be right, and nothing was sent
 * - `ERR_REFUSED`: the service responded with an error; `status` is its HTTP status, `message` its own message
 * - `ERR_NETWORK`: no response that the page may read
 * - `ERR_TIMEOUT`: no complete response in time
 * - `ERR_ABORTED`: the `signal` was aborted; `cause` is its reason
 * - `ERR_ANSWER`: the response has no signature, so it is hardly the service's
 */
export type SignatureRequestErrorCode =
  'ERR_ARGUMENT' | 'ERR_REFUSED' | 'ERR_NETWORK' | 'ERR_TIMEOUT' | 'ERR_ABORTED' | 'ERR_ANSWER'

/** There is no signature. `code` says why, and is stable; `message` is for people. */
export class SignatureRequestError extends Error {
  override readonly name = 'SignatureRequestError'
  readonly code: SignatureRequestErrorCode
  /** The HTTP status, if there was a response. */
  readonly status: number | undefined

  constructor (
    code: SignatureRequestErrorCode, message: string, { status, cause }: { status?: number, cause?: unknown } = {}
  ) {
    super(message, { cause })
    this.code = code
    this.status = status
  }
}
