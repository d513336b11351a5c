import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { clientKey } from '../../http/client-address.js'
import { loggable, refusedBy, RefusedError } from '../../http/refusals.js'
import { fieldsOf, type Reading, type SignedFields } from '../../scheme/request.js'
import type { IdentifiedCaller } from '../policy/policy.js'
import { alsoSignedLike } from '../../scheme/same-signature.js'

/** The context of a call: the second argument of the handler. */
export const contexts = new AsyncLocalStorage<unknown>()

/** Input of a decision: the signed fields, the caller, and the headers that identify the caller. */
export interface AuthorizeInput<Context = unknown> {
  /** Fields that will be signed, as text. */
  readonly request: SignedFields
  /** The second argument of the handler, such as Hono's context; undefined for an app that listens. */
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

/** The answer of `authorize`, and of a backend in JSON. */
export interface Answer {
  readonly allowed: boolean
  /** Status of a refusal, from 400 to 499. Default: 403. A backend's response has its own status. */
  readonly statusCode?: number | undefined
  /** Message for the client. Default: `Refused by the merchant`. */
  readonly error?: string | undefined
  /** Reason for programs, 1 to 64 of `A-Z a-z 0-9 . _ -`: the client gets `Error-Code: refused; reason=…`. */
  readonly code?: string | undefined
  /** `user` in the audit: a number, or a text of 1 to 64 printable characters. Another value is left out. */
  readonly auditAs?: string | number | undefined
}

/**
 * Decides whether a request may be signed. `true` and `false` are short for answers without another member. For any
 * other result, an error or no result within AUTHORIZE_TIMEOUT, the response is 503 and nothing is signed.
 */
export type Authorize<Context = unknown> =
  (input: AuthorizeInput<Context>, signal: AbortSignal) => boolean | Answer | Promise<boolean | Answer>

/** An answer as the route uses it: the refusal, if it is one, and the user. */
interface Verdict { readonly refusal?: RefusedError | undefined, readonly user?: string | undefined }

/** Returns the user for the audit; undefined for a value that could not stand in it. */
function userIn (auditAs: unknown): string | undefined {
  if (Number.isFinite(auditAs)) return String(auditAs)
  return typeof auditAs === 'string' && /^[^\p{C}\p{Zl}\p{Zp}]{1,64}$/u.test(auditAs) ? auditAs : undefined
}

/** Returns the verdict of an answer, which may have no types; undefined for another value. */
function verdictOf (answer: unknown): Verdict | undefined {
  const given: Partial<Answer> = typeof answer === 'boolean' ? { allowed: answer } : Object(answer)
  const { allowed, statusCode = 403, error, code, auditAs } = Object.hasOwn(given, 'allowed') ? given : {}
  const refusal = allowed === false ? refusedBy({ statusCode, error, code }) : undefined
  return allowed === true || refusal !== undefined ? { refusal, user: userIn(auditAs) } : undefined
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
 * Returns a function that asks `authorize` before anything is signed, and throws if there is no answer. The log has a
 * line for each reason of missing decisions once a minute, and one when an outage ends.
 */
export function createAuthorizer (app: FastifyInstance, authorize: Authorize) {
  const { log, metrics, config: { AUTHORIZE_TIMEOUT: timeout } } = app
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

  async function ask (input: AuthorizeInput, client?: string): Promise<Verdict> {
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
    const decision: Promise<unknown> = Promise.race([(async () => authorize(input, controller.signal))(), isLate])
    const answer = await decision.finally(() => {
      clearTimeout(timer) // an abort after the decision would be a false one
      count(clients, -1)
    })
    const verdict = verdictOf(answer)
    if (verdict !== undefined) return verdict
    throw new NoDecisionError('authorize returned another value: expected true, false or { allowed }')
  }

  /** Logs a missing decision, and returns its reason. */
  function failed (error: unknown, reqId: string, redact = (text: string) => text): string {
    const isOurs = error instanceof NoDecisionError
    const reason = isOurs ? error.message : codeOf(error) ?? 'authorize failed'
    const now = performance.now()
    for (const [old, time] of logged) if (now - time >= quiet) logged.delete(old)
    if (logged.has(reason)) return reason
    logged.set(reason, now)
    log.error({ reqId, reason, err: isOurs ? undefined : loggable(error, redact) }, 'authorization is unavailable')
    isOut ||= !isOurs || error.isOutage
    return reason
  }

  return async function authorizeRequest (
    request: FastifyRequest, reading: Reading, caller?: IdentifiedCaller, redact?: (text: string) => string
  ): Promise<Verdict> {
    const began = performance.now()
    const end = (result: string) => metrics?.authorize.observe({ result }, (performance.now() - began) / 1000)
    // The requests of a caller with a key are not limited by address.
    const client = caller?.apiKey === undefined ? clientKey(request.clientAddress) : undefined
    const verdict = await ask(inputOf(request, reading, caller), client).catch((error: unknown) => {
      const reason = failed(error, request.id, redact)
      end('unavailable')
      throw new RefusedError('authorization-unavailable', undefined, { headers: { 'retry-after': 1 }, reason })
    })
    if (isOut) log.info('authorization is back')
    isOut = false
    end(verdict.refusal === undefined ? 'allowed' : 'refused')
    return verdict
  }
}

function inputOf (request: FastifyRequest, reading: Reading, caller?: IdentifiedCaller): AuthorizeInput {
  const { clientAddress, id, headers: { authorization, cookie, traceparent } } = request
  return {
    request: fieldsOf(reading),
    context: contexts.getStore(),
    alsoSignedLike: alsoSignedLike(reading),
    caller: caller?.name ?? 'anonymous',
    clientAddress,
    headers: { authorization, cookie, traceparent: traceparent as string | undefined },
    id
  }
}
