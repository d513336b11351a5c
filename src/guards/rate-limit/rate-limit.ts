import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LruMap } from 'toad-cache'
import { clientKey } from '../../http/client-address.js'
import { RefusedError } from '../../http/refusals.js'
import type { Caller } from '../attempt.js'
import { redisCounter, window, type Count } from './redis-counter.js'

/** Maximum number of counters in memory. Beyond it, the least recently used counter is dropped. */
const maxCounters = 50_000

/**
 * Returns a function that counts in memory. A minute begins with the first request of its key. The clock is monotonic:
 * setting the wall clock back by an hour would extend a minute by an hour.
 */
export function memoryCounter (): (key: string) => Count {
  const counters = new LruMap<{ count: number, ends: number }>(maxCounters)
  return key => {
    const now = performance.now()
    let counter = counters.get(key)
    if (counter === undefined || counter.ends <= now) counters.set(key, counter = { count: 0, ends: now + window })
    return [++counter.count, counter.ends - now]
  }
}

/** Returns the refusal of a request above the limit. */
function refusalAbove (max: number, [count, ttl]: Count): RefusedError | undefined {
  if (count <= max) return undefined
  const seconds = Math.max(1, Math.ceil(ttl / 1000))
  return new RefusedError('rate-limit', `Too many requests: try again in ${seconds === 1 ? '1 second' : `${seconds} seconds`}`,
    { headers: { 'retry-after': seconds } })
}

/**
 * Returns a function that counts a request of a caller with a key, otherwise of an address, and returns its refusal
 * above the limit. With Redis the result is a promise; while Redis is down, the count is that in memory. Undefined
 * if there is neither RATE_LIMIT_MAX nor a policy.
 */
export async function createRateLimit (app: FastifyInstance) {
  const { RATE_LIMIT_MAX, REDIS_URL, POLICY_FILE } = app.config
  if (RATE_LIMIT_MAX === 0 && POLICY_FILE === '') return undefined
  const inMemory = memoryCounter()
  const inRedis = REDIS_URL === '' ? undefined : await redisCounter(app)
  let warned = -Infinity

  /** Warns of a proxy that is not trusted, once a minute. Injected requests have the address of their client. */
  function warnOfProxy ({ headers, clientAddress, ips = [] }: FastifyRequest): void {
    const isExpected = headers['x-forwarded-for'] === undefined || ips.length > 1 || !app.server.listening
    if (isExpected || performance.now() - warned < 60_000) return
    warned = performance.now()
    app.log.warn({ clientAddress }, 'X-Forwarded-For is ignored, so that all clients behind this address share one ' +
      'limit: add it to TRUST_PROXY if it is your proxy')
  }

  return (request: FastifyRequest, caller?: Caller): RefusedError | undefined | Promise<RefusedError | undefined> => {
    const max = caller?.rate ?? RATE_LIMIT_MAX
    if (max === 0) return undefined
    const hasKey = caller?.keyId !== undefined
    if (!hasKey) warnOfProxy(request)
    const address = caller?.rate === undefined ? '' : 'anonymous:' // unknown keys must not use up its rate
    const key = hasKey ? `caller:${caller.name}` : `${address}${clientKey(request.clientAddress)}`
    return inRedis === undefined
      ? refusalAbove(max, inMemory(key))
      : inRedis(key).then(count => refusalAbove(max, count ?? inMemory(key)))
  }
}
