import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Counter, Registry } from 'prom-client'
import type { GuardSettings } from '../../src/configuration/guard-options.js'
import { reportingGuards } from '../../src/configuration/report-only.js'
import { MemoryStore } from '../../src/guard/memory-store.js'
import { clientAddress } from '../../src/http/client-address.js'
import { continueAfter } from '../../src/http/continuation.js'
import { messages } from '../../src/http/messages.js'
import { RefusedError, tooManyRequests } from '../../src/http/refused-error.js'
import { clientCertificate } from '../../src/redis/client-certificate.js'
import { RedisConnection } from '../../src/redis/redis-connection.js'
import { counterIn, gaugeIn } from '../../src/telemetry/prometheus.js'

/** Number of requests in a window, and the rest of the window in milliseconds. */
type Count = ReturnType<MemoryStore['count']>

// `@fastify/rate-limit` has the same script. Its hooks would await Redis before the body is read, and it accepts any
// answer as a count.
const script = `
  local current = redis.call('INCR', KEYS[1])
  local ttl = redis.call('PTTL', KEYS[1])
  if ttl >= 0 then return { current, ttl } end
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  return { current, tonumber(ARGV[1]) }`

/** Returns the count in an answer of the script. Throws for any other answer: the server is not Redis. */
function countOf (answer: unknown): Count {
  const isCount = Array.isArray(answer) && answer.length === 2 && answer.every(Number.isSafeInteger) && answer[0] >= 1
  if (!isCount) throw Object.assign(new Error('The answer is not a count'), { code: 'unexpected answer' })
  return { current: answer[0], ttl: answer[1] }
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
 * body is read; the answer of Redis is awaited after it. Requests of other callers count after the policy has allowed
 * them, so that mistakes use up no rate.
 *
 * A policy that only reports must refuse nothing: its names and rates do not count, unless rates are reported, too.
 */
export default fp<GuardSettings>(async function rateLimit (app, options) {
  const { rateLimitMax, rateLimitWindow, rateLimitFail, rateLimitName, policy, metrics } = options
  const { redisUrl, redisTlsCertFile, redisTlsKeyFile } = options
  if (rateLimitMax === 0 && policy === undefined) return

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

  const reported = reportingGuards(options)
  const ignoresPolicy = reported.has('policy') && !reported.has('rate-limit')
  const rulesOf = ({ signingRules }: FastifyRequest) => ignoresPolicy ? null : signingRules
  const maxOf = (request: FastifyRequest) => rulesOf(request)?.rate?.max ?? rateLimitMax
  const windowOf = (request: FastifyRequest) => rulesOf(request)?.rate?.window ?? rateLimitWindow

  /** True for callers with a key. A request with an unknown key has no rules, and passes a policy that only reports. */
  const isNamed = (request: FastifyRequest) => request.signingCaller !== 'anonymous' && rulesOf(request) !== null

  /** Returns the key of a request's counter. The prefix separates callers from addresses. */
  const keyOf = (request: FastifyRequest) =>
    isNamed(request) ? `caller:${request.signingCaller}` : clientAddress(request)

  const isLimitedByAddress = (request: FastifyRequest) => !isNamed(request) && maxOf(request) > 0
  const isLimitedByName = (request: FastifyRequest) => isNamed(request) && maxOf(request) > 0
  const excess = (request: FastifyRequest, key: string, { current, ttl }: Count): RefusedError | undefined =>
    current > maxOf(request) ? tooManyRequests('rate-limit', messages.tooManyRequests, ttl, key) : undefined

  if (redis === undefined) limitInMemory()
  else limitInRedis(redis)

  function limitInMemory (): void {
    const store = new MemoryStore()
    function refusalOf (request: FastifyRequest): Error | undefined {
      const key = keyOf(request)
      return app.enforce('rate-limit', request, excess(request, key, store.count(key, windowOf(request))))
    }
    app.addHook('onRequest', (request, _reply, done) => done(isLimitedByAddress(request) ? refusalOf(request) : undefined))
    app.addHook('preHandler', (request, _reply, done) => done(isLimitedByName(request) ? refusalOf(request) : undefined))
  }

  function limitInRedis (redis: RedisConnection): void {
    async function check (request: FastifyRequest): Promise<void> {
      const key = keyOf(request)
      const window = windowOf(request)
      const counter = `payment-signature:rate-limit:${rateLimitName}:${window}:${key}`
      const count = await redis.client.eval(script, 1, counter, window).then(countOf).catch((error: Error) => {
        redis.failed(error)
        errors?.inc()
      })
      if (count !== undefined) redis.succeeded()
      const excessOrFault = count !== undefined
        ? excess(request, key, count)
        : rateLimitFail === 'closed' ? new RefusedError('rate-limit-unavailable', messages.rateLimitUnavailable) : undefined
      const refusal = app.enforce('rate-limit', request, excessOrFault)
      if (refusal !== undefined) throw refusal
    }

    const checks = new WeakMap<FastifyRequest, Promise<void>>()
    app.addHook('onRequest', (request, _reply, done) => {
      if (isLimitedByAddress(request)) {
        const counted = check(request)
        counted.catch(() => {}) // nobody awaits it if the body is refused, or never arrives
        checks.set(request, counted)
      }
      done()
    })
    app.addHook('preValidation', (request, reply, done) => {
      const counted = checks.get(request)
      if (counted === undefined) done()
      else continueAfter(counted, reply, done)
    })
    app.addHook('preHandler', (request, reply, done) => {
      if (isLimitedByName(request)) continueAfter(check(request), reply, done)
      else done()
    })
  }
}, { name: 'rate-limit', dependencies: ['report-only'], fastify: '5.x' })
