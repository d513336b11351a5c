import type { SentRequest } from './fields.js'

/**
 * Reason why there is no signature:
 * - `argument`: the arguments are invalid, or the platform has no `crypto`; nothing was sent
 * - `refused`: a server responded with an error; `status` is its HTTP status, `message` its own message
 * - `network`: there is no response that the caller may read
 * - `timeout`: the response was not complete in time
 * - `aborted`: the `signal` was aborted; `cause` is its reason
 * - `answer`: the response contains no signature, so another server probably sent it
 */
export type SignatureErrorKind = 'argument' | 'refused' | 'network' | 'timeout' | 'aborted' | 'answer'

interface Details {
  url?: string
  request?: SentRequest
  cause?: unknown
  response?: Response
}

/** A request that got no signature. The members except `message`, which is for people, are stable. */
export class SignatureError extends Error {
  declare readonly kind: SignatureErrorKind
  /** URL of the endpoint, without query. Undefined for `argument`. */
  declare readonly url: string | undefined
  /** Fields, `sid` and `clientTimeStamp` that were sent. Undefined for `argument`. */
  declare readonly request: SentRequest | undefined
  /** HTTP status; 0 without a complete response. */
  declare readonly status: number
  /** Error code of the service, such as `policy`; empty if another server responded, or none. */
  declare readonly code: string
  /** Field at fault, such as `amount`. */
  declare readonly field: string | undefined
  /** Rule of the policy, such as `maximumAmount`, or code of your backend, such as `ALREADY_PAID`. */
  declare readonly reason: string | undefined
  /** ID of the request in the service's log. */
  declare readonly requestId: string | undefined
  /** Seconds to wait before a retry. */
  declare readonly retryAfter: number | undefined

  constructor (kind: SignatureErrorKind, message: string, { url, request, cause, response }: Details = {}) {
    super(message, { cause })
    this.name = 'SignatureError'
    this.kind = kind
    const header = (name: string): string | undefined => response?.headers.get(name) ?? undefined
    const errorCode = header('error-code') ?? ''
    this.url = url
    this.request = request
    this.status = response?.status ?? 0
    this.code = errorCode.split(';')[0]!
    this.field = errorCode.match(/field=([\w.-]+)/)?.[1]
    this.reason = errorCode.match(/reason=([\w.-]+)/)?.[1]
    this.requestId = header('x-request-id')
    this.retryAfter = secondsIn(header('retry-after'))
  }
}

/** Returns the seconds of a `Retry-After`, which contains seconds or a date. */
function secondsIn (text = ''): number | undefined {
  if (/^\d+$/.test(text)) return Number(text)
  const seconds = Math.ceil((Date.parse(text) - Date.now()) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
