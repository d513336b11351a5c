import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import type { IdentifiedCaller } from '../guard/policy.js'
import { alsoSignedLike } from '../guard/strict.js'
import { addressOf, clientKey } from '../http/client-address.js'
import { loggable, RefusedError } from '../http/errors.js'
import { fieldsOf, type Reading, type SignedFields } from '../scheme/request.js'

/** Input of a decision: the signed fields, the caller, and the headers that identify the caller. */
export interface AuthorizeInput<Context = unknown> {
  /** Fields that will be signed, as text. */
  readonly request: SignedFields
  /** Result of the option `context`. */
  readonly context: Context
  /** The operation that accepts the same signature. Allowing an inquiry by digits also allows that void. */
  readonly alsoSignedLike?: 'void' | 'inquiry' | 'clear-cache' | undefined
  /** The caller's name in the policy; `anonymous` without one. */
  readonly caller: string
  /** IP address of the client. */
  readonly clientAddress: string
  /** The headers that may identify a user, and the one that continues a trace, as they came. */
  readonly headers: Readonly<Record<'authorization' | 'cookie' | 'traceparent', string | undefined>>
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

/**
 * Decides whether a request may be signed. Returns `true` to allow, `false` (403) or a refusal to refuse. For any other
 * result, an error or no result within `authorizeTimeout`, the response is 503 and nothing is signed.
 */
export type Authorize<Context = unknown> =
  (input: AuthorizeInput<Context>, signal: AbortSignal) => boolean | Refusal | Promise<boolean | Refusal>

/** True for a refusal of a custom function, which may have no types. */
export function isRefusal (decision: unknown): decision is Refusal {
  const { statusCode } = Object(decision) as Partial<Refusal>
  return Number.isInteger(statusCode) && (statusCode as number) >= 400 && (statusCode as number) < 500
}

/** Returns the error that responds with a refusal. A `code` that could not be a part of a header is left out. */
export function refusedBy ({ statusCode, error, code }: Refusal): RefusedError {
  const message = typeof error === 'string' && error !== '' ? error : undefined
  const isReason = typeof code === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(code)
  return new RefusedError('refused', message, { statusCode, headers: isReason ? { 'error-code': `refused; reason=${code}` } : {} })
}

/** Error for a missing decision. The message is for the log, and contains nothing of the URL or the response's body. */
class NoDecisionError extends Error {
  override readonly name = 'NoDecisionError'
}

/** Length limit of a response's body, in bytes. */
const maxLength = 16_384

/** Returns the body of a response as text. */
async function textOf ({ status, headers, body }: Response): Promise<string> {
  const encoding = headers.get('content-encoding') ?? 'identity' // a few compressed bytes can become gigabytes
  const chunks: Uint8Array[] = []
  let length = encoding === 'identity' ? 0 : Infinity
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length
    if (length > maxLength) throw new NoDecisionError(`status ${status}, with a body that is compressed or over ${maxLength} bytes`)
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

/** Returns the members of the JSON object in a text; an empty object for any other text. */
function membersIn (text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/** Likely causes of a response without a decision, by its status. The first that applies is logged. */
const likelyCauses: ReadonlyArray<readonly [status: RegExp, cause: string]> = [
  [/^3/, 'a redirect to a log-in page, to https or to another path'],
  [/^400/, 'the backend does not know the Host of AUTHORIZE_URL'],
  [/^(?:401|403|409|419|422)/, 'log-in, CSRF protection or a check of the Host in front of the route'],
  [/^404/, 'the path of AUTHORIZE_URL is wrong'],
  [/^405/, 'the route does not accept POST'],
  [/^[45]/, 'an error or a limit of the backend or its proxy: read their logs'],
  [/^/, 'another page, or a body without the member allowed']
]

/** Returns the decision of a response. A page of a framework or a proxy is no decision, whatever its status. */
async function decisionIn (response: Response): Promise<true | Refusal> {
  const { status, headers } = response
  if (status === 204) return true
  if (status === 200 || (status >= 400 && status < 500)) {
    const members = membersIn(await textOf(response)) as { allowed?: unknown } & Pick<Refusal, 'error' | 'code'>
    const allowed = Object.hasOwn(members, 'allowed') ? members.allowed : undefined
    if (status === 200 && allowed === true) return true
    const { error, code } = members
    if (allowed === false) return { statusCode: status === 200 ? 403 : status, error, code }
  }
  await response.body?.cancel().catch(() => {})
  const [type] = /^[\w.+-]{1,32}\/[\w.+-]{1,64}/.exec(headers.get('content-type') ?? '') ?? ['no content type']
  const [, cause] = likelyCauses.find(([pattern]) => pattern.test(String(status)))!
  throw new NoDecisionError(`status ${status}, ${type}, decides nothing; likely ${cause}`)
}

const causeOf = (error: unknown): NodeJS.ErrnoException => Object(Object(error).cause)

/** Returns a function that asks the merchant's backend. `docs/authorization.md` defines each response's meaning. */
export function askBackend (url: string): Authorize {
  return async ({ request, alsoSignedLike, caller, clientAddress, headers, id }, signal) => {
    const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        ...Object.fromEntries(given),
        'content-type': 'application/json',
        accept: 'application/json', // frameworks then respond with 401 instead of a redirect to a log-in page
        'accept-encoding': 'identity',
        'x-request-id': id
      },
      body: JSON.stringify({ ...request, alsoSignedLike, caller, clientAddress }),
      redirect: 'manual',
      signal
    }).catch((error: unknown) => { // its message may quote a cookie
      throw new NoDecisionError(causeOf(error).code ?? 'fetch failed')
    })
    return decisionIn(response)
  }
}

