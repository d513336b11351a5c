import { fastify, type FastifyRequest, type onRequestHookHandler } from 'fastify' // a named import: with a default import, the declaration files lack it
import fp from 'fastify-plugin'
import type { Counter, Registry } from 'prom-client'
import { clientCertificate } from '../../src/service/client-certificate.js'
import { counterIn, gaugeIn } from '../../src/service/prometheus.js'
import { RedisConnection } from '../../src/service/redis-connection.js'
import { RefusedError } from '../../src/service/refused-error.js'
import { clientAddress } from '../http/client-address.js'
import { tooManyRequests } from '../http/repeated-refusals.js'
import type { GuardSettings } from './guard-options.js'
import { MemoryStore } from './memory-store.js'
import { messages } from '../../src/service/messages.js'

/** Counts a request, and calls `done` with the refusal of a request that is over the limit. */
type Count = (request: FastifyRequest, done: (error?: Error) => void) => void

/** Returns the key of a request's counter. The prefix separates callers from addresses. */
function keyOf (request: FastifyRequest, normalizeIP: (ip: string) => string): string {
  if (request.signingCaller !== 'anonymous') return `caller:${request.signingCaller}`
  return clientAddress(request, normalizeIP)
}

/** Connections behind the gauge of each registry: an app may register the plugin twice. */
const connections = new WeakMap<Registry, RedisConnection[]>()

async function registerGauge (registry: Registry, redis: RedisConnection): Promise<void> {
  const all = [...connections.get(registry) ?? [], redis]
  connections.set(registry, all)
  await gaugeIn(registry, 'payment_signature_rate_limit_redis_up',
    '1 if the Redis of the rate limit is available, otherwise 0.',
    () => Number(connections.get(registry)!.every(({ isUp }) => isUp)))
}

/**
 * Limits the requests of each caller, or of each address of anonymous callers, in a window that begins with the first
 * request. The rate of a caller in the policy replaces the general rate. Requests of anonymous callers count before the
 * body is read. Requests of other callers count after the policy has allowed them, so that mistakes use up no rate.
 */
export default fp<GuardSettings>(async function rateLimit (app, options) {
  const { rateLimitMax, rateLimitWindow, rateLimitFail, redisUrl, redisTlsCertFile, redisTlsKeyFile } = options
  const { policy, metrics } = options
  if (rateLimitMax === 0 && policy === undefined) return
  const { fastifyRateLimit, normalizeIP } = await import('@fastify/rate-limit') // slow to load

  const certificate = redisTlsCertFile + redisTlsKeyFile === ''
    ? undefined
    : clientCertificate(redisTlsCertFile, redisTlsKeyFile, app.log)
  const redis = redisUrl === ''
    ? undefined
    : await RedisConnection.open(redisUrl, app.log.child({ RATE_LIMIT_FAIL: rateLimitFail }), certificate)
  let errors: Counter | undefined
  if (redis !== undefined) {
    app.addHook('onClose', () => redis.close()) // after the last request
    if (metrics !== undefined) {
      await registerGauge(metrics, redis)
      errors = await counterIn(metrics, 'payment_signature_rate_limit_redis_errors_total',
        'Requests that Redis did not count for the rate limit: it was down, refused, or gave no answer.', [])
    }
  }

  const maxOf = ({ signingRules }: FastifyRequest) => signingRules?.rate?.max ?? rateLimitMax
  const windowOf = ({ signingRules }: FastifyRequest) => signingRules?.rate?.window ?? rateLimitWindow
  const refusal = tooManyRequests(app, 'rate-limit', messages.tooManyRequests)

  const count = redis === undefined ? inMemory() : await inRedis(redis)

  /** Counts in this process, synchronously. */
  function inMemory (): Count {
    const store = new MemoryStore()
    return (request, done) => {
      const key = keyOf(request, normalizeIP)
      const { current, ttl } = store.count(key, windowOf(request))
      done(current > maxOf(request) ? refusal(key, ttl) : undefined)
    }
  }

  async function inRedis (redis: RedisConnection): Promise<Count> {
    const counter = fastify() // an app that embeds the plugin may have a rate limit with its own counters
    await counter.register(fastifyRateLimit, {
      global: false,
      max: maxOf,
      timeWindow: windowOf,
      keyGenerator: request => keyOf(request, normalizeIP),
      nameSpace: 'payment-signature:rate-limit:',
      redis: redis.client
    })
    const check = counter.createRateLimit()
    return (request, done) => {
      check(request).then(outcome => {
        redis.succeeded()
        done(!outcome.isAllowed && outcome.isExceeded ? refusal(outcome.key, outcome.ttl) : undefined)
      }, error => {
        redis.failed(error as Error)
        errors?.inc()
        done(rateLimitFail === 'closed' ? new RefusedError('rate-limit-unavailable', messages.rateLimitUnavailable) : undefined)
      })
    }
  }

  const limits = (request: FastifyRequest) => rateLimitMax > 0 || request.signingRules?.rate !== undefined

  const limit = (isOfAnonymous: boolean): onRequestHookHandler => (request, _reply, done) => {
    if ((request.signingCaller === 'anonymous') === isOfAnonymous && limits(request)) count(request, done)
    else done()
  }

  app.addHook('onRequest', limit(true))
  if (policy !== undefined) app.addHook('preHandler', limit(false))
}, { name: 'rate-limit', dependencies: ['request-reader'] })
