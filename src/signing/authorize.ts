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

  /** @param isOutage - true after a network error, a time-out or a 5xx, which can end by itself */
  constructor (message: string, readonly isOutage = false) { super(message) }
}

/** Length limit of a response's body, in bytes. */
const maxLength = 16_384

/** Returns the body of a response; undefined if it is compressed or too long. */
async function bytesOf ({ headers, body }: Response): Promise<Buffer | undefined> {
  if ((headers.get('content-encoding') ?? 'identity') !== 'identity') return undefined // it can become gigabytes
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length
    if (length > maxLength) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Returns a JSON object in UTF-8 that has the own member `allowed`; undefined for anything else. */
function answerIn (bytes?: Buffer): Pick<Refusal, 'error' | 'code'> & { readonly allowed: unknown } | undefined {
  try {
    const value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return Object.hasOwn(value, 'allowed') ? value : undefined
  } catch {
    return undefined
  }
}

/** Statuses that a refusal keeps. Browsers and proxies act on others, such as 407, 408, 421 and 425. */
const keptStatuses = [400, 401, 402, 403, 404, 409, 410, 422, 423, 429, 451]

/** Likely causes of a response without a decision, by its status. The first that applies is logged. */
const likelyCauses: ReadonlyArray<readonly [status: RegExp, cause: string]> = [
  [/^204/, 'the route returned nothing'],
  [/^3/, 'a redirect to a log-in page, to https or to another path'],
  [/^400/, 'a check of the Host, or of the body, in front of the route'],
  [/^(?:401|403|409|419|422)/, 'log-in, CSRF protection or a check of the Host in front of the route, or a body without allowed'],
  [/^404/, 'the path of AUTHORIZE_URL is wrong'],
  [/^405/, 'the route does not accept POST'],
  [/^[45]/, 'an error or a limit of the backend or its proxy: read their logs'],
  [/^/, 'another page, or a body without allowed, compressed or over 16 KiB']
]

/** Returns the decision of a response. A page of a framework or a proxy is no decision, whatever its status. */
async function decisionIn (response: Response): Promise<true | Refusal> {
  const { status, headers } = response
  const mayDecide = status === 200 || (status >= 400 && status < 500)
  const bytes = mayDecide ? await bytesOf(response) : undefined
  const answer = answerIn(bytes)
  if (answer?.allowed === true && status === 200) return true
  if (answer?.allowed === false) return { ...answer, statusCode: keptStatuses.includes(status) ? status : 403 }
  await response.body?.cancel().catch(() => {})
  const [type] = /^[\w.+-]{1,32}\/[\w.+-]{1,64}/.exec(headers.get('content-type') ?? '') ?? ['no content type']
  const like = status === 200 && bytes?.length === 0 ? 204 : status
  const [, cause] = likelyCauses.find(([pattern]) => pattern.test(String(like)))!
  throw new NoDecisionError(`status ${status}, ${type}, decides nothing; likely ${cause}`, status >= 500)
}

const codeOf = (error: unknown): string | undefined => Object(Object(error).cause).code
const json = 'application/json'

/** Returns a function that asks the merchant's backend. `docs/authorization.md` defines each response's meaning. */
export function askBackend (url: string): Authorize {
  return async ({ request, alsoSignedLike, caller, clientAddress, headers, id }, signal) => {
    const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined)
    try {
      return await decisionIn(await fetch(url, {
        method: 'POST',
        // A framework that sees Accept responds with 401 instead of a redirect to a log-in page.
        headers: {
          ...Object.fromEntries(given), 'content-type': json, accept: json, 'accept-encoding': 'identity', 'x-request-id': id
        },
        body: JSON.stringify({ ...request, alsoSignedLike, caller, clientAddress }),
        redirect: 'manual',
        signal
      }))
    } catch (error) { // its message may quote a cookie
      throw error instanceof NoDecisionError ? error : new NoDecisionError(codeOf(error) ?? 'fetch failed', true)
    }
  }
}

/** Limits of the requests that wait for a decision: of all, and of one client without an API key. */
const max = { waiting: 256, ofClient: 64 } as const

/** Time in which a reason is logged once, in milliseconds. */
const quiet = 60_000

/**
 * Returns a function that asks before anything is signed, and throws the refusal. The log has a line for each reason of
 * missing decisions once a minute, and one when an outage ends.
 *
 * @param timeout - in milliseconds
 * @param observe - records the result and its time in seconds
 */
export function authorizer (
  ask: Authorize, timeout: number, log: FastifyBaseLogger, observe: (result: string, seconds: number) => void
): (input: AuthorizeInput, client?: string) => Promise<void> {
  const waiting = new Map<string, number>() // by client, and all under ''
  const logged = new Map<string, number>() // the time of each reason
  let isOut = false

  /** Counts a request that begins or ends to wait. */
  function count (clients: readonly string[], difference: 1 | -1): void {
    for (const client of clients) {
      const number = (waiting.get(client) ?? 0) + difference
      if (number === 0) waiting.delete(client)
      else waiting.set(client, number)
    }
  }

  async function answerOf (input: AuthorizeInput, client?: string): Promise<true | Refusal> {
    const clients = client === undefined ? [''] : ['', client]
    if ((waiting.get('') ?? 0) >= max.waiting) throw new NoDecisionError(`${max.waiting} requests wait for an answer`)
    if (client !== undefined && (waiting.get(client) ?? 0) >= max.ofClient) {
      throw new NoDecisionError(`${max.ofClient} requests of one address wait; if it is your proxy, set TRUST_PROXY`)
    }
    const late = new NoDecisionError(`no answer within ${timeout} ms`, true)
    const controller = new AbortController()
    let timer: NodeJS.Timeout | undefined
    const isLate = new Promise<never>((_resolve, reject) => { // for functions that ignore the signal
      timer = setTimeout(() => {
        reject(late)
        controller.abort(late)
      }, timeout).unref()
    })
    count(clients, 1)
    // A function may also throw before it returns a promise.
    const decision: Promise<unknown> = Promise.race([(async () => ask(input, controller.signal))(), isLate])
    const answer = await decision.finally(() => {
      clearTimeout(timer) // an abort after the decision would be a false one
      count(clients, -1)
    })
    if (answer === true || isRefusal(answer)) return answer
    if (answer === false) return { statusCode: 403 }
    throw new NoDecisionError('authorize returned another value: expected true, false or a refusal')
  }

  /** Logs a missing decision, and returns its reason. */
  function failed (error: unknown, reqId: string): string {
    const isOurs = error instanceof NoDecisionError
    const reason = isOurs ? error.message : codeOf(error) ?? 'authorize failed'
    const now = performance.now()
    for (const [reason, time] of logged) if (now - time >= quiet) logged.delete(reason)
    if (logged.has(reason)) return reason
    logged.set(reason, now)
    log.error({ reqId, reason, err: isOurs ? undefined : loggable(error) }, 'authorization is unavailable')
    isOut ||= !isOurs || error.isOutage
    return reason
  }

  return async function askInTime (input, client) {
    const began = performance.now()
    const end = (result: string) => observe(result, (performance.now() - began) / 1000)
    const decision = await answerOf(input, client).catch((error: unknown) => {
      const reason = failed(error, input.id)
      end('unavailable')
      throw new RefusedError('authorization-unavailable', undefined, { headers: { 'retry-after': 1 }, reason })
    })
    if (isOut) log.info('authorization is back')
    isOut = false
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
