import { channel } from 'node:diagnostics_channel'
import { firstDuplicate } from '../text/json-text.js'
import { RefusedError } from '../http/refused-error.js'
import type { SignedFields } from '../scheme/request.js'

/** Input of a decision: the signed fields, the caller, and the headers that identify the caller. */
export interface AuthorizeInput<Context = unknown> {
  /** Fields that will be signed, as text. */
  readonly request: SignedFields
  /** Result of the option `context`. */
  readonly context: Context
  /** The operation that accepts the same signature. Allowing an inquiry by digits also allows that void. */
  readonly alsoSignedLike?: 'void' | 'inquiry' | 'clear-cache'
  /** The caller's name in the policy; `anonymous` without one. */
  readonly caller: string
  /** IP address of the client. */
  readonly clientAddress: string
  readonly headers: Readonly<Record<'authorization' | 'cookie', string | undefined>>
  /** The W3C trace context, if the client sent a valid one. */
  readonly traceparent?: string
  /** The request's id in the log. */
  readonly id: string
}

/** A refusal, as `authorize` and `merchantToken` functions return it. */
export interface Refusal {
  /** Status of the response, from 400 to 499. */
  readonly statusCode: number
  /** Message for the client. Default: `Refused by the merchant`. */
  readonly error?: string | undefined
  /** Reason for programs, 1 to 64 of `A-Z a-z 0-9 . _ -`: the client gets `Error-Code: refused; reason=…`. */
  readonly code?: string | undefined
}

/** True for a refusal of a custom function, which may have no types. */
export function isRefusal (decision: unknown): decision is Refusal {
  const { statusCode } = (decision ?? {}) as Partial<Refusal>
  return Number.isInteger(statusCode) && (statusCode as number) >= 400 && (statusCode as number) < 500
}

/**
 * Returns the error that responds with a refusal of the backend or of a custom function, which may have no types. A
 * `code` that could not be a part of a header is left out.
 */
export function refusedBy ({ statusCode, error, code }: Refusal): RefusedError {
  const message = typeof error === 'string' && error !== '' ? error : 'Refused by the merchant'
  const isReason = typeof code === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(code)
  return new RefusedError('refused', message, isReason ? { 'error-code': `refused; reason=${code}` } : {}, statusCode)
}

/** A decision in the form of the backend's JSON. False refuses with status 403. */
interface JsonDecision extends Pick<Refusal, 'error' | 'code'> {
  readonly allowed: boolean
  readonly statusCode?: undefined
}

/** A boolean, since TypeScript widens the result of an asynchronous function that returns only `true`. */
type Answer = boolean | JsonDecision | Refusal

/**
 * Decides whether a request may be signed. Returns `true` or `{ allowed: true }` to allow, a refusal, `false` or
 * `{ allowed: false }` (status 403) to refuse. For any other result, an error or no result within `authorizeTimeout`,
 * the response is 503 and nothing is signed.
 */
export type Authorize<Context = unknown> =
  (input: AuthorizeInput<Context>, signal: AbortSignal) => Answer | Promise<Answer>

/** Length limit of a response's body, in bytes. */
const maxLength = 16_384

/** The hint in the log for a response without a decision. */
const expected = 'expected 204, or 200 with {"allowed":true} or {"allowed":false} and no duplicate keys'

/** Channel of fetch. A tracing library that subscribes to it adds a traceparent. Two traceparents would be invalid. */
const tracing = channel('undici:request:create')

/** Error for a missing decision. The message is for the log: it contains nothing of the URL or the response's body. */
export class NoDecisionError extends Error {
  override readonly name = 'NoDecisionError'
}

/**
 * Returns the members of a decision in the body of a backend's response, of any type. Without `allowed` if the body has
 * duplicate keys, and empty if the body is not JSON.
 */
export function answerIn (text: string): Partial<JsonDecision> {
  try {
    const { allowed, error, code } = Object(JSON.parse(text))
    return firstDuplicate(text) === undefined ? { allowed, error, code } : { error, code }
  } catch {
    return {}
  }
}

/**
 * Returns the decision in an answer, which may have no types.
 *
 * @param otherwise - message of the error for another value
 */
export function decisionOf (answer: unknown, otherwise: string): true | Refusal {
  if (answer === true || isRefusal(answer)) return answer
  if (answer === false) return { statusCode: 403 }
  const { allowed, statusCode, error, code } = (answer ?? {}) as Partial<JsonDecision>
  if (typeof allowed !== 'boolean' || statusCode !== undefined) throw new NoDecisionError(otherwise)
  return allowed || { statusCode: 403, error, code }
}

/**
 * Returns the body, without a byte order mark. Throws if it is compressed (a few bytes can become gigabytes) or too
 * large.
 */
async function textOf (response: Response): Promise<string> {
  const encoding = response.headers.get('content-encoding')
  if (encoding !== null && encoding !== 'identity') {
    await response.body?.cancel()
    throw new NoDecisionError(`status ${response.status}, with a compressed body`)
  }
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body as ReadableStream<Uint8Array>) {
    length += chunk.length
    if (length > maxLength) throw new NoDecisionError(`status ${response.status}, with a body over ${maxLength} bytes`)
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

/** Returns the decision of a response. */
async function decisionIn (response: Response): Promise<true | Refusal> {
  const { status } = response
  if (status === 204) return true
  if (status >= 400 && status < 500 && status !== 405) { // 405: the URL does not accept POST
    // The status is a refusal, even if the body is invalid.
    const { error, code } = answerIn(await textOf(response).catch(() => ''))
    return { statusCode: status, error, code }
  }
  if (status !== 200) {
    await response.body?.cancel()
    const hint = status === 405 ? 'the URL does not accept POST' : expected
    throw new NoDecisionError(`status ${status}: ${hint}`)
  }
  return decisionOf(answerIn(await textOf(response)), `status 200, with another body: ${expected}`)
}

/** Returns a function that asks the merchant's backend. `docs/authorization.md` defines each response's meaning. */
export function askBackend (url: string): (...question: Parameters<Authorize>) => Promise<true | Refusal> {
  return async ({ request, alsoSignedLike, caller, clientAddress, headers, traceparent, id }, signal) => {
    const given = Object.entries({ ...headers, traceparent: tracing.hasSubscribers ? undefined : traceparent })
      .filter((entry): entry is [string, string] => entry[1] !== undefined)
    try {
      return await decisionIn(await fetch(url, {
        method: 'POST',
        headers: {
          ...Object.fromEntries(given),
          'content-type': 'application/json',
          'accept-encoding': 'identity',
          'x-request-id': id
        },
        body: JSON.stringify({ ...request, alsoSignedLike, caller, clientAddress }),
        redirect: 'manual',
        signal
      }))
    } catch (error) {
      if (error instanceof NoDecisionError) throw error
      const { code, message } = ((error as Error).cause ?? {}) as Partial<NodeJS.ErrnoException>
      throw new NoDecisionError(code ?? `fetch failed: ${message || 'no reason given'}`) // such as `bad port`
    }
  }
}
