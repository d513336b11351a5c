import { setTimeout as wait } from 'node:timers/promises'
import type { SecureContext } from 'node:tls'
import type { Cluster, Redis } from 'ioredis'
import { parseRedisUrl, type RedisAddress } from '../configuration/redis-url.js'
import { Outage } from '../telemetry/outage.js'
import { redisClient, timeout } from './redis-client.js'

/** Time without a failure after which a Cluster counts as available again, in milliseconds. */
const recoveryDelay = 1000

type Log = Pick<Console, 'info' | 'warn'>

/** Error for a URL that does not fit the server. The message is for the log. */
class MisleadingUrlError extends Error {}

const kinds = {
  cluster: 'it is a node of a Cluster: the URL has to begin with redis+cluster:// or rediss+cluster://',
  sentinel: 'it is a Sentinel: the URL has to be redis+sentinel://host,host?name=primary, or rediss+sentinel:// for TLS'
}

/** Messages of ioredis for a URL that does not fit the server, each with an explanation. */
const explanations: ReadonlyArray<readonly [RegExp, string]> = [
  [/cluster support disabled/, 'it is not a Cluster: the URL has to begin with redis:// or rediss://'],
  [/^All sentinels .*unknown command/, 'it is not a Sentinel: the URL has to begin with redis:// or rediss://'],
  [/^All sentinels .*No such master/, 'no Sentinel knows a primary of the name in the URL'],
  // Without this, ioredis goes on in database 0.
  [/^ERR DB index is out of range/, 'the server has no database of the number in the URL'],
  [/^NOPERM .*'select'/, 'the user may not select the database in the URL: it needs +select']
]

/** Returns the cause of an error. If no node of a Cluster can be used, the cause is the error of the last node. */
function explained (error: Error & { lastNodeError?: Error }): Error {
  const cause = error.lastNodeError ?? error
  const [, text] = explanations.find(([pattern]) => pattern.test(cause.message)) ?? []
  return text === undefined ? cause : new MisleadingUrlError(text)
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
  #recovery: NodeJS.Timeout | undefined

  private constructor (
    readonly client: Redis | Cluster, private readonly kind: RedisAddress['kind'], private readonly log: Log
  ) {
    client.on('error', error => this.failed(error))
    client.on('close', () => this.failed(new Error('connection closed')))
  }

  /**
   * Opens a connection. Resolves also if Redis is unavailable.
   *
   * @param url - see {@link parseRedisUrl}
   * @param certificate - returns the client certificate, for servers that request one
   * @throws TypeError the URL is malformed
   * @throws Error the URL has the scheme of another kind of server, or a database that cannot be selected
   */
  static async open (url: string, log: Log, certificate?: () => SecureContext): Promise<RedisConnection> {
    const address = parseRedisUrl(url)
    if (address === undefined) throw new TypeError('the URL of Redis is malformed')
    const connection = new RedisConnection(await redisClient(address, certificate), address.kind, log)
    const { client } = connection
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
    if (this.#recovery !== undefined || this.#isClosed) return
    this.isUp = true
    if (this.#outage.ends()) this.log.info('Redis is back')
  }

  /** Records that a command or the connection failed. */
  failed (error: Error): void {
    if (this.#isClosed) return
    const cause = explained(error)
    if (cause instanceof MisleadingUrlError) this.#mistake = cause
    if (this.kind === 'cluster') this.#delayRecovery()
    this.isUp = false
    const reason = reasonOf(cause)
    if (this.#outage.begins(reason)) this.log.warn({ reason: reason ?? 'no answer' }, 'Redis is unavailable')
  }

  /** Delays the recovery of a Cluster: while one node fails and others answer, its state would change all the time. */
  #delayRecovery (): void {
    clearTimeout(this.#recovery)
    this.#recovery = setTimeout(() => {
      this.#recovery = undefined
      this.#probe()
    }, recoveryDelay).unref()
  }

  /** Writes a key. An answer is not enough: a replica, and a server whose memory is full, answer but refuse writes. */
  async #probe (): Promise<void> {
    try {
      if (this.kind === 'single') await this.#assertSingle()
      await this.client.set('payment-signature:probe', '', 'PX', timeout)
      this.succeeded()
    } catch (error) {
      this.failed(error as Error)
    }
  }

  /** Throws for a node of a Cluster, which would count a part of the keys, and for a Sentinel, which counts none. */
  async #assertSingle (): Promise<void> {
    const information = await this.client.info('server').catch(() => '') // the user may have no right to it
    const kind = /^(?:redis|server)_mode:(cluster|sentinel)\b/m.exec(information)?.[1] as keyof typeof kinds | undefined
    if (kind === undefined) return
    this.client.disconnect()
    throw new MisleadingUrlError(kinds[kind])
  }

  /** Closes the connection within the time-out of a command, even if Redis does not answer. */
  async close (): Promise<void> {
    this.#isClosed = true
    this.isUp = false
    clearTimeout(this.#recovery)
    await this.client.quit().catch(() => this.client.disconnect())
  }
}
