import type { FastifyInstance } from 'fastify'
import type { Counter, Registry } from 'prom-client'
import type { SigningSettings } from './options.js'
import { MemoryStore } from './memory-store.js'
import { clientAddress } from '../http/client-address.js'
import { messages } from '../http/messages.js'
import { RefusedError, tooManyRequests } from '../http/refused-error.js'
import { RedisConnection } from './redis-connection.js'
import { counterIn, gaugeIn } from '../telemetry/prometheus.js'
import type { Attempt, Guard } from './attempt.js'

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

/** Open connections behind the gauge of each registry: an app may register the plugin twice. */
const connections = new WeakMap<Registry, Set<RedisConnection>>()

async function registerGauge (registry: Registry, redis: RedisConnection): Promise<void> {
  const open = connections.get(registry) ?? new Set()
  connections.set(registry, open.add(redis))
  await gaugeIn(registry, 'payment_signature_rate_limit_redis_up',
    '1 if the Redis of the rate limit is available, otherwise 0.',
    () => Number([...open].every(({ isUp }) => isUp)))
}

/**
 * Limits the requests of each caller, or of each address of anonymous callers, in a window that begins with the first
 * request. The rate of a caller in the policy replaces the general rate. Requests of anonymous callers count before the
 * body is read; the answer of Redis is awaited after it. Requests of other callers count after the policy has allowed
 * them, so that mistakes use up no rate.
 */
export async function rateLimit (app: FastifyInstance, options: SigningSettings): Promise<Guard | undefined> {
  const { rateLimitMax, rateLimitWindow, rateLimitFail, redisUrl, policy, metrics, modes } = options
  if (rateLimitMax === 0 && policy === undefined) return undefined

  const redis = redisUrl === ''
    ? undefined
    : await RedisConnection.open(redisUrl, app.log.child({ RATE_LIMIT_FAIL: rateLimitFail }))
  let errors: Counter | undefined
  if (redis !== undefined) {
    app.addHook('onClose', async () => { // after the last request
      if (metrics !== undefined) connections.get(metrics)?.delete(redis)
      await redis.close()
    })
    if (metrics !== undefined) {
      await registerGauge(metrics, redis)
      errors = await counterIn(metrics, 'payment_signature_rate_limit_redis_errors_total',
        'Requests that Redis did not count for the rate limit: it was down, refused, or gave no answer.', [])
    }
  }

  // A policy in report mode must refuse nothing. Its rates apply only if the rate limit is in report mode, too.
  const rulesOf = ({ rules, enforcedRules }: Attempt) => modes.reports.has('rate-limit') ? rules : enforcedRules
  const maxOf = (attempt: Attempt) => rulesOf(attempt)?.rate?.max ?? rateLimitMax
  const windowOf = (attempt: Attempt) => rulesOf(attempt)?.rate?.window ?? rateLimitWindow

  /** True for callers with a key. A request with an unknown key, which report mode lets through, has no rules. */
  const isNamed = (attempt: Attempt) => attempt.caller !== 'anonymous' && rulesOf(attempt) !== null

  /** Returns the key of a request's counter. The prefix separates callers from addresses. */
  const keyOf = (attempt: Attempt) => isNamed(attempt) ? `caller:${attempt.caller}` : clientAddress(attempt.request)

  const excess = (attempt: Attempt, key: string, { current, ttl }: Count): RefusedError | undefined =>
    current > maxOf(attempt) ? tooManyRequests('rate-limit', messages.tooManyRequests, ttl, key) : undefined

  const route = app.prefix.replace(/\/$/, '') + options.path // each route of an app counts apart
  const store = new MemoryStore()
  function countInMemory (attempt: Attempt): RefusedError | undefined {
    const key = keyOf(attempt)
    return excess(attempt, key, store.count(key, windowOf(attempt)))
  }

  async function countInRedis (attempt: Attempt, redis: RedisConnection): Promise<RefusedError | undefined> {
    const key = keyOf(attempt)
    const window = windowOf(attempt)
    const counter = `payment-signature:rate-limit:${route}:${window}:${key}`
    const count = await redis.client.eval(script, 1, counter, window).then(countOf).catch((error: Error) => {
      redis.failed(error)
      errors?.inc()
    })
    if (count !== undefined) {
      redis.succeeded()
      return excess(attempt, key, count)
    }
    return rateLimitFail === 'closed' ? new RefusedError('rate-limit-unavailable', messages.rateLimitUnavailable) : undefined
  }

  const check = (attempt: Attempt) => redis === undefined ? countInMemory(attempt) : countInRedis(attempt, redis)
  return {
    name: 'rate-limit',
    arrive: attempt => !isNamed(attempt) && maxOf(attempt) > 0 ? check(attempt) : undefined,
    judge: attempt => isNamed(attempt) && maxOf(attempt) > 0 ? check(attempt) : undefined
  }
}
