import {
  askBackend, decisionOf, NoDecisionError, refusedBy, type Authorize, type AuthorizeInput, type Refusal
} from './backend.js'
import { CircuitBreaker } from './circuit-breaker.js'
import type { SigningSettings } from './guard-options.js'
import { reportingGuards } from '../settings/modes.js'
import { alsoSignedLike } from '../guard/strict.js'
import { clientAddress } from '../http/client-address.js'
import { messages } from '../http/messages.js'
import { RefusedError } from '../http/refused-error.js'
import { traceParentOf } from '../http/request-id.js'
import { fieldsOf, type Reading } from '../scheme/request.js'
import { Outage } from '../telemetry/outage.js'
import { authorizeMetrics } from '../telemetry/prometheus.js'
import type { Asked } from './asked.js'
import type { Guard } from './guards.js'

/** Value of Retry-After for a request that was not passed to authorize, in seconds. */
const retryAfter = 1

const outageText = 'authorization is unavailable'

const unavailable = (headers = {}) => new RefusedError('authorization-unavailable', messages.authorizationUnavailable, headers)

/** Rejects when the signal aborts, for functions that ignore the signal. */
const aborted = (signal: AbortSignal): Promise<never> => new Promise((_resolve, reject) => {
  signal.addEventListener('abort', () => reject(signal.reason))
})

/** Returns the decision. Rejects if there is no decision in time. */
async function decide (ask: Authorize, input: AuthorizeInput, timeout: number): Promise<true | Refusal> {
  const signal = AbortSignal.timeout(timeout)
  let answer: unknown
  try {
    answer = await Promise.race([ask(input, signal), aborted(signal)])
  } catch (error) {
    throw signal.aborted ? new NoDecisionError(`no answer within ${timeout} ms`, 'timeout') : error
  }
  return decisionOf(answer, 'authorize returned another value: expected true, false, {"allowed":true} or a refusal')
}

function inputOf ({ request, context }: Asked, reading: Reading, caller: string): AuthorizeInput {
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
 * Asks a function or the merchant's backend before anything is signed. At most `authorizeMaxInFlight` requests wait for
 * the decision, and a circuit breaker protects a backend that does not answer.
 */
export async function authorize (options: SigningSettings): Promise<Guard | undefined> {
  const { authorizeUrl, authorizeTimeout, authorizeMaxInFlight } = options
  const ask = options.authorize ?? (authorizeUrl === '' ? undefined : askBackend(authorizeUrl))
  if (ask === undefined) return undefined

  // A policy that only reports changes no response: the backend sees what it would see without the policy.
  const ignoresCaller = reportingGuards(options).has('policy')
  const metrics = options.metrics && await authorizeMetrics(options.metrics)
  const breaker = new CircuitBreaker()
  const outage = new Outage()
  let inFlight = 0
  let openBreakers = 0

  function updateBreakerMetric (): void {
    const isOpen = Number(breaker.isOpen)
    metrics?.openBreakers.inc(isOpen - openBreakers) // other registrations of the plugin may share the gauge
    openBreakers = isOpen
  }

  async function judge (asked: Asked, reading: Reading): Promise<RefusedError | undefined> {
    const { request, request: { log } } = asked
    const input = inputOf(asked, reading, ignoresCaller ? 'anonymous' : asked.caller)
    const order = input.request.orderId ?? input.request.sid
    const address = clientAddress(request)
    const isFull = inFlight >= authorizeMaxInFlight
    if (isFull && outage.begins()) log.error({ reason: `${inFlight} requests wait for an answer` }, outageText)
    const isAsked = !isFull && breaker.admits(address)
    updateBreakerMetric()
    if (!isAsked) {
      metrics?.results.inc({ result: 'shed' })
      return unavailable({ 'retry-after': retryAfter })
    }
    inFlight += 1
    metrics?.inFlight.inc()
    const stop = metrics?.durations.startTimer()
    try {
      const decision = await decide(ask as Authorize, input, authorizeTimeout)
      breaker.record('answered', order, address)
      // While nearly all slots are in use, every other request would log the end of the outage.
      if (inFlight - 1 <= authorizeMaxInFlight / 2 && outage.ends()) log.info('authorization is back')
      metrics?.results.inc({ result: decision === true ? 'allowed' : 'refused' })
      return decision === true ? undefined : refusedBy(decision)
    } catch (error) {
      const isKnown = error instanceof NoDecisionError
      breaker.record(isKnown ? error.outcome : 'answered', order, address)
      const reason = isKnown ? error.message : undefined
      if (outage.begins(reason)) log.error(isKnown ? { reason } : { err: error }, outageText)
      metrics?.results.inc({ result: 'unavailable' })
    } finally {
      updateBreakerMetric()
      stop?.()
      metrics?.inFlight.dec()
      inFlight -= 1
    }
    return unavailable()
  }

  return { name: 'authorize', judge }
}
