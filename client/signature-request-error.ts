import type { SentRequest } from './fields.js'

/**
 * Reason why there is no signature:
 * - `ERR_ARGUMENT`: the arguments are invalid, or the platform has no `crypto`; nothing was sent
 * - `ERR_REFUSED`: the service responded with an error; `status` is its HTTP status, `message` its own message
 * - `ERR_NETWORK`: there is no response that the page may read
 * - `ERR_TIMEOUT`: the response was not complete in time
 * - `ERR_ABORTED`: the `signal` was aborted; `cause` is its reason
 * - `ERR_ANSWER`: the response contains no signature, so another server probably sent it
 */
export type SignatureRequestErrorCode =
  'ERR_ARGUMENT' | 'ERR_REFUSED' | 'ERR_NETWORK' | 'ERR_TIMEOUT' | 'ERR_ABORTED' | 'ERR_ANSWER'

interface Details {
  url?: string
  request?: SentRequest
  cause?: unknown
  response?: Response
}

/** Rejection of `requestSignature`. `code` is stable; `message` is for people. */
export class SignatureRequestError extends Error {
  declare readonly code: SignatureRequestErrorCode
  /** URL of the endpoint, without query. Undefined for `ERR_ARGUMENT`. */
  declare readonly url: string | undefined
  /** Fields, `sid` and `clientTimeStamp` that were sent. Undefined for `ERR_ARGUMENT`. */
  declare readonly request: SentRequest | undefined
  /** HTTP status of the response. */
  declare readonly status: number | undefined
  /** Header `Retry-After`: seconds to wait before a retry. */
  declare readonly retryAfter: number | undefined
  /** Header `X-Request-Id`: ID of the request in the service's log. */
  declare readonly requestId: string | undefined
  /** Header `Error-Code`, such as `strict; field=amount`. */
  declare readonly errorCode: string | undefined
  /** Rule of the policy in `Error-Code`, such as `maximumAmount`, or reason of your backend, such as `ALREADY_PAID`. */
  declare readonly reason: string | undefined

  constructor (code: SignatureRequestErrorCode, message: string, { url, request, cause, response }: Details = {}) {
    super(message, { cause })
    this.name = 'SignatureRequestError'
    this.code = code
    const header = (name: string): string | undefined => response?.headers.get(name) ?? undefined
    this.url = url
    this.request = request
    this.status = response?.status
    this.retryAfter = secondsIn(header('retry-after'))
    this.requestId = header('x-request-id')
    this.errorCode = header('error-code')
    this.reason = this.errorCode?.match(/reason=([\w.-]+)/)?.[1]
  }
}

/** Returns the seconds of a `Retry-After`, which contains seconds or a date. */
function secondsIn (text = ''): number | undefined {
  if (/^\d+$/.test(text)) return Number(text)
  const seconds = Math.ceil((Date.parse(text) - Date.now()) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
