import { signedFields, type SentRequest, type SignatureFields } from './fields.js'
import { newSid } from './sid.js'
import { SignatureRequestError, type SignatureRequestErrorCode } from './signature-request-error.js'
import { signedRequest, type SignedRequest } from './signed-request.js'

interface Options {
  /** The endpoint, such as `https://sign.shop.example/api/generate-signature`. A page may pass a relative URL. */
  url: string | URL
  /** Milliseconds until the complete response must arrive. Default: 10000. */
  timeout?: number | undefined
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

/** @throws SignatureRequestError `ERR_ARGUMENT` */
function refuse (reason: string, cause?: unknown): never {
  throw new SignatureRequestError('ERR_ARGUMENT', reason, { cause })
}

/** @throws SignatureRequestError `ERR_ARGUMENT` */
function check (fields: Partial<SentRequest>, variant: unknown, timeout: number): void {
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
}

/** @throws SignatureRequestError `ERR_ARGUMENT` */
function postOf (url: string | URL, options: Pick<Options, 'headers' | 'credentials'>, fields: object): Request {
  if (!url) refuse('url is required: the URL of the endpoint')
  let post
  try {
    post = new Request(url, {
      ...options as RequestInit,
      method: 'POST',
      body: JSON.stringify(fields),
      redirect: 'error' // a redirect could lead to another origin, or turn the POST into a GET
    })
  } catch (cause) {
    return refuse(`The request is invalid: ${(cause as Error).message}`, cause)
  }
  if (!/^https?:/.test(post.url)) refuse('url must begin with http:// or https://, or be relative to the page')
  post.headers.set('content-type', 'application/json')
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

/**
 * Creates a session id and a time stamp, and requests their signature together with the fields. Sends one request, and
 * follows no redirect.
 *
 * @throws SignatureRequestError if there is no signature; `code` is the reason
 *
 * @example
 * const signed = await requestSignature({ url, amount: '100.00', merchantAccountNumber: '102551', orderId })
 * signed.applyTo(builder)
 */
export async function requestSignature (
  { url, variant, timeout = 10_000, signal, headers, credentials, ...fields }: SignatureRequestOptions
): Promise<SignedRequest> {
  check(fields, variant, timeout)
  if (signal && !('aborted' in signal)) refuse('signal must be an AbortSignal')
  const request: SentRequest = Object.freeze({ ...fields, sid: newSid(), clientTimeStamp: Date.now() })
  const post = postOf(url, { headers, credentials }, request)
  const [where] = post.url.split(/[?#]/) as [string]
  const failure = (
    code: SignatureRequestErrorCode, message: string, more: { cause?: unknown, response?: Response } = {}
  ) => new SignatureRequestError(code, message, { url: where, request, ...more })

  const controller = new AbortController()
  let ended: SignatureRequestError | undefined
  function end (error: SignatureRequestError): void {
    ended ??= error
    controller.abort()
  }
  const abort = () => end(failure('ERR_ABORTED', `The request to ${where} was aborted`, { cause: signal?.reason }))
  const timer = setTimeout(() => {
    end(failure('ERR_TIMEOUT', `${where} did not respond within ${timeout} ms`))
  }, timeout)
  signal?.addEventListener('abort', abort)
  if (signal?.aborted) abort()

  async function send (): Promise<SignedRequest> {
    const response = await fetch(post, { signal: controller.signal })
    const { signature, error } = await bodyOf(response)
    if (!response.ok) {
      const stranger = ', probably not the service: a CDN, a firewall, a proxy or the app around it'
      const message = typeof error === 'string'
        ? error
        : `${where} responded with status ${response.status}${response.headers.has('error-code') ? '' : stranger}`
      throw failure('ERR_REFUSED', message, { response })
    }
    if (typeof signature !== 'string' || !/^[0-9a-f]{64}\/\/\/[0-9a-f]{64}$/.test(signature)) {
      throw failure('ERR_ANSWER', `The response of ${where} has no signature: does the URL lead to the service?`, { response })
    }
    return signedRequest(request, signature, variant)
  }

  return send()
    .catch((cause: unknown) => {
      if (cause instanceof SignatureRequestError) throw cause
      throw ended ?? failure('ERR_NETWORK',
        `${where} cannot be reached, or does not let this page read its responses (CORS)`, { cause })
    })
    .finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    })
}
