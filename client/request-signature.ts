import { newSid } from './sid.js'
import { SignatureRequestError } from './signature-request-error.js'
import { signedRequest } from './signed-request.js'
import type { SignatureFields, SignedRequest } from './signed-request.js'

export interface SignatureRequestOptions extends SignatureFields {
  /** The endpoint, such as `https://pay.shop.example/api/generate-signature`. */
  url: string | URL
  /** How long the whole response may take, in milliseconds; 10 seconds unless given. */
  timeout?: number | undefined
  /** Ends the request when it is aborted. */
  signal?: AbortSignal | null | undefined
  /** More headers, such as the `Authorization` of your own users. */
  headers?: Record<string, string> | undefined
}

/** Timers of browsers and Node hold no more, in milliseconds. */
const maxTimeout = 2 ** 31 - 1

/** @throws SignatureRequestError `ERR_ARGUMENT` */
function check (fields: object, timeout: number): void {
  const refuse = (reason: string) => { throw new SignatureRequestError('ERR_ARGUMENT', reason) }

  if ('merchantToken' in fields) refuse('merchantToken must never be in a page: the service has it')
  if ('sid' in fields || 'clientTimeStamp' in fields) refuse('sid and clientTimeStamp are made here: leave them out')
  if ('amount' in fields && fields.amount !== undefined && typeof fields.amount !== 'string') {
    refuse('amount must be a string: its characters are signed, and the number 100.00 would become 100')
  }
  if (!(timeout > 0 && timeout <= maxTimeout)) refuse(`timeout must be from 1 to ${maxTimeout} milliseconds`)
}

/** @throws SignatureRequestError `ERR_ARGUMENT` */
function postOf (url: string | URL, headers: Record<string, string>, fields: object): Request {
  try {
    const request = new Request(url, {
      method: 'POST',
      headers,
      body: JSON.stringify(fields),
      credentials: 'omit',
      redirect: 'error' // it could lead to another origin, or turn the POST into a GET
    })
    request.headers.set('content-type', 'application/json')
    return request
  } catch (cause) {
    throw new SignatureRequestError('ERR_ARGUMENT', `There is no such request: ${(cause as Error).message}`, { cause })
  }
}

/** The body of a response if it is JSON; whatever cannot be read is a response without a signature. */
async function bodyOf (response: Response): Promise<{ signature?: unknown, error?: unknown }> {
  const text = await response.text()
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/** @throws SignatureRequestError `ERR_REFUSED` or `ERR_ANSWER`; or whatever `fetch` throws */
async function signatureFor (post: Request, signal: AbortSignal): Promise<string> {
  const response = await fetch(post, { signal })
  const { status, ok } = response
  const { signature, error } = await bodyOf(response)
  if (!ok) {
    const message = typeof error === 'string' ? error : `The service responded with status ${status}`
    throw new SignatureRequestError('ERR_REFUSED', message, { status })
  }
  if (typeof signature !== 'string' || !/^[0-9a-f]{64}\/\/\/[0-9a-f]{64}$/.test(signature)) {
    throw new SignatureRequestError('ERR_ANSWER', 'The response has no signature: does the URL lead to the service?', { status })
  }
  return signature
}

/**
 * Makes a session id and a time stamp, has them signed together with the fields, and returns all of it. Asks once, and
 * follows no redirect; sends no cookies.
 *
 * @throws SignatureRequestError (it is the rejection) there is no signature; `code` says why
 *
 * @example
 * const signed = await requestSignature({ url, amount: '100.00', merchantAccountNumber: '102551', orderId })
 * signed.applyTo(builder)
 */
export async function requestSignature (
  { url, timeout = 10_000, signal, headers = {}, ...fields }: SignatureRequestOptions
): Promise<SignedRequest> {
  check(fields, timeout)
  const request = { ...fields, sid: newSid(), clientTimeStamp: Date.now() }
  const post = postOf(url, headers, request)

  const controller = new AbortController()
  let ended: SignatureRequestError | undefined
  function end (error: SignatureRequestError): void {
    ended ??= error
    controller.abort()
  }
  const abort = () => end(new SignatureRequestError('ERR_ABORTED', 'The request was aborted', { cause: signal?.reason }))
  const timer = setTimeout(() => {
    end(new SignatureRequestError('ERR_TIMEOUT', `The service did not respond within ${timeout} ms`))
  }, timeout)
  signal?.addEventListener('abort', abort)
  if (signal?.aborted) abort()

  const signature = await signatureFor(post, controller.signal)
    .catch((cause: unknown) => {
      if (cause instanceof SignatureRequestError) throw cause
      throw ended ?? new SignatureRequestError('ERR_NETWORK',
        'The service cannot be reached, or does not let this page read its responses (CORS)', { cause })
    })
    .finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    })
  return signedRequest(request, signature)
}
