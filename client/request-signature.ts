import { signedFields, type SentRequest, type SignatureFields } from './fields.js'
import { newSid } from './sid.js'
import { SignatureError, type SignatureErrorKind } from './signature-error.js'
import { signedRequest, type SignedRequest } from './signed-request.js'

interface Options {
  /** The endpoint, such as `https://sign.shop.example/api/generate-signature`. A page may pass a relative URL. */
  url: string | URL
  /** Milliseconds until the complete response of an attempt must arrive. Default: 10000. */
  timeout?: number | undefined
  /** Number of attempts; 1: no retry. Default: 4 on a backend, 1 in a page or an app, whose user waits. */
  attempts?: number | undefined
  /** Cancels the request. */
  signal?: AbortSignal | null | undefined
  /** More headers, as `fetch` accepts them, such as the `Authorization` of your own users. */
  headers?: RequestInit['headers'] | undefined
  /** `same-origin`: cookies are sent to the page's own origin; `include`: to any origin. Default: `same-origin`. */
  credentials?: RequestInit['credentials'] | undefined
}

export type SignatureRequestOptions = Options & SignatureFields

/** Longest time of a timer in browsers and Node.js, in milliseconds. */
const maxTimeout = 2 ** 31 - 1

/** Statuses of the service, a proxy or a CDN after which the same request may succeed. */
const temporary = [408, 502, 503, 504, 520, 521, 522, 523, 524]

interface Violation { readonly blockedURI: string, readonly disposition: string }
type Listen = (type: 'securitypolicyviolation', listener: (event: Violation) => void) => void

/** Members of a page or a backend. Each lacks some. */
const platform = globalThis as {
  readonly process?: { readonly versions?: { readonly node?: string } }
  readonly location?: { readonly protocol: string }
  readonly navigator?: { readonly onLine?: boolean }
  readonly addEventListener?: Listen
  readonly removeEventListener?: Listen
}

/** Returns true in Node.js, Deno and Bun. */
const isBackend = (): boolean => platform.process?.versions?.node !== undefined

/** @throws SignatureError `argument` */
function refuse (reason: string, cause?: unknown): never {
  throw new SignatureError('argument', reason, { cause })
}

/** @throws SignatureError `argument` */
function check (fields: Partial<SentRequest>, variant: unknown, timeout: number, attempts: number): void {
  if ('merchantToken' in fields) refuse('merchantToken must never be in a page: the service has it')
  if ('sid' in fields || 'clientTimeStamp' in fields) refuse('sid and clientTimeStamp are made here: leave them out')
  if (variant !== undefined && variant !== 'A' && variant !== 'B') refuse('variant must be A or B')
  const { operationType, amount, merchantAccountNumber, accountNumber } = fields
  const [required] = signedFields(variant, operationType) ??
    refuse('operationType must be purchase, refund, void, inquiry or clearCache')
  if (!merchantAccountNumber && !accountNumber) refuse('merchantAccountNumber or accountNumber is required')
  if (typeof amount !== 'string' && (amount !== undefined || required.includes('amount'))) {
    refuse('amount must be a string: its characters are signed, and the number 100.00 would become 100')
  }
  if (required.includes('transactionFCRN') && !fields.transactionFCRN) {
    refuse(`transactionFCRN is required: a ${operationType} needs the reference of the original transaction`)
  }
  if (!(timeout > 0 && timeout <= maxTimeout)) refuse(`timeout must be from 1 to ${maxTimeout} milliseconds`)
  if (!(attempts >= 1)) refuse('attempts must be 1 or more')
}

/** @throws SignatureError `argument` */
function postOf (url: string | URL, options: Pick<Options, 'headers' | 'credentials'>, fields: object): Request {
  if (!url) refuse('url is required: the URL of the endpoint')
  let post
  try {
    post = new Request(url, {
      ...options as RequestInit,
      method: 'POST',
      body: JSON.stringify(fields),
      redirect: 'manual' // fields and key are for one URL
    })
  } catch (cause) {
    return refuse(`The request is invalid: ${(cause as Error).message}`, cause)
  }
  if (!/^https?:/.test(post.url)) refuse('url must begin with http:// or https://, or be relative to the page')
  post.headers.set('content-type', 'application/json')
  if (isBackend()) post.headers.set('user-agent', 'payment-signature-client') // firewalls refuse fetch's own
  return post
}

