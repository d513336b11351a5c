import type { SecureContext } from 'node:tls'
import type { Cluster, Redis, RedisOptions } from 'ioredis'
import type { RedisAddress } from './redis-url.js'

/** How long Redis may take to answer, or to take a connection, in milliseconds: what a request waits at most. */
export const timeout = 500

const backoff = (attempt: number): number => Math.min(50 * 2 ** attempt, 1000) // milliseconds

const options = {
  lazyConnect: true,
  connectTimeout: timeout,
  commandTimeout: timeout,
  sentinelCommandTimeout: timeout,
  socketTimeout: timeout, // ends a connection whose other end is silent, so that only the first requests wait
  disconnectTimeout: timeout,
  maxLoadingRetryTime: timeout,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false, // they have failed, and would count a second time
  maxRetriesPerRequest: 0, // fails what is unanswered when the connection ends
  retryStrategy: backoff,
  sentinelRetryStrategy: backoff,
  reconnectOnError: ({ message }: Error) => message.startsWith('READONLY'), // the primary has moved behind its name
  disableClientInfo: true // would take another right
} satisfies RedisOptions

/** A client that is not yet connected, and does not make its user wait. */
export async function redisClient (
  { kind, isTls, urls }: RedisAddress, certificate?: () => SecureContext
): Promise<Redis | Cluster> {
  const { Cluster, Redis } = await import('ioredis')
  const tls = certificate === undefined ? {} : { get secureContext () { return certificate() } } // for each connect
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
      dnsLookup: (host, done) => done(null, host), // with an address in its place, no certificate would be the host's
      redisOptions: {
        ...options,
        username: decodeURIComponent(username),
        password: decodeURIComponent(password),
        ...isTls && { tls }
      }
    })
  }
}
