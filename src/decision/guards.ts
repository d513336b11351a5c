import type { FastifyInstance, FastifyRequest } from 'fastify'
import { digestIn, keyIn, type IdentifiedCaller } from '../guard/policy.js'
import { clientKey } from '../http/client-address.js'
import { RefusedError } from '../http/errors.js'
import type { Reading } from '../scheme/request.js'
import { askBackend } from './ask-backend.js'
import type { Attempt } from './attempt.js'
import { authorizer, questionOf } from './authorize.js'
import type { AppOptions } from './options.js'
import { policyInUse } from './policy-in-use.js'
import { memoryLimit, redisLimit } from './rate-limit.js'

type Options = Pick<AppOptions, 'authorize' | 'pollInterval' | 'isCheck'>

/** Returns the refusal of a request without a known API key. */
function unknownCaller (authorization = ''): RefusedError {
  return keyIn(authorization) === undefined
    ? new RefusedError('api-key-required', undefined, { headers: { 'www-authenticate': 'Bearer' } })
    : new RefusedError('api-key-unknown', undefined, { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } })
}

/** Prepares the guards of the signing route: what they read, count and ask. The route calls them in its order. */
export async function guardsOf (app: FastifyInstance, { authorize, pollInterval, isCheck = false }: Options) {
  const { POLICY_FILE, AUTHORIZE_URL, AUTHORIZE_TIMEOUT, RATE_LIMIT_MAX, RATE_LIMIT_WINDOW, REDIS_URL } = app.config
  const ask = authorize ?? (AUTHORIZE_URL === '' ? undefined : askBackend(AUTHORIZE_URL))
  const find = POLICY_FILE === '' ? undefined : await policyInUse(app, ask !== undefined, pollInterval)

  /** Returns the caller that a request has at this moment, and throws for an unknown one. */
  const callerOf = find && (({ headers }: FastifyRequest, { keyDigest }: Attempt): IdentifiedCaller => {
    const caller = find(keyDigest)
    if (caller === undefined) throw unknownCaller(headers.authorization)
    return caller
  })

  const limitInMemory = memoryLimit()
  const hasLimit = RATE_LIMIT_MAX > 0 || find !== undefined
  const redis = hasLimit && REDIS_URL !== '' && !isCheck ? await redisLimit(app) : undefined
  const rateOf = (caller?: IdentifiedCaller) => caller?.rate ?? { max: RATE_LIMIT_MAX, window: RATE_LIMIT_WINDOW }
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

  const askInTime = ask && authorizer(ask, AUTHORIZE_TIMEOUT, app.log, (result, seconds) =>
    app.metrics?.authorize.observe({ result }, seconds))
  const askMerchant = askInTime && ((request: FastifyRequest, attempt: Attempt, reading: Reading): Promise<void> =>
    askInTime(...questionOf(request, reading, attempt.caller, attempt.context)))

  return { callerOf, admitCaller, limitInRedis, askMerchant }
}