/** Returns the JSON object in the body of a response, or an empty object if the body is not JSON. */
async function bodyOf (response: Response): Promise<{ signature?: unknown, error?: unknown }> {
  const text = await response.text()
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/** Returns what the platform lets us know about a request without a response. A page knows little. */
function failureOf (where: string, cause: unknown, isForbidden: boolean): string {
  if (isBackend()) {
    const { code, message = String(cause) } = (cause as { cause?: { code?: string, message?: string } }).cause ?? {}
    return `${where} cannot be reached (${code ?? message})`
  }
  const isInsecure = platform.location?.protocol === 'https:' && /^http:\/\/(?!localhost|127\.|\[::1\])/.test(where)
  if (platform.navigator?.onLine === false) return `${where} was not asked: this device is offline`
  if (isForbidden) return `${where} was not asked: the content security policy of the page forbids it (connect-src)`
  if (isInsecure) return `${where} was not asked: an https page may not ask http`
  return `${where} cannot be reached, or does not let this page read its responses (CORS)`
}

/**
 * Creates a session id and a time stamp, and requests their signature together with the fields. Retries send the same
 * request. Follows no redirect.
 *
 * @throws SignatureError if there is no signature; `kind` is the reason
 *
 * @example
 * const signed = await requestSignature({ url, amount: '100.00', merchantAccountNumber: '102551', orderId })
 * signed.applyTo(builder)
 */
export async function requestSignature ({
  url, variant, timeout = 10_000, attempts = isBackend() ? 4 : 1, signal, headers, credentials, ...fields
}: SignatureRequestOptions): Promise<SignedRequest> {
  check(fields, variant, timeout, attempts)
  if (signal && !('aborted' in signal)) refuse('signal must be an AbortSignal')
  const request: SentRequest = Object.freeze({ ...fields, sid: newSid(), clientTimeStamp: Date.now() })
  const post = postOf(url, { headers, credentials }, request)
  const [where] = post.url.split(/[?#]/) as [string]
  const failure = (
    kind: SignatureErrorKind, message: string, more: { cause?: unknown, response?: Response } = {}
  ) => new SignatureError(kind, message, { url: where, request, ...more })

  async function read (response: Response): Promise<SignedRequest> {
    const { signature, error } = await bodyOf(response)
    if (response.type === 'opaqueredirect') throw failure('answer', `${where} redirects: does the URL lead to the service?`)
    if (!response.ok) {
      const stranger = ', probably not the service: a CDN, a firewall, a proxy or the app around it'
      const message = typeof error === 'string'
        ? error
        : `${where} responded with status ${response.status}${response.headers.has('error-code') ? '' : stranger}`
      throw failure('refused', message, { response })
    }
    if (typeof signature !== 'string' || !/^[0-9a-f]{64}\/\/\/[0-9a-f]{64}$/.test(signature)) {
      throw failure('answer', `The response of ${where} has no signature: does the URL lead to the service?`, { response })
    }
    return signedRequest(request, signature, variant)
  }

  async function attempt (): Promise<SignedRequest> {
    const controller = new AbortController()
    let ended: SignatureError | undefined
    function end (error: SignatureError): void {
      ended ??= error
      controller.abort()
    }
    const abort = () => end(failure('aborted', `The request to ${where} was aborted`, { cause: signal?.reason }))
    const timer = setTimeout(() => {
      end(failure('timeout', `${where} did not respond within ${timeout} ms`))
    }, timeout)
    let isForbidden = false
    const forbid = ({ blockedURI, disposition }: Violation) => {
      isForbidden ||= disposition === 'enforce' && where.startsWith(blockedURI.split(/[?#]/)[0]!)
    }
    platform.addEventListener?.('securitypolicyviolation', forbid)
    signal?.addEventListener('abort', abort)
    if (signal?.aborted) abort()
    try {
      return await read(await fetch(post.clone(), { signal: controller.signal }))
    } catch (cause) {
      if (cause instanceof SignatureError) throw cause
      await new Promise(resolve => setTimeout(resolve)) // the event of the page comes after the rejection
      throw ended ?? failure('network', failureOf(where, cause, isForbidden), { cause })
    } finally {
      clearTimeout(timer)
      platform.removeEventListener?.('securitypolicyviolation', forbid)
      signal?.removeEventListener('abort', abort)
    }
  }

  for (let count = 1; ; count++) {
    try {
      return await attempt()
    } catch (error) {
      const { kind, status, retryAfter } = error as SignatureError
      const wait = Math.max(200 * count, 1000 * (retryAfter ?? 0))
      const isTemporary = kind === 'network' || kind === 'timeout' || temporary.includes(status) ||
        (status === 429 && retryAfter !== undefined)
      if (!isTemporary || count >= attempts || wait > 10_000) throw error
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, wait)
        signal?.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true })
      })
    }
  }
}
