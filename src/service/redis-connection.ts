import { setTimeout as wait } from 'node:timers/promises'
import type { SecureContext } from 'node:tls'
import type { Cluster, Redis } from 'ioredis'
import { Outage } from './outage.js'
import { redisClient, timeout } from './redis-client.js'
import { parseRedisUrl, type RedisAddress } from './redis-url.js'

/** How long nothing may have failed before a Cluster counts as back, in milliseconds. */
const calm = 1000

type Log = Pick<Console, 'info' | 'warn'>

/** The URL leads to another kind of server than it says. Its message is for the log. */
class MisleadingUrlError extends Error {}

const kinds = {
  cluster: 'it is a node of a Cluster: the URL has to begin with redis+cluster:// or rediss+cluster://',
  sentinel: 'it is a Sentinel: the URL has to be redis+sentinel://host,host?name=primary, or rediss+sentinel:// for TLS'
}

/** What ioredis says if a Cluster or a Sentinel is none, and what it is. */
const explanations: ReadonlyArray<readonly [RegExp, string]> = [
  [/cluster support disabled/, 'it is not a Cluster: the URL has to begin with redis:// or rediss://'],
  [/^All sentinels .*unknown command/, 'it is not a Sentinel: the URL has to begin with redis:// or rediss://'],
  [/^All sentinels .*No such master/, 'no Sentinel knows a primary of the name in the URL']
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
 * A connection to Redis or Valkey that does not make its user wait. A command that cannot be sent fails at once and is
 * not sent later. A command without an answer fails after half a second. The connection reconnects by itself. The log
 * gets a line when an outage begins, changes its reason, or ends.
 */
export class RedisConnection {
  isUp = false
  #isClosed = false
  readonly #outage = new Outage()
  #mistake: MisleadingUrlError | undefined
  #calming: NodeJS.Timeout | undefined

  private constructor (
    readonly client: Redis | Cluster, private readonly kind: RedisAddress['kind'], private readonly log: Log
  ) {
    client.on('error', error => this.failed(error))
    client.on('close', () => this.failed(new Error('connection closed')))
  }

  /**
   * Resolves once Redis is there, or has turned out not to be; does not reject for want of it.
   *
   * @param url - see {@link parseRedisUrl}
   * @param certificate - who we are, for servers that ask
   * @throws that the URL is none, or leads to another kind of server than it says
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
    if (!connection.isUp) connection.failed(new Error('no answer')) // it may be loading, for minutes
    client.on('ready', () => connection.#probe())
    return connection
  }

  /** A command was answered. */
  succeeded (): void {
    if (this.#calming !== undefined || this.#isClosed) return
    this.isUp = true
    if (this.#outage.ends()) this.log.info('Redis is back')
  }

  /** A command or the connection failed. */
  failed (error: Error): void {
    if (this.#isClosed) return
    const cause = explained(error)
    if (cause instanceof MisleadingUrlError) this.#mistake = cause
    if (this.kind === 'cluster') this.#calm()
    this.isUp = false
    const reason = reasonOf(cause)
    if (this.#outage.begins(reason)) this.log.warn({ reason: reason ?? 'no answer' }, 'Redis is unavailable')
  }

  /** While one node of a Cluster fails, others answer: without a pause it would be down and back with each request. */
  #calm (): void {
    clearTimeout(this.#calming)
    this.#calming = setTimeout(() => {
      this.#calming = undefined
      this.#probe()
    }, calm).unref()
  }

  /** That it answers does not say that it counts: a replica or a full one refuses to write. */
  async #probe (): Promise<void> {
    try {
      if (this.kind === 'single') await this.#assertSingle()
      await this.client.set('payment-signature:probe', '', 'PX', timeout)
      this.succeeded()
    } catch (error) {
      this.failed(error as Error)
    }
  }

  /** A node of a Cluster would count a part of the keys, and a Sentinel none. */
  async #assertSingle (): Promise<void> {
    const information = await this.client.info('server').catch(() => '') // which its user may have no right to
    const kind = /^(?:redis|server)_mode:(cluster|sentinel)\b/m.exec(information)?.[1] as keyof typeof kinds | undefined
    if (kind === undefined) return
    this.client.disconnect()
    throw new MisleadingUrlError(kinds[kind])
  }

  /** Ends the connection. Takes no longer than a command, even if Redis does not answer. */
  async close (): Promise<void> {
    this.#isClosed = true
    this.isUp = false
    clearTimeout(this.#calming)
    await this.client.quit().catch(() => this.client.disconnect())
  }
}
