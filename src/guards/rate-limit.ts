import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LruMap } from 'toad-cache'
import { addressOf, clientKey } from '../http/client-address.js'
import { RefusedError } from '../http/refusals.js'
import type { IdentifiedCaller } from './policy.js'

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

/** Time-out of a command and of a connection attempt, in milliseconds. A request waits at most this long. */
const timeout = 500

/** Matches the error of a replica, also inside a script's error, as older servers and Valkey word it. */
const isReadOnly = /(?:^|-)READONLY\b/

const redisOptions = {
  lazyConnect: true,
  connectTimeout: timeout,
  commandTimeout: timeout,
  socketTimeout: timeout, // closes a silent connection, so that only the first requests wait
  disconnectTimeout: timeout,
  maxLoadingRetryTime: timeout,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false, // these commands have failed already, and would count twice
  maxRetriesPerRequest: 0, // pending commands fail when the connection ends
  retryStrategy: (attempt: number) => Math.min(50 * 2 ** attempt, 1000), // milliseconds
  reconnectOnError: ({ message }: Error) => isReadOnly.test(message), // the primary has moved behind its name
  disableClientInfo: true // CLIENT SETINFO needs another right
}

const script = `
  local current = redis.call('INCR', KEYS[1])
  local ttl = redis.call('PTTL', KEYS[1])
  if ttl >= 0 then return { current, ttl } end
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  return { current, tonumber(ARGV[1]) }`

/** Returns the count in an answer of the script. Throws for any other answer: the server is not Redis. */
function countIn (answer: unknown): [current: number, ttl: number] {
  const isCount = Array.isArray(answer) && answer.length === 2 && answer.every(Number.isSafeInteger) && answer[0] >= 1
  if (!isCount) throw Object.assign(new Error('The answer is not a count'), { code: 'unexpected answer' })
  return answer as [number, number]
}

/**
 * Returns a function that counts in REDIS_URL for all instances. `@fastify/rate-limit` has the same script, but accepts
 * any answer as a count, and its hook awaits Redis before the body is read.
 */
async function redisLimit (app: FastifyInstance): Promise<(client: string, rate: Rate) => Promise<void>> {
  const { REDIS_URL: url, RATE_LIMIT_FAIL: fail } = app.config
  const { Redis } = await import('ioredis') // slow to load
  const redis = new Redis(url, { ...redisOptions, ...url.startsWith('rediss:') && { tls: {} } })
  const isUp = app.metrics?.redisUp()
  let isCluster = false // of this connection: its server counts the clients of its own slots only
  let isReplica = false // since its last count
  let outage = ''

  /** Logs a failure without its message: servers quote the command that they refuse, and AUTH has the password. */
  function failed ({ code, message }: NodeJS.ErrnoException): void {
    isCluster ||= message.startsWith('MOVED ')
    isReplica ||= !isCluster && isReadOnly.test(message)
    const kind = isCluster ? 'a cluster, and not one server' : 'READONLY: a replica; REDIS_URL must lead to the primary'
    const reason = isCluster || isReplica ? kind : code ?? /^[A-Z]{2,}\b/.exec(message)?.[0] ?? 'no answer'
    isUp?.set(0)
    // Each attempt to connect ends with an error that has the reason, and with a closed connection.
    if (reason === outage || (outage !== '' && reason === 'no answer')) return
    app.log.warn({ host: new URL(url).host, reason, RATE_LIMIT_FAIL: fail }, 'Redis is unavailable')
    outage = reason
  }
  function succeeded (): void {
    if (isCluster || isReplica) return
    if (outage !== '') app.log.info('Redis is back')
    outage = ''
    isUp?.set(1)
  }
  redis.on('error', failed)
  redis.on('ready', succeeded)
  let isClosed = false
  redis.on('close', () => {
    isCluster = false
    if (!isClosed) failed(new Error('no connection'))
  })
  await redis.connect().catch(failed)
  app.addHook('onClose', async () => { // after the last request
    isClosed = true
    redis.disconnect()
  })

  return async (client, rate) => {
    const answer = await redis.eval(script, 1, `payment-signature:rate-limit:${rate.window}:${client}`, rate.window)
      .then(countIn).catch(failed)
    if (answer !== undefined) {
      isReplica = false
      succeeded()
      return assertBelow(rate, ...answer)
    }
    if (fail === 'closed') throw new RefusedError('rate-limit-unavailable')
  }
}

/** Returns the key under which a request is counted: its caller's name, or its address without an API key. */
const clientOf = ({ ip }: FastifyRequest, caller?: IdentifiedCaller): string =>
  caller?.apiKey === undefined ? clientKey(ip) : `caller:${caller.name}`

interface Limits {
  readonly limitInMemory?: (request: FastifyRequest, caller?: IdentifiedCaller) => void
  readonly limitInRedis?: ((request: FastifyRequest, caller?: IdentifiedCaller) => Promise<void>) | undefined
}

/**
 * Prepares the rate limit: in memory, before the body is read, and in Redis. With a Redis, only requests of unknown
 * callers are counted in memory. Without a limit, both are undefined.
 *
 * @param dryRun - true: nothing connects to Redis
 */
export async function createRateLimit (app: FastifyInstance, dryRun = false): Promise<Limits> {
  const { RATE_LIMIT_MAX: max, RATE_LIMIT_WINDOW: window, REDIS_URL, POLICY_FILE } = app.config
  const hasPolicy = POLICY_FILE !== ''
  if (max === 0 && !hasPolicy) return {}
  const inMemory = memoryLimit()
  const inRedis = REDIS_URL !== '' && !dryRun ? await redisLimit(app) : undefined
  const rateOf = (caller?: IdentifiedCaller): Rate => caller?.rate ?? { max, window }

  let warned = -Infinity

  /** Warns of a proxy that is not trusted, once a minute. Injected requests have the address of their client. */
  function warnOfProxy ({ headers, ip, ips = [] }: FastifyRequest): void {
    const isExpected = headers['x-forwarded-for'] === undefined || ips.length > 1 || !app.server.listening
    if (isExpected || performance.now() - warned < 60_000) return
    warned = performance.now()
    app.log.warn({ ip: addressOf(ip) }, 'X-Forwarded-For is ignored, so that all clients behind this address share one ' +
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
      if (rate.max > 0) await inRedis(clientOf(request, caller), rate)
    })
  }
}
