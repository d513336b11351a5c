import { channel } from 'node:diagnostics_channel'
import { refusalIn, refusalText, verdictIn } from '../../src/guard/backend-answer.js'
import type { SignedFields } from '../../src/scheme/reading.js'
import { RefusedError } from '../../src/service/refused-error.js'
import type { Outcome } from './circuit-breaker.js'

/** Input of a decision: the signed fields, the caller, and the headers that identify the caller. */
export interface AuthorizeInput<Context = unknown> {
  /** Fields that will be signed, as text. */
  readonly request: SignedFields
  /** Result of the option `context`. */
  readonly context: Context
  /** The operation that accepts the same signature. Allowing an inquiry by digits also allows that void. */
  readonly alsoSignedLike?: 'void'
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
}

/** True for a refusal of a custom function, which may have no types. */
export function isRefusal (decision: unknown): decision is Refusal {
  const { statusCode } = (decision ?? {}) as Partial<Refusal>
  return Number.isInteger(statusCode) && (statusCode as number) >= 400 && (statusCode as number) < 500
}

/** Returns the error that responds with a refusal of a custom function. */
export const refusedBy = ({ statusCode, error }: Refusal): RefusedError =>
  new RefusedError('refused', refusalText(error), {}, false, statusCode)

/**
 * Decides whether a request may be signed. Returns `true` or a refusal. For any other result, an error or no result
 * within `authorizeTimeout`, the response is 503 and nothing is signed.
 */
export type Authorize<Context = unknown> =
  (input: AuthorizeInput<Context>, signal: AbortSignal) => true | Refusal | Promise<true | Refusal>

/** Length limit of a response's body, in bytes. */
const maxLength = 16_384

/** Statuses of a proxy whose backend does not answer. */
const gatewayStatuses = new Set([502, 503, 504])

/** Number of responses with 404, without another decision since the start, that indicate a wrong path in the URL. */
const maxNotFound = 20

/** Error codes of a connection that was established, so that the next request may succeed. */
const interrupted = /^(?:UND_ERR_(?!CONNECT)|HPE_)|^(?:ECONNRESET|EPIPE)$/

/** The hint in the log for a successful status without a decision. */
const expected = 'expected 204, or 200 with {"allowed":true} or {"allowed":false}'

/** Channel of fetch. A tracing library that subscribes to it adds a traceparent. Two traceparents would be invalid. */
const tracing = channel('undici:request:create')

/** Error for a missing decision. The message is for the log: it contains nothing of the URL or the response's body. */
export class NoDecisionError extends Error {
  override readonly name = 'NoDecisionError'

  constructor (message: string, readonly outcome: Outcome = 'answered') {
    super(message)
  }
}

/** Keeps a byte order mark, so that a body that contains only this mark is not empty. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Returns the body. Throws if it is compressed (a few bytes can become gigabytes) or too large. */
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
  return decoder.decode(Buffer.concat(chunks))
}

/**
 * Returns true if the end of an empty body is certain. A connection that closes may have lost the body, and fetch of
 * Node.js 20 then reports the end of chunks that it has not received.
 */
const isFramed = ({ headers }: Response): boolean => headers.has('content-length') || // fetch compares the length
  (headers.get('transfer-encoding') === 'chunked' && !/close/i.test(headers.get('connection') ?? ''))

/** Returns the decision of a response. */
async function decisionIn (response: Response): Promise<true | Refusal> {
  const { status, ok } = response
  if (status === 204) return true
  if (status >= 400 && status < 500 && status !== 405) { // 405: the URL does not accept POST
    // The status is a refusal, even if the body is invalid.
    return { statusCode: status, error: refusalIn(await textOf(response).catch(() => '')) }
  }
  if (status !== 200) {
    await response.body?.cancel()
    const hint = ok ? `: ${expected}` : status === 405 ? ': the URL does not accept POST' : ''
    throw new NoDecisionError(`status ${status}${hint}`, gatewayStatuses.has(status) ? 'down' : 'answered')
  }
  const text = await textOf(response)
  const verdict = text === '' ? isFramed(response) || 'an empty body of unknown length' : verdictIn(text)
  if (typeof verdict === 'string') throw new NoDecisionError(`status 200, with ${verdict}: ${expected}`)
  return verdict || { statusCode: 403, error: refusalIn(text) }
}

/** Returns a function that asks the merchant's backend. `docs/authorization.md` defines each response's meaning. */
export function askBackend (url: string): Authorize {
  let hasDecided = false
  let notFound = 0

  /** Throws for a 404 that probably means a wrong path in the URL, and not an unknown order. */
  function checkPath (decision: true | Refusal): true | Refusal {
    if (decision === true || decision.statusCode !== 404) hasDecided = true
    else if (!hasDecided && ++notFound >= maxNotFound) {
      throw new NoDecisionError(`status 404 for the first ${maxNotFound} requests: check the path of the URL`)
    }
    return decision
  }

  return async ({ request, alsoSignedLike, caller, clientAddress, headers, traceparent, id }, signal) => {
    const given = Object.entries({ ...headers, traceparent: tracing.hasSubscribers ? undefined : traceparent })
      .filter((entry): entry is [string, string] => entry[1] !== undefined)
    try {
      return checkPath(await decisionIn(await fetch(url, {
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
      })))
    } catch (error) {
      if (error instanceof NoDecisionError) throw error
      const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException
      if (code === undefined) throw new NoDecisionError('fetch failed without an error code')
      throw new NoDecisionError(code, interrupted.test(code) ? 'timeout' : 'down')
    }
  }
}
