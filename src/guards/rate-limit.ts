import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LruMap } from 'toad-cache'
import { clientKey } from '../http/client-address.js'
import { RefusedError } from '../http/refusals.js'
import type { IdentifiedCaller } from './policy.js'
import { redisCounter } from './redis-counter.js'

/** A limit of requests: `max` in a window of so many milliseconds. */
interface Rate {
  readonly max: number
  readonly window: number
}

/** Maximum number of counters in memory. Beyond it, the least recently used counter is dropped. */
const maxCounters = 50_000

/** Throws above the limit. `ttl` is the rest of the window, in milliseconds. */
function assertBelow ({ max }: Rate, current: number, ttl: number): void {
  if (current <= max) return
  const seconds = Math.max(1, Math.ceil(ttl / 1000))
  throw new RefusedError('rate-limit', `Too many requests: try again in ${seconds === 1 ? '1 second' : `${seconds} seconds`}`,
    { headers: { 'retry-after': seconds } })
}

/**
 * Returns a function that counts a request of a client in memory, and throws above the limit. A window begins with the
 * client's first request. With the wall clock, as in `@fastify/rate-limit`, a clock that is set back by an hour would
 * extend a window by an hour.
 */
export function memoryLimit (): (client: string, rate: Rate) => void {
  const counters = new LruMap<{ count: number, ends: number }>(maxCounters)
  return (client, rate) => {
    const now = performance.now()
    let counter = counters.get(client)
    if (counter === undefined || counter.ends <= now) {
      counter = { count: 0, ends: now + rate.window }
      counters.set(client, counter)
    }
    assertBelow(rate, ++counter.count, counter.ends - now)
  }
}

/** Returns the key under which a request is counted: its caller's name, or its address without an API key. */
const clientOf = ({ clientAddress }: FastifyRequest, caller?: IdentifiedCaller): string =>
  caller?.apiKey === undefined ? clientKey(clientAddress) : `caller:${caller.name}`

interface Limits {
  readonly limitInMemory?: (request: FastifyRequest, caller?: IdentifiedCaller) => void
  readonly limitInRedis?: ((request: FastifyRequest, caller?: IdentifiedCaller) => Promise<void>) | undefined
}

/**
 * Prepares the rate limit: in memory, before the body is read, and in Redis. With a Redis, only requests of unknown
 * callers are counted in memory. Without RATE_LIMIT_MAX and a policy, both are undefined.
 */
export async function createRateLimit (app: FastifyInstance): Promise<Limits> {
  const { RATE_LIMIT_MAX: max, RATE_LIMIT_WINDOW: window, RATE_LIMIT_FAIL, REDIS_URL, POLICY_FILE } = app.config
  const hasPolicy = POLICY_FILE !== ''
  if (max === 0 && !hasPolicy) return {}
  const inMemory = memoryLimit()
  const inRedis = REDIS_URL === '' ? undefined : await redisCounter(app)
  const rateOf = (caller?: IdentifiedCaller): Rate => caller?.rate ?? { max, window }

  let warned = -Infinity

  /** Warns of a proxy that is not trusted, once a minute. Injected requests have the address of their client. */
  function warnOfProxy ({ headers, clientAddress, ips = [] }: FastifyRequest): void {
    const isExpected = headers['x-forwarded-for'] === undefined || ips.length > 1 || !app.server.listening
    if (isExpected || performance.now() - warned < 60_000) return
    warned = performance.now()
    app.log.warn({ ip: clientAddress }, 'X-Forwarded-For is ignored, so that all clients behind this address share one ' +
      'limit: add it to TRUST_PROXY if it is your proxy')
  }

  return {
    limitInMemory (request, caller) {
      const rate = rateOf(caller)
      if (rate.max > 0 && caller?.apiKey === undefined) warnOfProxy(request)
      const isHere = inRedis === undefined || (hasPolicy && caller === undefined)
      if (rate.max > 0 && isHere) inMemory(`${rate.window}:${clientOf(request, caller)}`, rate)
    },
    limitInRedis: inRedis && (async (request, caller) => {
      const rate = rateOf(caller)
      if (rate.max === 0) return
      const count = await inRedis(clientOf(request, caller), rate.window)
      if (count !== undefined) assertBelow(rate, ...count)
      else if (RATE_LIMIT_FAIL === 'closed') throw new RefusedError('rate-limit-unavailable')
    })
  }
}
