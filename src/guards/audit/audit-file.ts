import { accessSync, closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, statSync, writeSync, type Stats } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { endOfTurn } from '../../http/end-of-turn.js'
import type { Redactor } from '../../merchants/redactor.js'
import { ConfigurationError, type Environment } from '../../settings/environment.js'
import { reasonOf } from '../../text/read-file.js'

/** Members of every line that identify this process. */
const identity = `"pid":${process.pid},"hostname":${JSON.stringify(hostname())}`

/** Returns a line in the form of the log's lines. */
const lineOf = (level: number, members: object, msg: string): string =>
  `{"level":${level},"time":${Date.now()},${identity},${JSON.stringify(members).slice(1, -1)},"msg":"${msg}"}\n`

const { O_APPEND, O_CREAT, O_NONBLOCK, O_WRONLY } = constants

/** Returns the paths of the log, and of the files that variables name: none of them may be the audit. */
export const otherPaths = ({ POLICY_FILE, MERCHANT_TOKEN_FILE, MERCHANTS_FILE }: Environment): string[] =>
  ['/dev/stdout', '/dev/stderr', '.env', POLICY_FILE, MERCHANT_TOKEN_FILE, MERCHANTS_FILE]

/** True if a file is also at another path. */
function isAt (path: string, { dev, ino }: Stats): boolean {
  try {
    const other = statSync(path)
    return other.dev === dev && other.ino === ino
  } catch { // it does not exist, or cannot be read
    return false
  }
}

/**
 * Opens a file with access for its owner only. A pipe or a device could block, or lose lines. The file of the log is
 * refused, too, because the log writes over lines in it.
 *
 * @param others - paths of other uses
 */
function open (path: string, others: readonly string[], flags = O_CREAT): number {
  const fd = openSync(path, O_APPEND | O_NONBLOCK | O_WRONLY | flags, 0o600)
  const file = fstatSync(fd)
  const isUsed = others.some(other => isAt(other, file))
  if (file.isFile() && !isUsed) return fd
  closeSync(fd)
  throw new Error(isUsed ? 'it is the log, or a file that the service reads' : 'it must be a regular file')
}

/** @throws ConfigurationError `ERR_CONFIGURATION`: the file cannot be opened */
function assertUsable (path: string, use: () => void): void {
  try {
    use()
  } catch (error) {
    throw new ConfigurationError(`AUDIT_FILE is "${path}", which cannot be opened (${reasonOf(error)})`)
  }
}

/**
 * Checks an audit file without creating it: the service may run as another user.
 *
 * @throws ConfigurationError `ERR_CONFIGURATION`
 */
export const checkAuditFile = (path: string, others: readonly string[]): void => assertUsable(path, () => {
  try {
    closeSync(open(path, others, 0))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    const isLink = lstatSync(path, { throwIfNoEntry: false }) !== undefined
    const target = isLink ? resolve(dirname(path), readlinkSync(path)) : path
    accessSync(target.endsWith('/') ? target : dirname(target), constants.W_OK)
  }
})

interface Log { error (fields: object, text: string): void, warn (fields: object, text: string): void }

/**
 * File of decisions, a line of JSON each. A line is written before its response is sent, with a synchronous call of
 * some microseconds: no library reports which lines the operating system has.
 */
export class AuditFile {
  /** Cause why the last line could not be written. */
  #fault: string | undefined
  #fd = -1
  /** True if the file may end in the middle of a line. */
  #isCut = false
  #text = ''
  #lines = 0
  /** Number of the lines that could not be written and that no line reports yet. */
  #lost = 0
  #turn: Promise<void> | undefined

  /** @throws ConfigurationError `ERR_CONFIGURATION`: the file cannot be opened */
  constructor (
    private readonly path: string,
    private readonly others: readonly string[],
    private readonly log: Log,
    private readonly redactor: Redactor
  ) {
    assertUsable(path, () => { this.#fd = open(path, others) })
    this.#isCut = fstatSync(this.#fd).size > 0
    this.#probe()
  }

  /**
   * Records an entry. Resolves when the operating system has the whole line. The lines of a turn of the event loop
   * are written together: if the write is cut short, all their responses fail, though some lines may be whole.
   */
  write (entry: object): Promise<void> {
    this.#text += this.redactor.redact(lineOf(30, entry, 'decision'))
    this.#lines++
    this.#turn ??= endOfTurn().then(() => this.#flush())
    return this.#turn
  }

  /** Returns true during an outage, and tries to end it: without requests nothing else would. */
  isStillDown (): boolean {
    if (this.#fault !== undefined) this.#probe()
    return this.#fault !== undefined
  }

  #probe (): void {
    try {
      this.#append('')
    } catch {} // the log has the reason
  }

  #flush (): void {
    const [text, lines] = [this.#text, this.#lines]
    this.#turn = undefined
    this.#text = ''
    this.#lines = 0
    try {
      this.#append(text)
    } catch (error) {
      this.#lost += lines
      throw error
    }
  }

  /** Appends lines, and before them the end of a cut line and the number of lost lines. */
  #append (text: string): void {
    const lost = this.#lost
    try {
      this.#follow()
      const report = lost === 0 ? '' : lineOf(40, { lost }, 'decisions were not recorded')
      const head = `${this.#isCut ? '\n' : ''}${report}`
      const bytes = Buffer.from(head + text)
      if (bytes.length > 0) {
        const written = writeSync(this.#fd, bytes)
        if (written > 0) this.#isCut = written < bytes.length
        if (written >= Buffer.byteLength(head)) this.#lost -= lost // the report is there, even if the text is cut
        if (written < bytes.length) throw new Error('a line was cut')
      }
    } catch (error) {
      const cause = reasonOf(error)
      if (cause !== this.#fault) this.log.error({ file: this.path, cause }, 'decisions cannot be recorded')
      this.#fault = cause
      throw new Error(cause)
    }
    if (this.#fault !== undefined) this.log.warn({ lost }, 'decisions are recorded again')
    this.#fault = undefined
  }

  /** Opens the file again if it was moved, deleted or replaced, as by logrotate. */
  #follow (): void {
    const found = statSync(this.path, { throwIfNoEntry: false })
    const opened = fstatSync(this.#fd)
    if (found?.ino === opened.ino && found.dev === opened.dev) return
    const fd = open(this.path, this.others)
    closeSync(this.#fd)
    this.#fd = fd
    this.#isCut = fstatSync(fd).size > 0
  }

  close (): void {
    closeSync(this.#fd)
    this.#fd = -1
  }
}

/**
 * Opens AUDIT_FILE until the app closes. Returns the function that writes to it.
 *
 * @throws ConfigurationError `ERR_CONFIGURATION`: the file cannot be opened
 */
export function openAuditFile (app: FastifyInstance): (entry: object) => Promise<void> {
  const file = new AuditFile(app.config.AUDIT_FILE, otherPaths(app.config), app.log, app.redactor)
  app.readiness.push(() => file.isStillDown() ? 'audit unavailable' : '')
  app.addHook('onClose', async () => file.close())
  return entry => file.write(entry)
}
