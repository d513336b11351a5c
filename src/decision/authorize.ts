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

/** A refusal, as the functions `authorize` and `tokenOf` return it. */
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
 * result, an error or no result within AUTHORIZE_TIMEOUT, the response is 503 and nothing is signed.
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
export class NoDecisionError extends Error {
  override readonly name = 'NoDecisionError'

  /** @param isOutage - true after a network error, a time-out or a 5xx, which can end by itself */
  constructor (message: string, readonly isOutage = false) { super(message) }
}

/** Returns the code of the fault behind an error of `fetch`. */
export const codeOf = (error: unknown): string | undefined => Object(Object(error).cause).code

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
