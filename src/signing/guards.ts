import type { FastifyInstance, FastifyRequest } from 'fastify'
import { digestIn, keyIn, type IdentifiedCaller } from '../guard/policy.js'
import { clientKey } from '../http/client-address.js'
import { RefusedError } from '../http/errors.js'
import type { Reading } from '../scheme/request.js'
import type { Variant } from '../scheme/variants.js'
import { defaults } from '../settings/environment.js'
import type { Attempt } from './attempt.js'
import { decisionOn, isUnrecorded, operationOf, outcomeOf, type Decision } from './audit.js'
import { askBackend, authorizer, questionOf } from './authorize.js'
import { metricsIn, startDecisions } from './metrics.js'
import { OptionsError, type GuardOptions } from './options.js'
import { policyInUse } from './policy-in-use.js'
import { memoryLimit, redisLimit } from './rate-limit.js'

/** Returns the refusal of a request without a known API key. */
function unknownCaller (authorization = ''): RefusedError {
  return keyIn(authorization) === undefined
    ? new RefusedError('api-key-required', undefined, { headers: { 'www-authenticate': 'Bearer' } })
    : new RefusedError('api-key-unknown', undefined, { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } })
}

/** Returns a function that records a decision; undefined without an audit. */
function auditOf (app: FastifyInstance, audit: GuardOptions['audit']): ((decision: Decision) => unknown) | undefined {
  if (audit !== true) return audit || undefined
  // The log of an app without a logger has no level.
  if (app.log.level === undefined) throw new OptionsError('audit: true needs a logger')
  const log = app.log.child({}, { level: 'info' }) // at any level of the app's log
  return decision => log.info(decision, 'decision')
}

/** Prepares the guards of a signing route: what they read, count and ask. The route calls them in its order. */
export async function guardsOf (app: FastifyInstance, options: GuardOptions & { variant: Variant | 'A,B' }) {
  const { variant, policy, redisUrl, auditRequired = false, pollInterval } = options
  const { accountNumberDigits = defaults.accountNumberDigits, authorizeTimeout = defaults.authorizeTimeout } = options
  const { rateLimitMax = 0, rateLimitWindow = defaults.rateLimitWindow, rateLimitFail = 'open' } = options
  const metrics = options.metrics && await metricsIn(options.metrics)
  if (metrics !== undefined) startDecisions(metrics, variant)

  const hasAuthorize = options.authorize !== undefined
  const find = policy === undefined
    ? undefined
    : await policyInUse(app, policy, { variant, accountNumberDigits, hasAuthorize }, metrics, pollInterval)

  /** Returns the caller that a request has at this moment, and throws for an unknown one. */
  const callerOf = find && (({ headers }: FastifyRequest, { keyDigest }: Attempt): IdentifiedCaller => {
    const caller = find(keyDigest)
    if (caller === undefined) throw unknownCaller(headers.authorization)
    return caller
  })

  const limitInMemory = memoryLimit()
  const hasLimit = rateLimitMax > 0 || policy !== undefined
  const redis = hasLimit && redisUrl !== undefined ? await redisLimit(app, redisUrl, rateLimitFail, metrics) : undefined
  const rateOf = (caller?: IdentifiedCaller) => caller?.rate ?? { max: rateLimitMax, window: rateLimitWindow }
  const clientOf = ({ ip }: FastifyRequest, caller?: IdentifiedCaller): string =>
    caller?.apiKey === undefined ? clientKey(ip) : `caller:${caller.name}`

  /** Returns the caller on arrival. Counts the request first, that of an unknown caller by its address. */
  function admitCaller (request: FastifyRequest, attempt: Attempt): IdentifiedCaller | undefined {
    const { authorization } = request.headers
    if (find !== undefined) attempt.keyDigest = digestIn(authorization)
    const caller = find?.(attempt.keyDigest)
    const isUnknown = find !== undefined && caller === undefined
    const rate = rateOf(caller)
    if (rate.max > 0 && (redis === undefined || isUnknown)) limitInMemory(`${rate.window}:${clientOf(request, caller)}`, rate)
    if (isUnknown) throw unknownCaller(authorization)
    return caller
  }

  const limitInRedis = redis && (async (request: FastifyRequest, { caller }: Attempt): Promise<void> => {
    const rate = rateOf(caller)
    if (rate.max > 0) await redis(clientOf(request, caller), rate)
  })

  const ask = typeof options.authorize === 'string' ? askBackend(options.authorize) : options.authorize
  const askInTime = ask && authorizer(ask, authorizeTimeout, app.log, (result, seconds) =>
    metrics?.authorize.observe({ result }, seconds))
  const askMerchant = askInTime && ((request: FastifyRequest, attempt: Attempt, reading: Reading): Promise<void> =>
    askInTime(...questionOf(request, reading, attempt.caller, attempt.context)))

  const audit = auditOf(app, options.audit)
  let isAuditDown = false

  /** Records and counts a decision. Throws if a signature must be withheld, because it could not be recorded. */
  async function record (request: FastifyRequest, attempt: Attempt, refusal?: RefusedError): Promise<void> {
    const of = attempt.reading?.variant ?? variant
    let decision = refusal
    if (audit !== undefined && !(refusal !== undefined && isUnrecorded(refusal))) {
      try {
        await audit(decisionOn(request, attempt, of, refusal))
        isAuditDown = false
      } catch (error) { // that of a host's function may quote the decision
        metrics?.auditLost.inc()
        const { isLogged = isAuditDown } = Object(error) as { isLogged?: boolean }
        if (!isLogged) request.log.error('decisions cannot be recorded: the audit failed')
        isAuditDown = true
        if (auditRequired) decision ??= new RefusedError('audit-unavailable')
      }
    }
    metrics?.decisions.inc({ variant: of, operation: operationOf(of, attempt.reading), outcome: outcomeOf(decision) })
    if (decision !== refusal) throw decision
  }

  return { callerOf, admitCaller, limitInRedis, askMerchant, record }
}
