import type { SecureContext } from 'node:tls'
import type { Cluster, Redis, RedisOptions } from 'ioredis'
import type { RedisAddress } from '../configuration/redis-url.js'

/** Time-out of a command and of a connection attempt, in milliseconds. A request waits at most this long. */
export const timeout = 500

const backoff = (attempt: number): number => Math.min(50 * 2 ** attempt, 1000) // milliseconds

const options = {
  lazyConnect: true,
  connectTimeout: timeout,
  commandTimeout: timeout,
  sentinelCommandTimeout: timeout,
  socketTimeout: timeout, // closes a silent connection, so that only the first requests wait
  disconnectTimeout: timeout,
  maxLoadingRetryTime: timeout,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false, // these commands have failed already, and would count twice
  maxRetriesPerRequest: 0, // pending commands fail when the connection ends
  retryStrategy: backoff,
  sentinelRetryStrategy: backoff,
  reconnectOnError: ({ message }: Error) => message.startsWith('READONLY'), // the primary has moved behind its name
  disableClientInfo: true // CLIENT SETINFO needs another right
} satisfies RedisOptions

/** Returns a client that is not connected yet, and whose commands fail fast. */
export async function redisClient (
  { kind, isTls, urls }: RedisAddress, certificate?: () => SecureContext
): Promise<Redis | Cluster> {
  const { Cluster, Redis } = await import('ioredis')
  const tls = certificate === undefined ? {} : { get secureContext () { return certificate() } } // for each connection
  const { username, password } = new URL(urls[0])
  const hosts = urls.map(url => new URL(url)).map(({ hostname, port }) => (
    { host: hostname.replace(/^\[|\]$/g, ''), ...port !== '' && { port: Number(port) } }
  ))
  switch (kind) {
    case 'single': return new Redis(urls[0], { ...options, ...isTls && { tls } })
    case 'sentinel': return new Redis(urls[0], {
      ...options, sentinels: hosts, ...isTls && { tls, sentinelTLS: tls, enableTLSForSentinelMode: true }
    })
    case 'cluster': return new Cluster(hosts, {
      lazyConnect: true,
      enableOfflineQueue: false,
      clusterRetryStrategy: backoff,
      slotsRefreshTimeout: timeout,
      maxRedirections: 3,
      retryDelayOnFailover: 0, // fails at once instead
      retryDelayOnClusterDown: 0,
      dnsLookup: (host, done) => done(null, host), // for certificates
      redisOptions: {
        ...options,
        username: decodeURIComponent(username),
        password: decodeURIComponent(password),
        ...isTls && { tls }
      }
    })
  }
}