/** Limits of the requests that wait for a decision: of all, and of one client without an API key. */
const max = { waiting: 256, ofClient: 64 } as const

/**
 * Returns a function that asks before anything is signed, and throws the refusal. The log has a line when an outage
 * begins or has another reason, and one when it ends.
 *
 * @param timeout - in milliseconds
 * @param observe - records the result and its time in seconds
 */
export function authorizer (
  ask: Authorize, timeout: number, log: FastifyBaseLogger, observe: (result: string, seconds: number) => void
): (input: AuthorizeInput, client?: string) => Promise<void> {
  const waiting = new Map<string, number>() // by client, and all under ''
  let outage: string | undefined

  /** Counts a request that begins or ends to wait. */
  function count (clients: readonly string[], difference: 1 | -1): void {
    for (const client of clients) {
      const number = (waiting.get(client) ?? 0) + difference
      if (number === 0) waiting.delete(client)
      else waiting.set(client, number)
    }
  }

  async function decide (input: AuthorizeInput, client?: string): Promise<true | Refusal> {
    const clients = client === undefined ? [''] : ['', client]
    if ((waiting.get('') ?? 0) >= max.waiting) throw new NoDecisionError(`${max.waiting} requests wait for an answer`)
    if (client !== undefined && (waiting.get(client) ?? 0) >= max.ofClient) {
      throw new NoDecisionError(`${max.ofClient} requests of one address wait; if it is your proxy, set TRUST_PROXY`)
    }
    const signal = AbortSignal.timeout(timeout)
    const isLate = new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () =>
      reject(new NoDecisionError(`no answer within ${timeout} ms`)))) // for functions that ignore the signal
    count(clients, 1)
    // A function may also throw before it returns a promise.
    const decision: Promise<unknown> = Promise.race([(async () => ask(input, signal))(), isLate])
    const answer = await decision.finally(() => count(clients, -1))
    if (answer === true || isRefusal(answer)) return answer
    if (answer === false) return { statusCode: 403 }
    throw new NoDecisionError('authorize returned another value: expected true, false or a refusal')
  }

  /** Logs an outage and returns its reason. An error of fetch may quote a cookie, so only its code is logged. */
  function failed (error: unknown, reqId: string): string {
    const { code } = causeOf(error)
    const isFetch = error instanceof TypeError && error.message === 'fetch failed'
    const reason = error instanceof NoDecisionError ? error.message : code ?? (isFetch ? 'fetch failed' : 'authorize failed')
    const err = error instanceof NoDecisionError || code !== undefined || isFetch ? undefined : loggable(error)
    if (reason !== outage) log.error({ reqId, reason, err }, 'authorization is unavailable')
    outage = reason
    return reason
  }

  return async function authorize (input, client) {
    const began = performance.now()
    const end = (result: string) => observe(result, (performance.now() - began) / 1000)
    const decision = await decide(input, client).catch((error: unknown) => {
      const reason = failed(error, input.id)
      end('unavailable')
      throw new RefusedError('authorization-unavailable', undefined, { headers: { 'retry-after': 1 }, reason })
    })
    if (outage !== undefined) log.info('authorization is back')
    outage = undefined
    end(decision === true ? 'allowed' : 'refused')
    if (decision !== true) throw refusedBy(decision)
  }
}

/** Returns the input of a decision, and the client that waits for it: undefined for a caller with a key. */
export function questionOf (
  request: FastifyRequest, reading: Reading, caller: IdentifiedCaller | undefined, context: unknown
): [input: AuthorizeInput, client: string | undefined] {
  const { ip, id, headers: { authorization, cookie, traceparent } } = request
  const input = {
    request: fieldsOf(reading),
    context,
    alsoSignedLike: alsoSignedLike(reading),
    caller: caller?.name ?? 'anonymous',
    clientAddress: addressOf(ip),
    headers: { authorization, cookie, traceparent: traceparent as string | undefined },
    id
  }
  return [input, caller?.apiKey === undefined ? clientKey(ip) : undefined]
}
