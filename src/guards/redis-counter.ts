import type { FastifyInstance } from 'fastify'

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
 * Returns a function that counts a request of a client in REDIS_URL, for all instances, and returns the count and the
 * rest of the window, in milliseconds; undefined during an outage. `@fastify/rate-limit` has the same script, but
 * accepts any answer as a count, and its hook awaits Redis before the body is read.
 */
export async function redisCounter (app: FastifyInstance) {
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

  return async function count (client: string, window: number) {
    const answer = await redis.eval(script, 1, `payment-signature:rate-limit:${window}:${client}`, window)
      .then(countIn).catch(failed)
    if (answer === undefined) return undefined
    isReplica = false
    succeeded()
    return answer
  }
}
