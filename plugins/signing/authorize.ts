import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import {
  askBackend, decisionOf, NoDecisionError, refusedBy, type Authorize, type AuthorizeInput, type Refusal
} from '../../src/backend/backend.js'
import { CircuitBreaker } from '../../src/backend/circuit-breaker.js'
import type { GuardSettings } from '../../src/configuration/guard-options.js'
import { reportingGuards } from '../../src/configuration/report-only.js'
import { alsoSignedLike } from '../../src/guard/strict.js'
import { clientAddress } from '../../src/http/client-address.js'
import { continueAfter } from '../../src/http/continuation.js'
import { messages } from '../../src/http/messages.js'
import { RefusedError } from '../../src/http/refused-error.js'
import { traceParentOf } from '../../src/http/trace-context.js'
import { fieldsOf } from '../../src/scheme/request.js'
import { Outage } from '../../src/telemetry/outage.js'
import { authorizeMetrics } from '../../src/telemetry/prometheus.js'
import { readingOf } from './request-reader.js'

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

function inputOf (request: FastifyRequest, caller: string): AuthorizeInput {
  const { signingContext: context, ip: clientAddress, id } = request
  const { authorization, cookie } = request.headers
  const traceparent = traceParentOf(request)
  const reading = readingOf(request)
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
export default fp<GuardSettings>(async function authorize (app, options) {
  const { authorizeUrl, authorizeTimeout, authorizeMaxInFlight } = options
  const ask = options.authorize ?? (authorizeUrl === '' ? undefined : askBackend(authorizeUrl))
  if (ask === undefined) return

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

  async function refusalOf (request: FastifyRequest): Promise<RefusedError | undefined> {
    const { log } = request
    const input = inputOf(request, ignoresCaller ? 'anonymous' : request.signingCaller)
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

  async function authorizeRequest (request: FastifyRequest): Promise<void> {
    const refusal = app.enforce('authorize', request, await refusalOf(request))
    if (refusal !== undefined) throw refusal
  }
  app.addHook('preHandler', (request, reply, done) => continueAfter(authorizeRequest(request), reply, done))
}, { name: 'authorize', dependencies: ['report-only', 'request-reader'], fastify: '5.x' })
