import { stat } from 'node:fs/promises'

/** A file whose content is used, and may be replaced while it is. */
interface WatchedContent<T> {
  /** The path of the file. */
  readonly path: string
  /** Where it was configured, such as MERCHANT_TOKEN_FILE. */
  readonly setting: string
  /** What it holds, as in "the merchant token was replaced". */
  readonly name: string
  /** Which one is in use, as in "key check value 02672b". */
  readonly state: () => string
  /** Rejects with what is wrong with the file, as the log is to have it. */
  readonly read: () => Promise<T>
  /** From now on uses what was read. Returns whether it is another than before. */
  readonly use: (content: T) => boolean | Promise<boolean>
  /** Is told what came of each reading. */
  readonly count: (result: ReloadResult) => void
}

/** What came of reading a file again. */
export type ReloadResult = 'replaced' | 'unchanged' | 'failed'

type Log = Pick<Console, 'info' | 'error'>

/** Reads a file again and again, and when asked to. One that cannot be used leaves what is in use as it is. */
export class WatchedFile<T> {
  /** Why the file could not be used when it was read last; empty if it could. */
  #fault = ''
  #reading = Promise.resolve()
  #isRegular = true
  #isClosed = false
  #timer: NodeJS.Timeout | undefined

  constructor (private readonly content: WatchedContent<T>, private readonly log: Log) {}

  /**
   * Starts to poll the file's content. A watcher would miss what Kubernetes does: it swaps a symlink further up the
   * path.
   *
   * @param interval - in milliseconds
   */
  async watch (interval: number): Promise<void> {
    this.#isRegular = (await stat(this.content.path)).isFile()
    // A pipe has nothing more to give, and might block.
    if (this.#isRegular) this.#timer = setInterval(() => this.reload(false), interval).unref()
  }

  /**
   * Reads the file again, and says in the log what came of it. Never rejects.
   *
   * @param isAsked - somebody waits for the outcome; otherwise only news are logged
   */
  reload (isAsked = true): Promise<void> {
    // One after the other: an older reading must not win, nor a file system that hangs take all of Node's threads.
    this.#reading = this.#reading.then(() => this.#reload(isAsked))
    return this.#reading
  }

  async #reload (isAsked: boolean): Promise<void> {
    if (this.#isClosed) return
    const { setting, name, state, read, use, count } = this.content
    if (!this.#isRegular) return this.log.info(`${setting} is not a regular file: it is read only once`)
    let isNews
    try {
      const content = await read()
      if (this.#isClosed) return
      isNews = await use(content)
    } catch (error) {
      if (this.#isClosed) return
      const { message } = error as Error
      if (isAsked || message !== this.#fault) this.log.error(`${message}; keeping the current ${name}, ${state()}`)
      this.#fault = message
      return count('failed')
    }
    if (isNews) this.log.info(`the ${name} was replaced, ${state()}`)
    else if (isAsked || this.#fault !== '') this.log.info(`the ${name} is unchanged, ${state()}`)
    this.#fault = ''
    count(isNews ? 'replaced' : 'unchanged')
  }

  /** Reads nothing any more. */
  close (): void {
    this.#isClosed = true
    clearInterval(this.#timer)
  }
}
