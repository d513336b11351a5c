import { setTimeout } from 'node:timers/promises'
import type { Redis } from 'ioredis'

/** How long Redis may take to answer, or to take a connection, in milliseconds: what a request waits at most. */
const timeout = 500

/** The log that is told of an outage; pino's, for one. */
export interface OutageLog {
  warn (details: object, message: string): void
  info (message: string): void
}

/** Why Redis failed. Not the error's message: servers quote the command that they refuse, and AUTH has the password. */
function reasonOf ({ code, message }: NodeJS.ErrnoException): string {
  return code ?? /^[A-Z]{2,}\b/.exec(message)?.[0] ?? 'no answer'
}

/**
 * A connection to Redis or Valkey that does not make its user wait. What cannot be sent right now fails at once, and is
 * not sent later; what gets no answer fails after half a second. It connects again on its own, and says in the log when
 * an outage begins and when it is over, once each.
 */
export class RedisConnection {
  readonly client: Redis
  readonly #log: OutageLog
  #state: 'starting' | 'up' | 'down' | 'closed' = 'starting'

  private constructor (client: Redis, log: OutageLog) {
    this.client = client
    this.#log = log
    client.on('error', error => this.failed(error))
    client.on('close', () => this.failed(new Error('connection closed')))
  }

  /**
   * Resolves once Redis is there, or has turned out not to be; never rejects for want of it.
   *
   * @param url - a redis: or rediss: URL
   */
  static async open (url: string, log: OutageLog): Promise<RedisConnection> {
    const { Redis } = await import('ioredis')
    const connection = new RedisConnection(new Redis(url, {
      lazyConnect: true,
      connectTimeout: timeout,
      commandTimeout: timeout,
      socketTimeout: timeout, // ends a connection whose other end is silent, so that only the first requests wait
      disconnectTimeout: timeout,
      maxLoadingRetryTime: timeout,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false, // they have failed, and would count a second time
      maxRetriesPerRequest: 0, // fails what is unanswered when the connection ends
      retryStrategy: attempt => Math.min(50 * 2 ** attempt, 1000), // milliseconds
      reconnectOnError: ({ message }) => message.startsWith('READONLY') // the primary has moved behind its name
    }), log)
    const { client } = connection
    const verdict = client.connect().then(() => connection.#probe()).catch(() => {})
    await Promise.race([verdict, setTimeout(2 * timeout, null, { ref: false })])
    if (!connection.isUp) connection.failed(new Error('no answer')) // it may be loading, for minutes
    client.on('ready', () => connection.#probe())
    return connection
  }

  get isUp (): boolean {
    return this.#state === 'up'
  }

  /** A command was answered. */
  succeeded (): void {
    if (this.#state === 'down') this.#log.info('Redis is back')
    if (this.#state !== 'closed') this.#state = 'up'
  }

  /** A command or the connection failed. */
  failed (error: Error): void {
    if (this.#state !== 'starting' && this.#state !== 'up') return
    this.#state = 'down'
    this.#log.warn({ reason: reasonOf(error) }, 'Redis is unavailable')
  }

  /** That it answers does not say that it counts: a replica or a full one refuses to write. */
  async #probe (): Promise<void> {
    try {
      await this.client.set('payment-signature:probe', '', 'PX', timeout)
      this.succeeded()
    } catch (error) {
      this.failed(error as Error)
    }
  }

  /** Ends the connection. Takes no longer than a command, even if Redis does not answer. */
  async close (): Promise<void> {
    this.#state = 'closed'
    await this.client.quit().catch(() => this.client.disconnect())
  }
}
