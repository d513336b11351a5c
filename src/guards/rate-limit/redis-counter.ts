import type { FastifyInstance } from 'fastify'

/** A count of requests, and the rest of its window in milliseconds. */
export type Count = readonly [count: number, ttl: number]

/** The minute of a limit, in milliseconds. */
export const window = 60_000

/** Time-out of a command and of a connection attempt, in milliseconds. A request waits at most this long. */
const timeout = 500

/** Matches the error of a replica, also inside of a script's error. */
const readOnly = /READONLY/

const redisOptions = {
  lazyConnect: true,
  connectTimeout: timeout,
  commandTimeout: timeout,
  socketTimeout: timeout, // closes a silent connection, so that only the first requests wait
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0, // pending commands fail when the connection ends
  // The first attempt has no delay, because Redis closes idle connections.
  retryStrategy: (times: number) => times === 1 ? 0 : 2 * timeout,
  reconnectOnError: ({ message }: Error) => readOnly.test(message), // the host name may lead to a new primary
  disableClientInfo: true // CLIENT SETINFO needs another right
}

const script = `
  local count = redis.call('INCR', KEYS[1])
  local ttl = redis.call('PTTL', KEYS[1])
  if ttl >= 0 then return { count, ttl } end
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  return { count, tonumber(ARGV[1]) }`

const isCount = (answer: unknown): answer is Count =>
  Array.isArray(answer) && answer.length === 2 && answer.every(Number.isSafeInteger) && answer[0] >= 1

/** Returns the right that a user lacks, as ACL SETUSER writes it; undefined for another error. */
function missingRight (message: string): string | undefined {
  if (!/NOPERM|can't run this command/.test(message)) return undefined
  const [, command] = /'([a-z]{1,16})(?:\||')/.exec(message) ?? []
  if (command !== undefined) return `NOPERM: +${command}`
  return /key/.test(message) ? 'NOPERM: ~{payment-signature}:*' : 'NOPERM: +eval +incr +pexpire +pttl'
}

/** Returns the cause of a failure without its message: servers quote the command, and AUTH has the password. */
const causeOf = ({ code, message }: NodeJS.ErrnoException): string =>
  code ?? missingRight(message) ?? (readOnly.exec(message) ?? /^[A-Z]{2,}\b/.exec(message))?.[0] ?? 'no answer'

/** Returns a function that counts in REDIS_URL, for all instances; undefined is the result during an outage. */
export async function redisCounter (app: FastifyInstance) {
  const { REDIS_URL: url } = app.config
  const { Redis } = await import('ioredis') // slow to load
  const redis = new Redis(url, { ...redisOptions, ...url.startsWith('rediss:') && { tls: {} } })
  const isUp = app.metrics?.redisUp()
  let isOut = false

  function failed (error: Error): undefined {
    isUp?.set(0)
    if (!isOut) app.log.warn({ host: new URL(url).host, cause: causeOf(error) }, 'Redis is unavailable')
    isOut = true
  }

  /** The braces keep all counters on one server of a cluster. The other servers refuse each count with MOVED. */
  async function count (key: string): Promise<Count | undefined> {
    try {
      const answer = await redis.eval(script, 1, `{payment-signature}:rate-limit:${key}`, window)
      if (!isCount(answer)) throw Object.assign(new Error(), { code: 'unexpected answer' })
      if (isOut) app.log.info('Redis is back')
      isOut = false
      isUp?.set(1)
      return answer
    } catch (error) {
      // Without a connection, the next attempt to connect shows if there is an outage.
      return redis.status === 'ready' ? failed(error as Error) : undefined
    }
  }

  redis.on('error', failed) // of a connection attempt
  redis.on('ready', () => count('is-it-back')) // a replica or a cluster accepts connections, but does not count
  await redis.connect().catch(failed)
  app.addHook('onClose', async () => redis.disconnect()) // after the last request
  return count
}
