import { writeSync } from 'node:fs'

/** The most that may wait for a reader, in UTF-16 code units; lines beyond it are lost. */
const maxWaiting = 4 * 1024 * 1024

/** How long to wait before a full pipe is tried again, in milliseconds. */
const pause = 5

/** How long a pipe may be full until those who wait are told, and the last lines may take at exit, in milliseconds. */
const patience = 1000

const newline = 10
const nothing = Buffer.alloc(0)
const never = new Int32Array(new SharedArrayBuffer(4))

type Done = (error?: Error) => void

const linesIn = (bytes: Buffer): number => bytes.reduce((count, byte) => byte === newline ? count + 1 : count, 0)

/**
 * Writes lines to a descriptor, and never waits for whoever reads them. What is written within one turn of the event
 * loop goes out at its end, in one piece: under load a write for each line would cost as much as a signature.
 *
 * Every line goes out whole, or is lost whole and counted: when nobody reads a pipe and megabytes wait, when its reader
 * has gone, when the disk is full.
 */
export class LineWriter {
  /** How many lines were lost. */
  lost = 0
  /** Called when lines go out again, with how many were lost meanwhile. */
  onRecovery: (lost: number) => void = () => {}
  #unsaid = 0
  #text = ''
  #textDone: Done[] = []
  /** What is being written. */
  #batch: Buffer = nothing
  #batchDone: Done[] = []
  /** True after a write that stopped in the middle of a line. */
  #isCut = false
  #isScheduled = false
  #fullSince = Infinity

  /** @param fd - a descriptor that does not block: of a regular file, or opened with O_NONBLOCK */
  constructor (public fd: number) {}

  /** @param line - with its newline */
  write (line: string): void {
    this.#add(line)
  }

  /** Like {@link write}. `done` is called once the system has the line, or with an error if it may never get it. */
  deliver (line: string, done: Done): void {
    const isTaken = this.#isStalled() ? this.#lose(1) : this.#add(line)
    if (isTaken) this.#textDone.push(done)
    else done(new Error('nobody reads'))
  }

  /** Replaces the descriptor. Returns the descriptor before. */
  replace (fd: number): number {
    this.#flush()
    this.#isCut = false
    this.#fail(new Error('replaced'))
    const before = this.fd
    this.fd = fd
    return before
  }

  /** Writes what still waits, as the process exits. */
  finish (): void {
    const end = performance.now() + patience
    this.#flush()
    while (this.#fullSince !== Infinity && performance.now() < end) {
      Atomics.wait(never, 0, 0, pause)
      this.#flush()
    }
  }

  /** Returns true if the line was added. */
  #add (line: string): boolean {
    if (this.#batch.length + this.#text.length + line.length > maxWaiting) return this.#lose(1)
    this.#text += line
    if (!this.#isScheduled) {
      this.#isScheduled = true
      setImmediate(() => this.#flush())
    }
    return true
  }

  /** Returns false, the answer to whether lines were added. */
  #lose (lines: number): false {
    this.lost += lines
    this.#unsaid += lines
    return false
  }

  #isStalled (): boolean {
    return performance.now() - this.#fullSince > patience
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
    const lost = this.#unsaid
    this.#unsaid = 0
    if (lost > 0) this.onRecovery(lost)
  }

  #waitForReader (): void {
    this.#fullSince = Math.min(this.#fullSince, performance.now())
    if (this.#isStalled()) this.#tellThoseWhoWait(new Error('nobody reads'))
    this.#isScheduled = true
    setTimeout(() => this.#flush(), pause).unref()
  }

  /** All that waits is lost, but for the end of a line whose beginning has gone out. */
  #fail (error: Error): void {
    const end = this.#isCut ? this.#batch.indexOf(newline) + 1 : 0
    this.#lose(linesIn(this.#batch.subarray(end)) + linesIn(Buffer.from(this.#text)))
    this.#batch = Buffer.from(this.#batch.subarray(0, end))
    this.#text = ''
    this.#fullSince = Infinity
    this.#tellThoseWhoWait(error)
  }

  #tellThoseWhoWait (error: Error): void {
    for (const done of [...this.#batchDone.splice(0), ...this.#textDone.splice(0)]) done(error)
  }
}

/** Where lines can be written to. */
export type LineOutput = Pick<LineWriter, 'write' | 'deliver' | 'lost'>
