import type { FastifyInstance } from 'fastify'
import {
  askBackend, decisionOf, NoDecisionError, refusedBy, type Authorize, type AuthorizeInput, type Refusal
} from './backend.js'
import type { SigningSettings } from './options.js'
import { alsoSignedLike } from '../guard/strict.js'
import { clientAddress } from '../http/client-address.js'
import { messages } from '../http/messages.js'
import { RefusedError } from '../http/refused-error.js'
import { traceParentOf } from '../http/request-id.js'
import { fieldsOf, type Reading } from '../scheme/request.js'
import { maxAsked } from '../process/connection-limit.js'
import { Outage, ThrottledLog } from '../telemetry/log-limits.js'
import { authorizeMetrics } from '../telemetry/prometheus.js'
import type { Attempt, Guard } from './attempt.js'

/** Maximum number of requests of one client without a key that wait for authorize. */
const maxOfClient = 64

/** The requests that wait for authorize. */
class Places {
  taken = 0
  readonly #byClient = new Map<string, number>()

  get isFull (): boolean {
    return this.taken >= maxAsked
  }

  /**
   * Takes a place. Returns false if there is none.
   *
   * @param client - address of a client without an API key; undefined for a caller with one
   */
  enter (client: string | undefined): boolean {
    const ofClient = client === undefined ? 0 : this.#byClient.get(client) ?? 0
    if (this.isFull || ofClient >= maxOfClient) return false
    this.taken++
    if (client !== undefined) this.#byClient.set(client, ofClient + 1)
    return true
  }

  leave (client: string | undefined): void {
    this.taken--
    if (client === undefined) return
    const ofClient = this.#byClient.get(client)! - 1
    if (ofClient === 0) this.#byClient.delete(client)
    else this.#byClient.set(client, ofClient)
  }
}

/** Value of Retry-After for a request that was not passed to authorize, in seconds. */
const retryAfter = 1

const outageText = 'authorization is unavailable'

const unavailable = (headers = {}) => new RefusedError('authorization-unavailable', messages.authorizationUnavailable, headers)

/** Rejects when the signal aborts, for functions that ignore the signal. */
const aborted = (signal: AbortSignal): Promise<never> => new Promise((_resolve, reject) => {
  signal.addEventListener('abort', () => reject(signal.reason))
})

/** Returns the decision. Rejects if there is no decision in time. */
async function answerInTime (ask: Authorize, input: AuthorizeInput, timeout: number): Promise<true | Refusal> {
  const signal = AbortSignal.timeout(timeout)
  let answer: unknown
  try {
    answer = await Promise.race([ask(input, signal), aborted(signal)])
  } catch (error) {
    throw signal.aborted ? new NoDecisionError(`no answer within ${timeout} ms`) : error
  }
  return decisionOf(answer, 'authorize returned another value: expected true, false, {"allowed":true} or a refusal')
}

function inputOf ({ request, context }: Attempt, reading: Reading, caller: string): AuthorizeInput {
  const { ip: clientAddress, id } = request
  const { authorization, cookie } = request.headers
  const traceparent = traceParentOf(request)
  const other = alsoSignedLike(reading)
  return {
    request: fieldsOf(reading),
    context,
    ...other !== undefined && { alsoSignedLike: other },
    caller,
    clientAddress,
    headers: { authorization, cookie },
    ...traceparent !== undefined && { traceparent },
    id
  }
}

/**
 * Asks a function or the merchant's backend before anything is signed. At most 256 requests wait for the decision, and
 * 64 of one client without a key: a stranger whose requests are slow to judge cannot take all places.
 */
export async function authorize (app: FastifyInstance, options: SigningSettings): Promise<Guard | undefined> {
  const { authorizeUrl, authorizeTimeout } = options
  const ask = options.authorize ?? (authorizeUrl === '' ? undefined : askBackend(authorizeUrl))
  if (ask === undefined) return undefined

  const metrics = options.metrics && await authorizeMetrics(options.metrics)
  const outage = new Outage()
  const host = options.authorize === undefined ? { host: new URL(authorizeUrl).host } : {}
  const places = new Places()
  const crowds = new ThrottledLog<string | undefined>((times, client) => app.log.warn({ times, client },
    `requests refused: ${maxOfClient} others of a client without an API key wait for authorize; if it is your proxy, set TRUST_PROXY`))

  /** Logs why a request cannot wait for a decision, and returns its refusal. */
  function noPlace (client: string | undefined): RefusedError {
    metrics?.results.inc({ result: 'shed' })
    if (!places.isFull) crowds.report(client)
    else if (outage.begins()) app.log.error({ ...host, reason: `${maxAsked} requests wait for an answer` }, outageText)
    return unavailable({ 'retry-after': retryAfter })
  }

  async function judge (attempt: Attempt, reading: Reading): Promise<RefusedError | undefined> {
    const { request, request: { log }, enforcedRules } = attempt
    // A policy in report mode must not change what the backend receives.
    const input = inputOf(attempt, reading, enforcedRules?.name ?? 'anonymous')
    const client = enforcedRules?.apiKey === undefined ? clientAddress(request) : undefined
    if (!places.enter(client)) return noPlace(client)
    metrics?.inFlight.inc()
    const stop = metrics?.durations.startTimer()
    try {
      const decision = await answerInTime(ask!, input, authorizeTimeout)
      // While nearly all places are taken, every other request would log the end of the outage. A 404 is a refusal, but
      // a backend with another path sends it, too.
      const isBack = places.taken - 1 <= maxAsked / 2 && (decision === true || decision.statusCode !== 404)
      if (isBack && outage.ends()) log.info('authorization is back')
      metrics?.results.inc({ result: decision === true ? 'allowed' : 'refused' })
      return decision === true ? undefined : refusedBy(decision)
    } catch (error) {
      const reason = error instanceof NoDecisionError ? error.message : undefined
      const cause = reason === undefined ? { err: error } : { reason }
      if (outage.begins(reason)) log.error({ ...host, ...cause }, outageText)
      metrics?.results.inc({ result: 'unavailable' })
    } finally {
      stop?.()
      metrics?.inFlight.dec()
      places.leave(client)
    }
    return unavailable()
  }

  return { name: 'authorize', judge }
}
