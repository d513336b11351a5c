import { closeSync, writeSync } from 'node:fs'

/** Limit of the text that waits for a reader, in UTF-16 code units. Lines beyond it are lost. */
const maxWaiting = 4 * 1024 * 1024

/** Time between two writes to a full pipe, in milliseconds. */
const retryInterval = 5

/** Time after which lines with a callback fail at a full pipe, and time for the last lines at exit, in milliseconds. */
const stallTimeout = 1000

const newline = 10
const nothing = Buffer.alloc(0)
const never = new Int32Array(new SharedArrayBuffer(4))

type Done = (error?: Error) => void

/** Returns the number of lines that are not empty. */
const linesIn = (bytes: Buffer): number =>
  bytes.reduce((count, byte, at) => byte === newline && at > 0 && bytes[at - 1] !== newline ? count + 1 : count, 0)

/**
 * Writes lines to a descriptor without waiting for a reader. The lines of one turn of the event loop are written
 * together at its end: under load a separate write for each line would cost as much as a signature.
 *
 * Each line is written as a whole, or lost as a whole and counted. Lines are lost when megabytes wait in a pipe that
 * nobody reads, when the pipe's reader has gone, and when the disk is full. `sonic-boom`, the writer of pino, reports
 * neither which lines are written, as `AUDIT=required` needs, nor how many are lost.
 */
export class LineWriter {
  /** Number of lost lines. */
  lost = 0
  /** Called after the first successful write, with the number of lines that were lost before. */
  onRecovery: (lost: number) => void = () => {}
  #unreported = 0
  #text = ''
  #textDone: Done[] = []
  /** Bytes that are being written. */
  #batch: Buffer = nothing
  #batchDone: Done[] = []
  /** True after a write that stopped in the middle of a line. */
  #isCut = false
  #isScheduled = false
  #fullSince = Infinity
  #retry: NodeJS.Timeout | undefined

  /** @param fd - a non-blocking descriptor: of a regular file, or opened with O_NONBLOCK */
  constructor (public fd: number) {}

  /**
   * Writes a line. A line with `done` is lost while a pipe stalls: its caller waits.
   *
   * @param line - with a trailing newline
   * @param done - called once the system has the line, or with an error if the line may be lost
   */
  write (line: string, done?: Done): void {
    const isFull = this.#batch.length + this.#text.length + line.length > maxWaiting
    if (isFull || (done !== undefined && this.#isStalled())) {
      this.#lose(1)
      return done?.(new Error('nobody reads'))
    }
    this.#text += line
    if (done !== undefined) this.#textDone.push(done)
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#flush())
  }

  /** Replaces the descriptor. Returns the previous descriptor. */
  replace (fd: number): number {
    this.#flush()
    this.#isCut = false
    this.#fail(new Error('replaced'))
    const before = this.fd
    this.fd = fd
    return before
  }

  /** Writes the remaining lines when the process exits. */
  finish (): void {
    const end = performance.now() + stallTimeout
    this.#flush()
    while (this.#fullSince !== Infinity && performance.now() < end) {
      Atomics.wait(never, 0, 0, retryInterval)
      this.#flush()
    }
  }

  /** Writes the remaining lines, if there is space, and closes the descriptor. */
  close (): void {
    this.finish()
    clearTimeout(this.#retry)
    this.#batch = nothing
    this.#text = ''
    closeSync(this.fd)
  }

  #lose (lines: number): void {
    this.lost += lines
    this.#unreported += lines
  }

  #isStalled (): boolean {
    return performance.now() - this.#fullSince > stallTimeout
  }

  #flush (): void {
    this.#isScheduled = false
    while (this.#batch.length > 0 || this.#text !== '') {
      if (this.#batch.length === 0) {
        this.#batch = Buffer.from(this.#text)
        this.#batchDone = this.#textDone
        this.#text = ''
        this.#textDone = []
      }
      try {
        const taken = writeSync(this.fd, this.#batch)
        this.#isCut = this.#batch[taken - 1] !== newline
        this.#batch = this.#batch.subarray(taken)
      } catch (error) {
        return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? this.#waitForReader() : this.#fail(error as Error)
      }
      this.#fullSince = Infinity
      if (this.#batch.length === 0) this.#succeed()
    }
  }

  #succeed (): void {
    for (const done of this.#batchDone.splice(0)) done()
    const lost = this.#unreported
    this.#unreported = 0
    if (lost > 0) this.onRecovery(lost)
  }

  #waitForReader (): void {
    this.#fullSince = Math.min(this.#fullSince, performance.now())
    if (this.#isStalled()) this.#failDeliveries(new Error('nobody reads'))
    this.#isScheduled = true
    clearTimeout(this.#retry) // `finish` and `replace` flush before the timer does
    this.#retry = setTimeout(() => this.#flush(), retryInterval).unref()
  }

  /**
   * Drops all lines that wait, except the end of a line whose beginning is written. After a full disk an empty line
   * comes first: if another process writes to the same file, its last line may have no end yet.
   */
  #fail (error: NodeJS.ErrnoException): void {
    const end = this.#isCut ? this.#batch.indexOf(newline) + 1 : 0
    this.#lose(linesIn(this.#batch.subarray(end)) + linesIn(Buffer.from(this.#text)))
    const rest = this.#batch.subarray(0, end)
    this.#batch = Buffer.from(error.code === 'ENOSPC' && !this.#isCut ? '\n' : rest)
    this.#text = ''
    this.#fullSince = Infinity
    this.#failDeliveries(error)
  }

  #failDeliveries (error: Error): void {
    for (const done of [...this.#batchDone.splice(0), ...this.#textDone.splice(0)]) done(error)
  }
}

/**
 * Standard output, for the log and the audit. Lines bypass `process.stdout`, whose first use, here, makes a pipe
 * non-blocking. In a worker thread it has no descriptor.
 */
export const stdout = new LineWriter(process.stdout.fd ?? 1)

process.once('exit', () => stdout.finish())
