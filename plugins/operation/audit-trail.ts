import { closeSync, constants, fstatSync, openSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import fp from 'fastify-plugin'
import { ConfigurationError } from '../../src/settings/environment.js'
import { LineWriter } from './line-writer.js'
import { Outage } from '../../src/telemetry/log-limits.js'
import type { LineOutput } from '../../src/signing/options.js'
import { gaugeIn } from '../../src/telemetry/prometheus.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Destination of the decisions; undefined without AUDIT. */
    auditTrail?: AuditTrail
  }
}

/** Interval of the checks of the file's identity and, during an outage, of the recovery, in milliseconds. */
const interval = 1000

/** Members of every line that identify this process. */
const identity = `"pid":${process.pid},"hostname":${JSON.stringify(hostname())}`

type Log = Pick<Console, 'info' | 'warn' | 'error'>

/** Opens a file with access for its owner only, without waiting for the reader of a named pipe. */
function open (path: string): number {
  const { O_APPEND, O_CREAT, O_NONBLOCK, O_WRONLY } = constants
  try {
    return openSync(path, O_APPEND | O_CREAT | O_NONBLOCK | O_WRONLY, 0o600)
  } catch (cause) {
    throw new ConfigurationError(`AUDIT_FILE is "${path}", which cannot be opened (${(cause as NodeJS.ErrnoException).code})`, { cause })
  }
}

/**
 * Records decisions, a line of JSON each. The log gets a line when an outage begins, when its reason changes, and when
 * it ends. The trail itself gets a line with the number of decisions that it lacks.
 */
export class AuditTrail {
  /** Begins when a line cannot be written, or when the file is gone and cannot be opened again. */
  readonly outage = new Outage()
  readonly #file: LineWriter | undefined
  /** Reason for which the file at the path could not be opened again. */
  #fault: Error | undefined
  #checkedAt = performance.now()
  #unreported = 0
  #isClosed = false
  #timer: NodeJS.Timeout | undefined

  /**
   * @param path - path of a file, to which lines are appended; empty for `output`
   * @throws ConfigurationError `ERR_CONFIGURATION`: the file cannot be opened
   */
  constructor (
    private readonly path: string, private readonly output: LineOutput, private readonly log: Log,
    private readonly redactLine: (line: string) => string
  ) {
    if (path !== '') this.output = this.#file = new LineWriter(open(path))
    // A process that ended on a full disk may have left a line without its end. The disk may still be full.
    if (this.#file !== undefined && fstatSync(this.#file.fd).size > 0) this.#file.write('\n', error => error && this.#fail(error))
    this.#probeLater()
  }

  /** Calls `done` once the operating system has the line, or with an error if it may never have the line. */
  record (fields: object, done: (error?: Error) => void): void {
    this.#write(30, fields, 'decision', error => {
      if (error !== undefined) {
        this.#unreported++
        this.#fail(error)
      }
      done(error)
    })
  }

  /** Opens the file again if the path leads to another file, or if the file is gone. */
  reload (): void {
    this.#checkedAt = performance.now()
    if (this.#file === undefined || this.#isClosed) return
    try {
      const found = statSync(this.path, { throwIfNoEntry: false })
      const opened = fstatSync(this.#file.fd)
      if (found?.ino !== opened.ino || found.dev !== opened.dev) {
        closeSync(this.#file.replace(open(this.path)))
        this.log.info('AUDIT_FILE was opened again')
      }
      this.#fault = undefined
    } catch (error) {
      this.#fault = error as Error
      this.#fail(this.#fault)
    }
  }

  /** Writes the remaining lines, closes the file and stops the checks. */
  close (): void {
    clearTimeout(this.#timer)
    this.#isClosed = true
    this.#file?.close()
  }

  /** Writes a line in the form of the log's lines. */
  #write (level: number, fields: object, msg: string, done: (error?: Error) => void): void {
    // The timer is late under load.
    if (performance.now() - this.#checkedAt > interval) this.reload()
    if (this.#fault !== undefined) return done(this.#fault)
    const text = JSON.stringify(fields).slice(1, -1)
    const line = `{"level":${level},"time":${Date.now()},${identity},${text},"msg":"${msg}"}\n`
    this.output.write(this.redactLine(line), error => done(error ?? undefined)) // a stream of Node.js passes null
  }

  #fail (error: NodeJS.ErrnoException): void {
    const reason = error instanceof ConfigurationError ? error.message : error.code ?? error.message
    if (!this.outage.begins(reason)) return
    this.log.error({ file: this.path || 'standard output', reason }, 'decisions cannot be recorded')
    // The log goes to standard output, which nobody reads either.
    if (this.#file === undefined) process.stderr.write(`payment-signature-backend: decisions cannot be recorded: ${reason}\n`)
  }

  #probeLater (): void {
    if (this.#isClosed) return
    this.#timer = setTimeout(() => this.#probe(), interval).unref()
  }

  #probe (): void {
    this.reload()
    if (!this.outage.isOut) return this.#probeLater()
    const lost = this.#unreported
    this.#write(40, { lost }, 'decisions were not recorded', error => {
      this.#probeLater()
      if (error !== undefined) return
      this.outage.ends()
      this.#unreported -= lost
      this.log.warn({ lost }, 'decisions are recorded again')
    })
  }
}

/**
 * Creates the trail that AUDIT and AUDIT_FILE configure. Without AUDIT_FILE the trail writes to `output`. With
 * AUDIT=required the service is ready only while the trail works.
 */
export default fp<{ output: LineOutput }>(async function auditTrail (app, { output }) {
  const { AUDIT, AUDIT_FILE } = app.config
  if (AUDIT === 'false') {
    if (AUDIT_FILE === '') return
    throw new ConfigurationError('AUDIT_FILE is set, but AUDIT is false; set AUDIT to true or required')
  }
  const trail = new AuditTrail(AUDIT_FILE, output, app.log, line => app.merchantToken.redactLine(line))
  app.decorate('auditTrail', trail)
  const { metrics } = app
  if (metrics) await gaugeIn(metrics, 'payment_signature_audit_up', '1 if decisions can be recorded, otherwise 0.', () => Number(!trail.outage.isOut))
  if (AUDIT_FILE !== '') app.watchedFiles.push(trail)
  app.addHook('onClose', async () => trail.close())
  if (AUDIT === 'required') app.readinessChecks.push(() => trail.outage.isOut ? 'audit unavailable' : '')
}, { name: 'audit-trail', dependencies: ['env', 'readiness'], fastify: '5.x' })
