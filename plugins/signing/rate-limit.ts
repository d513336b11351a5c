import { isIP } from 'node:net'
import createError from '@fastify/error'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Registry } from 'prom-client'
import { limitsRate } from '../../src/service/configuration.js'
import { RedisConnection } from '../../src/service/redis-connection.js'

const TooManyRequestsError = createError('ERR_RATE_LIMIT', 'Too many requests: try again in %s', 429)

const UnavailableError = createError('ERR_RATE_LIMIT_UNAVAILABLE', 'Rate limit is unavailable', 503)

/** How many callers and addresses are counted in memory; a flood of others makes it forget the least recent ones. */
const counters = 50_000

/** What a request counts for. The prefix keeps a caller named like an address apart from that address. */
function keyOf (request: FastifyRequest, normalizeIP: (ip: string) => string): string {
  if (request.caller !== 'anonymous') return `caller:${request.caller}`
  const { ip } = request // which reads the headers of proxies
  // Some proxies forward the port as well, which would make each connection an address of its own.
  const [, bracketed, plain] = /^(?:\[(.+)\]|([^:]+))(?::\d+)?$/.exec(ip) ?? []
  const address = bracketed ?? plain ?? ip
  return `address:${isIP(address) === 0 ? 'unknown' : normalizeIP(address)}`
}

async function registerGauge (registry: Registry | null, redis: RedisConnection): Promise<void> {
  if (registry === null) return
  const { Gauge } = await import('prom-client')
  registry.registerMetric(new Gauge({
    name: 'payment_signature_rate_limit_redis_up',
    help: 'Whether the Redis that counts requests for the rate limit answers (1) or not (0)',
    registers: [],
    collect () { this.set(redis.isUp ? 1 : 0) }
  }))
}

/**
 * Limits the requests of each caller, or of each client address where callers are anonymous, to RATE_LIMIT_MAX in a
 * window that begins with the first of them. A caller's own rate, from the policy, replaces the general one. Counted in
 * memory, or in Redis for several instances together.
 */
export default fp(async function rateLimit (app) {
  if (!limitsRate(app.config)) return
  const { fastifyRateLimit, normalizeIP } = await import('@fastify/rate-limit') // it takes time to load

  const { RATE_LIMIT_MAX, RATE_LIMIT_WINDOW, RATE_LIMIT_FAIL, REDIS_URL } = app.config
  const redis = REDIS_URL === '' ? undefined : await RedisConnection.open(REDIS_URL, app.log.child({ RATE_LIMIT_FAIL }))
  if (redis !== undefined) {
    app.addHook('onClose', () => redis.close()) // after the last request
    if (app.hasDecorator('metrics')) await registerGauge(app.getDecorator('metrics'), redis)
  }

  await app.register(fastifyRateLimit, {
    global: false,
    max: ({ callerRate }) => callerRate?.max ?? RATE_LIMIT_MAX,
    timeWindow: ({ callerRate }) => callerRate?.window ?? RATE_LIMIT_WINDOW,
    keyGenerator: request => keyOf(request, normalizeIP),
    cache: counters,
    nameSpace: 'payment-signature:rate-limit:',
    redis: redis?.client
  })
  const count = app.createRateLimit()

  app.addHook('onRequest', async (request, reply) => {
    if (RATE_LIMIT_MAX === 0 && request.callerRate === null) return
    let outcome
    try {
      outcome = await count(request)
      redis?.succeeded()
    } catch (error) {
      if (redis === undefined) throw error
      redis.failed(error as Error)
      if (RATE_LIMIT_FAIL === 'closed') throw new UnavailableError()
      return
    }
    if (outcome.isAllowed || !outcome.isExceeded) return
    const seconds = Math.max(1, outcome.ttlInSeconds)
    reply.header('retry-after', seconds)
    throw new TooManyRequestsError(seconds === 1 ? '1 second' : `${seconds} seconds`)
  })
}, { name: 'rate-limit', dependencies: ['env', 'request-caller'] })
