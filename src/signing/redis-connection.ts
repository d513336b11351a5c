import { setTimeout as wait } from 'node:timers/promises'
import type { Redis, RedisOptions } from 'ioredis'
import { isRedisUrl } from '../settings/urls.js'
import { Outage } from '../telemetry/log-limits.js'

/** Time-out of a command and of a connection attempt, in milliseconds. A request waits at most this long. */
const timeout = 500

const options = {
  lazyConnect: true,
  connectTimeout: timeout,
  commandTimeout: timeout,
  socketTimeout: timeout, // closes a silent connection, so that only the first requests wait
  disconnectTimeout: timeout,
  maxLoadingRetryTime: timeout,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false, // these commands have failed already, and would count twice
  maxRetriesPerRequest: 0, // pending commands fail when the connection ends
  retryStrategy: attempt => Math.min(50 * 2 ** attempt, 1000), // milliseconds
  reconnectOnError: ({ message }) => message.startsWith('READONLY'), // the primary has moved behind its name
  disableClientInfo: true // CLIENT SETINFO needs another right
} satisfies RedisOptions

type Log = Pick<Console, 'info' | 'warn'>

/** Error for a URL that does not fit the server. The message is for the log. */
class MisleadingUrlError extends Error {}

/** Messages of servers that refuse the database of the URL, each with an explanation. ioredis goes on in database 0. */
const explanations: ReadonlyArray<readonly [RegExp, string]> = [
  [/^ERR DB index is out of range/, 'the server has no database of the number in the URL'],
  [/^NOPERM .*'select'/, 'the user may not select the database in the URL: it needs +select']
]

function explained (error: Error): Error {
  const [, text] = explanations.find(([pattern]) => pattern.test(error.message)) ?? []
  return text === undefined ? error : new MisleadingUrlError(text)
}

/**
 * Returns the reason of a failure; undefined if the error has none. The log never gets the error's message: servers
 * quote the command that they refuse, and AUTH contains the password.
 */
function reasonOf (error: NodeJS.ErrnoException): string | undefined {
  if (error instanceof MisleadingUrlError) return error.message
  return error.code ?? /^[A-Z]{2,}\b/.exec(error.message)?.[0]
}

/**
 * A connection to Redis or Valkey whose commands fail fast. A command that cannot be sent fails immediately and is not
 * sent later. A command without an answer fails after half a second. The connection reconnects by itself. The log
 * gets a line when an outage begins, changes its reason, or ends.
 */
export class RedisConnection {
  isUp = false
  #isClosed = false
  readonly #outage = new Outage()
  #mistake: MisleadingUrlError | undefined

  /** @param host - host and port of the server, for the log: the rest of the URL may contain a password */
  private constructor (readonly client: Redis, private readonly host: string, private readonly log: Log) {
    client.on('error', error => this.failed(error))
    client.on('close', () => this.failed(new Error('connection closed')))
  }

  /**
   * Opens a connection. Resolves also if Redis is unavailable.
   *
   * @param url - see {@link isRedisUrl}
   * @throws TypeError the URL is malformed
   * @throws Error the server is a Cluster or a Sentinel, or the database cannot be selected
   */
  static async open (url: string, log: Log): Promise<RedisConnection> {
    if (!isRedisUrl(url)) throw new TypeError('the URL of Redis is malformed')
    const { Redis } = await import('ioredis')
    const client = new Redis(url, { ...options, ...url.startsWith('rediss:') && { tls: {} } })
    const connection = new RedisConnection(client, new URL(url).host || 'localhost', log)
    const verdict = client.connect().then(() => connection.#probe()).catch(() => {})
    await Promise.race([verdict, wait(2 * timeout, null, { ref: false })])
    if (connection.#mistake !== undefined) {
      await connection.close()
      throw new Error(`Redis cannot be used: ${connection.#mistake.message}`)
    }
    if (!connection.isUp) connection.failed(new Error('no answer')) // Redis may load its data for minutes
    client.on('ready', () => connection.#probe())
    return connection
  }

  /** Records that a command succeeded. */
  succeeded (): void {
    if (this.#isClosed) return
    this.isUp = true
    if (this.#outage.ends()) this.log.info('Redis is back')
  }

  /** Records that a command or the connection failed. */
  failed (error: Error): void {
    if (this.#isClosed) return
    const cause = explained(error)
    if (cause instanceof MisleadingUrlError) this.#mistake = cause
    this.isUp = false
    const reason = reasonOf(cause)
    if (!this.#outage.begins(reason)) return
    this.log.warn({ host: this.host, reason: reason ?? 'no answer' }, 'Redis is unavailable')
  }

  /** Writes a key. An answer is not enough: a replica, and a server whose memory is full, answer but refuse writes. */
  async #probe (): Promise<void> {
    try {
      await this.#assertSingle()
      await this.client.set('payment-signature:probe', '', 'PX', timeout)
      this.succeeded()
    } catch (error) {
      this.failed(error as Error)
    }
  }

  /** Throws for a node of a Cluster, which would count a part of the keys, and for a Sentinel, which counts none. */
  async #assertSingle (): Promise<void> {
    const information = await this.client.info('server').catch(() => '') // the user may have no right to it
    const mode = /^(?:redis|server)_mode:(cluster|sentinel)\b/m.exec(information)?.[1]
    if (mode === undefined) return
    this.client.disconnect()
    throw new MisleadingUrlError(`the server runs in ${mode} mode: the URL has to be that of one Redis or Valkey`)
  }

  /** Closes the connection within the time-out of a command, even if Redis does not answer. */
  async close (): Promise<void> {
    this.#isClosed = true
    this.isUp = false
    await this.client.quit().catch(() => this.client.disconnect())
  }
}
