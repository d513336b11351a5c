import type { FastifyInstance } from 'fastify'
import type { Counter, Registry } from 'prom-client'
import type { SigningSettings } from './guard-options.js'
import { reportingGuards } from '../settings/modes.js'
import { MemoryStore } from './memory-store.js'
import { clientAddress } from '../http/client-address.js'
import { messages } from '../http/messages.js'
import { RefusedError, tooManyRequests } from '../http/refused-error.js'
import { RedisConnection } from './redis-connection.js'
import { counterIn, gaugeIn } from '../telemetry/prometheus.js'
import type { Asked } from './asked.js'
import type { Guard } from './guards.js'

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
export async function rateLimit (app: FastifyInstance, options: SigningSettings): Promise<Guard | undefined> {
  const { rateLimitMax, rateLimitWindow, rateLimitFail, rateLimitName, redisUrl, policy, metrics } = options
  if (rateLimitMax === 0 && policy === undefined) return undefined

  const redis = redisUrl === ''
    ? undefined
    : await RedisConnection.open(redisUrl, app.log.child({ RATE_LIMIT_FAIL: rateLimitFail }))
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
  const rulesOf = ({ rules }: Asked) => ignoresPolicy ? null : rules
  const maxOf = (asked: Asked) => rulesOf(asked)?.rate?.max ?? rateLimitMax
  const windowOf = (asked: Asked) => rulesOf(asked)?.rate?.window ?? rateLimitWindow

  /** True for callers with a key. A request with an unknown key has no rules, and passes a policy that only reports. */
  const isNamed = (asked: Asked) => asked.caller !== 'anonymous' && rulesOf(asked) !== null

  /** Returns the key of a request's counter. The prefix separates callers from addresses. */
  const keyOf = (asked: Asked) => isNamed(asked) ? `caller:${asked.caller}` : clientAddress(asked.request)

  const excess = (asked: Asked, key: string, { current, ttl }: Count): RefusedError | undefined =>
    current > maxOf(asked) ? tooManyRequests('rate-limit', messages.tooManyRequests, ttl, key) : undefined

  const store = new MemoryStore()
  function countInMemory (asked: Asked): RefusedError | undefined {
    const key = keyOf(asked)
    return excess(asked, key, store.count(key, windowOf(asked)))
  }

  async function countInRedis (asked: Asked, redis: RedisConnection): Promise<RefusedError | undefined> {
    const key = keyOf(asked)
    const window = windowOf(asked)
    const counter = `payment-signature:rate-limit:${rateLimitName}:${window}:${key}`
    const count = await redis.client.eval(script, 1, counter, window).then(countOf).catch((error: Error) => {
      redis.failed(error)
      errors?.inc()
    })
    if (count !== undefined) {
      redis.succeeded()
      return excess(asked, key, count)
    }
    return rateLimitFail === 'closed' ? new RefusedError('rate-limit-unavailable', messages.rateLimitUnavailable) : undefined
  }

  const check = (asked: Asked) => redis === undefined ? countInMemory(asked) : countInRedis(asked, redis)
  return {
    name: 'rate-limit',
    arrive: asked => !isNamed(asked) && maxOf(asked) > 0 ? check(asked) : undefined,
    judge: asked => isNamed(asked) && maxOf(asked) > 0 ? check(asked) : undefined
  }
}
