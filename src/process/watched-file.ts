import { constants } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { Outage } from '../telemetry/log-limits.js'
import { counterIn } from '../telemetry/prometheus.js'
import { forceExit } from './hang-up.js'

/** Time in which a file must be read, in milliseconds. */
const timeout = 2000

/** Maximum number of readings that hang. Each blocks one of the four threads that Node.js has for files and DNS. */
const maxHanging = 2
let hanging = 0

/** A file whose content may change while the service runs. */
interface WatchedContent<T> {
  /** The path of the file. */
  readonly path: string
  /** Name of the setting, such as MERCHANT_TOKEN_FILE. */
  readonly setting: string
  /** Name of the content, as in "the merchant token was replaced". */
  readonly name: string
  /** Describes the content in use, as in "key check value 02672b". */
  readonly state: () => string
  /** Opens the file with the flag and reads it. Rejects with an error whose message is for the log. */
  readonly read: (flag: number) => Promise<T>
  /** Replaces the content in use. Returns true if the new content differs. */
  readonly use: (content: T) => boolean | Promise<boolean>
  /** Counts the result of a reading. */
  readonly count: (result: ReloadResult) => void
}

/** Result of reading a file again. */
type ReloadResult = 'replaced' | 'unchanged' | 'failed'

type Log = Pick<Console, 'info' | 'error'>

/** Polls a file and reloads it on request. Invalid content is logged and ignored. */
export class WatchedFile<T> {
  readonly #outage = new Outage()
  #reading = Promise.resolve()
  #isRegular = true
  #isClosed = false
  #timer: NodeJS.Timeout | undefined

  constructor (private readonly content: WatchedContent<T>, private readonly log: Log) {}

  /**
   * Starts to poll the file's content. `fs.watch` would miss an update by Kubernetes, which swaps a symlink in the
   * path. `fs.watchFile` compares only metadata: a reading that failed would not be repeated until the next change.
   *
   * @param interval - in milliseconds
   */
  async watch (interval: number): Promise<void> {
    this.#isRegular = (await stat(this.content.path)).isFile()
    if (!this.#isRegular) return // a pipe is empty after the first reading
    let isReading = false
    this.#timer = setInterval(async () => {
      if (isReading) return // readings that take longer than the interval must not queue up
      isReading = true
      await this.reload(false)
      isReading = false
    }, interval).unref()
  }

  /**
   * Reads the file again and logs the result. Never rejects.
   *
   * @param isAsked - true: log each result; false: log only changes
   */
  reload (isAsked = true): Promise<void> {
    // In sequence: an older reading must not replace a newer one.
    this.#reading = this.#reading.then(() => this.#reload(isAsked))
    return this.#reading
  }

  async #reload (isAsked: boolean): Promise<void> {
    if (this.#isClosed) return
    const { setting, name, state, use, count } = this.content
    if (!this.#isRegular) return this.log.info(`${setting} is not a regular file: it is read only once`)
    let isNews
    try {
      const content = await this.#read()
      if (this.#isClosed) return
      isNews = await use(content)
    } catch (error) {
      if (this.#isClosed) return
      const { message } = error as Error
      const isNewFault = this.#outage.begins(message)
      if (isNewFault || isAsked) this.log.error(`${message}; keeping the current ${name}, ${state()}`)
      return count('failed')
    }
    const hadFault = this.#outage.ends()
    if (isNews) this.log.info(`the ${name} was replaced, ${state()}`)
    else if (isAsked || hadFault) this.log.info(`the ${name} is unchanged, ${state()}`)
    count(isNews ? 'replaced' : 'unchanged')
  }

  async #read (): Promise<T> {
    const { path, setting, read } = this.content
    if (hanging >= maxHanging) throw new Error(`${setting} cannot be read: earlier readings hang`)
    const reading = stat(path).then(stats => stats.isFile(), () => true).then(isRegular => {
      if (!isRegular) throw new Error(`${setting} is not a regular file`)
      return read(constants.O_RDONLY | constants.O_NONBLOCK) // does not wait for the writer of a pipe
    })
    const hasEnded = reading.then(() => true, () => true)
    const isLate = new Promise<false>(resolve => setTimeout(resolve, timeout, false).unref())
    if (await Promise.race([hasEnded, isLate])) return reading
    hanging++
    process.once('exit', forceExit)
    hasEnded.then(() => {
      hanging--
      process.off('exit', forceExit)
    })
    throw new Error(`${setting} cannot be read: the file system does not answer`)
  }

  /** Stops polling. Resolves when the current reading has ended or has timed out. */
  close (): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    return this.#reading
  }
}

interface WatchOptions {
  metrics?: Registry | undefined
  /** Receives the file, so that it can be read again on request. */
  watchedFiles?: Array<{ reload (isAsked?: boolean): unknown }> | undefined
  /** In milliseconds. */
  policyPollInterval: number
}

/**
 * Watches a file until the app closes.
 *
 * @param metric - name and help of the counter of the readings
 */
export async function watchFile<T> (
  app: FastifyInstance, content: Omit<WatchedContent<T>, 'count'>, metric: readonly [name: string, help: string],
  { metrics, watchedFiles, policyPollInterval }: WatchOptions
): Promise<void> {
  const reloads = metrics && await counterIn(metrics, ...metric, ['result'])
  for (const result of ['replaced', 'unchanged', 'failed']) reloads?.inc({ result }, 0)
  const file = new WatchedFile({ ...content, count: result => reloads?.inc({ result }) }, app.log)
  app.addHook('onClose', () => file.close())
  watchedFiles?.push(file)
  await file.watch(policyPollInterval)
}
