import { closeSync, constants, openSync } from 'node:fs'
import { hostname } from 'node:os'
import fp from 'fastify-plugin'
import { ConfigurationError } from '../src/service/configuration.js'
import { LineWriter, type LineOutput } from '../src/service/line-writer.js'
import { Outage } from '../src/service/outage.js'
import { gaugeIn } from '../src/service/prometheus.js'
import { UnrecordedError } from './signing/outcome.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Where decisions are recorded; undefined without AUDIT. */
    auditTrail?: AuditTrail
  }
}

/** How often it is tried whether an audit that failed works again, in milliseconds. */
const retryInterval = 1000

/** What every line has of this process. */
const identity = `"pid":${process.pid},"hostname":${JSON.stringify(hostname())}`

type Log = Pick<Console, 'info' | 'warn' | 'error'>

/** The file of the audit cannot be written to. */
class AuditFileError extends Error {
  override readonly name = 'AuditFileError'
  readonly code = 'ERR_AUDIT_FILE'
}

/** Readable by its owner only, and without waiting for the reader of a named pipe. */
function open (path: string): number {
  const { O_APPEND, O_CREAT, O_NONBLOCK, O_WRONLY } = constants
  try {
    return openSync(path, O_APPEND | O_CREAT | O_NONBLOCK | O_WRONLY, 0o600)
  } catch (cause) {
    throw new AuditFileError(`AUDIT_FILE is "${path}", which cannot be opened (${(cause as NodeJS.ErrnoException).code})`, { cause })
  }
}

/**
 * Where decisions are recorded, a line of JSON each. It says in the log when an outage begins and when it is over, once
 * each, and the trail itself gets a line with how many decisions it lacks.
 */
export class AuditTrail {
  /** Begins when a line is not taken. */
  readonly outage = new Outage()
  readonly #file: LineWriter | undefined
  #unsaid = 0
  #timer: NodeJS.Timeout | undefined

  /**
   * @param path - of a file, which is appended to; empty for `output`
   * @throws AuditFileError the file cannot be opened
   */
  constructor (
    private readonly path: string, private readonly output: LineOutput, private readonly log: Log,
    private readonly redactLine: (line: string) => string
  ) {
    if (path !== '') this.output = this.#file = new LineWriter(open(path))
  }

  /** Resolves once the operating system has the line. Rejects with an UnrecordedError if that may not happen. */
  record (fields: object): Promise<void> {
    return new Promise((resolve, reject) => this.#write(30, fields, 'decision', error => {
      if (error === undefined) return resolve()
      this.#unsaid++
      this.#fail(error)
      reject(new UnrecordedError('The decision could not be recorded', { cause: error }))
    }))
  }

  /** Opens the file anew, as after a rotation; one that cannot be opened leaves the trail where it was. */
  reopen (): void {
    if (this.#file === undefined) return
    try {
      closeSync(this.#file.replace(open(this.path)))
      this.log.info('AUDIT_FILE was opened anew')
    } catch (error) {
      this.log.error({ reason: (error as Error).message }, 'AUDIT_FILE stays as it was')
    }
  }

  /** After the last decision. */
  close (): void {
    clearTimeout(this.#timer)
    this.#file?.finish()
  }

  /** A line as the log has them. */
  #write (level: number, fields: object, msg: string, done: (error?: Error) => void): void {
    const text = JSON.stringify(fields).slice(1, -1)
    this.output.deliver(this.redactLine(`{"level":${level},"time":${Date.now()},${identity},${text},"msg":"${msg}"}\n`), done)
  }

  #fail (error: NodeJS.ErrnoException): void {
    if (!this.outage.begins()) return
    this.log.error({ reason: error.code ?? error.message }, 'decisions cannot be recorded')
    this.#retryLater()
  }

  #retryLater (): void {
    this.#timer = setTimeout(() => this.#retry(), retryInterval).unref()
  }

  #retry (): void {
    const lost = this.#unsaid
    this.#write(40, { lost }, 'decisions were not recorded', error => {
      if (error !== undefined) return this.#retryLater()
      this.outage.ends()
      this.#unsaid -= lost
      this.log.warn({ lost }, 'decisions are recorded again')
    })
  }
}

interface AuditTrailOptions {
  /** Where decisions go without AUDIT_FILE. */
  output: LineOutput
}

/** The trail that AUDIT and AUDIT_FILE ask for. With AUDIT=required the service is ready only while it works. */
export default fp<AuditTrailOptions>(async function auditTrail (app, { output }) {
  const { AUDIT, AUDIT_FILE } = app.config
  if (AUDIT === 'false') {
    if (AUDIT_FILE === '') return
    throw new ConfigurationError(['AUDIT_FILE is set, but AUDIT is false; set AUDIT to true or required'])
  }
  const trail = new AuditTrail(AUDIT_FILE, output, app.log, line => app.merchantToken.redactLine(line))
  app.decorate('auditTrail', trail)
  const { metrics } = app
  if (metrics) await gaugeIn(metrics, 'payment_signature_audit_up', 'Whether decisions can be recorded (1) or not (0).', () => Number(!trail.outage.isOut))
  if (AUDIT_FILE !== '') app.watchedFiles.push({ reload: () => trail.reopen() })
  app.addHook('onClose', async () => trail.close())
  if (AUDIT === 'required') app.readinessChecks.push(() => trail.outage.isOut ? 'audit unavailable' : '')
}, { name: 'audit-trail', dependencies: ['env', 'readiness'] })
