import type { FastifyInstance } from 'fastify'
import { clientKey } from '../../http/client-address.js'
import { contexts } from '../../http/context.js'
import { codeBehind, loggable, RefusedError } from '../../http/refusals.js'
import { within } from '../../http/within.js'
import { fieldsOf } from '../../scheme/request.js'
import { alsoSignedLike } from '../../scheme/same-signature.js'
import type { Asked, Guard } from '../attempt.js'
import { NoDecisionError, verdictOf, type Authorize, type AuthorizeInput, type Verdict } from './answer.js'
import { backendAt } from './backend.js'

/** Limits of the requests that wait for a decision: of all, and of one client without an API key. */
const max = { waiting: 256, ofClient: 64 } as const

/** Time in which a cause is logged once, in milliseconds. */
const quiet = 60_000

/** Returns the question about a request. */
function inputOf ({ request, reading, attempt: { caller } }: Asked): AuthorizeInput {
  const { clientAddress, id, headers: { authorization, cookie, traceparent } } = request
  return {
    request: fieldsOf(reading),
    context: contexts.getStore(),
    alsoSignedLike: alsoSignedLike(reading),
    caller: caller?.name ?? 'anonymous',
    clientAddress,
    headers: { authorization, cookie, traceparent: traceparent as string | undefined },
    requestId: id
  }
}

/** Returns a function that runs work, and throws if too many requests wait: of all, or of one client. */
function limitWaiting () {
  const waiting = new Map<string, number>() // number of requests by client; under '', that of all clients
  function count (clients: readonly string[], difference: 1 | -1): void {
    for (const client of clients) {
      const number = (waiting.get(client) ?? 0) + difference
      if (number === 0) waiting.delete(client)
      else waiting.set(client, number)
    }
  }

  /** @param client - undefined for a caller with a key, whose requests are not limited by address */
  return async function limited<Result> (client: string | undefined, work: () => Promise<Result>): Promise<Result> {
    const clients = client === undefined ? [''] : ['', client]
    if ((waiting.get('') ?? 0) >= max.waiting) throw new NoDecisionError(`${max.waiting} requests wait for an answer`)
    if (client !== undefined && (waiting.get(client) ?? 0) >= max.ofClient) {
      throw new NoDecisionError(`${max.ofClient} requests of one address wait; if it is your proxy, set TRUST_PROXY`)
    }
    count(clients, 1)
    try {
      return await work()
    } finally {
      count(clients, -1)
    }
  }
}

/**
 * Returns the guard that asks the given function, or the backend of AUTHORIZE_URL; undefined without one. The log has a
 * line for each cause of missing decisions once a minute in an outage, and one when the outage ends.
 */
export function authorizeGuard (app: FastifyInstance, given?: Authorize): Guard | undefined {
  const { log, metrics, config: { AUTHORIZE_TIMEOUT, AUTHORIZE_URL } } = app
  const late = () => new NoDecisionError(`no answer within ${AUTHORIZE_TIMEOUT} ms`, true)
  const backend = AUTHORIZE_URL === '' ? undefined : backendAt(AUTHORIZE_URL, AUTHORIZE_TIMEOUT)
  const decide = given === undefined
    ? backend
    : (input: AuthorizeInput) => within(AUTHORIZE_TIMEOUT, signal => given(input, signal), late)
  if (decide === undefined) return undefined
  const limited = limitWaiting()
  const logged = new Map<string, number>() // time of the last line, by cause
  let isOut = false

  async function ask (asked: Asked): Promise<Verdict> {
    const client = asked.attempt.caller?.keyId === undefined ? clientKey(asked.request.clientAddress) : undefined
    const verdict = verdictOf(await limited(client, async () => decide!(inputOf(asked))))
    if (verdict !== undefined) return verdict
    throw new NoDecisionError('authorize returned another value: expected true, false or { allowed }')
  }

  /** Logs a missing decision, and returns its cause. */
  function failed (error: unknown, requestId: string, redact: (text: string) => string): string {
    const isOurs = error instanceof NoDecisionError
    const cause = isOurs ? error.message : codeBehind(error) ?? 'authorize failed'
    isOut ||= !isOurs || error.isOutage
    const now = performance.now()
    for (const [old, time] of logged) if (now - time >= quiet) logged.delete(old)
    if (logged.has(cause)) return cause
    logged.set(cause, now)
    log.error({ requestId, cause, err: isOurs ? undefined : loggable(error, redact) }, 'authorization is unavailable')
    return cause
  }

  return async function authorized (asked) {
    const began = performance.now()
    const end = (result: string) => metrics?.authorize.observe({ result }, (performance.now() - began) / 1000)
    const { refusal, user } = await ask(asked).catch((error: unknown) => {
      const cause = failed(error, asked.request.id, asked.merchant.redact)
      end('unavailable')
      throw new RefusedError('authorization-unavailable', undefined, { headers: { 'retry-after': 1 }, loggedCause: cause })
    })
    if (isOut) {
      log.info('authorization is back')
      logged.clear() // the next outage has its own lines
    }
    isOut = false
    end(refusal === undefined ? 'allowed' : 'refused')
    asked.attempt.user = user
    if (refusal !== undefined) throw refusal
  }
}
