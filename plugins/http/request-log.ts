import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { LogController } from 'fastify'

type Options = Parameters<FastifyBaseLogger['child']>[1]
type Line = [object: unknown, message?: string, ...values: unknown[]]

/** Levels at which a completed request is not logged. */
const quiet = new Set(['silent', 'fatal', 'error', 'warn'])

/**
 * A request's logger, made when the request first has something to log: most never do, and pino takes longer for a
 * child than for a line.
 */
export class RequestLogger implements FastifyBaseLogger {
  readonly #parent: FastifyBaseLogger
  readonly #bindings: object
  readonly #options: Options
  #child: FastifyBaseLogger | undefined

  constructor (parent: FastifyBaseLogger, bindings: object, options: Options) {
    this.#parent = parent
    this.#bindings = bindings
    this.#options = options
  }

  get #own (): FastifyBaseLogger {
    this.#child ??= this.#parent.child(this.#bindings, this.#options)
    return this.#child
  }

  get level (): string { return this.#own.level }
  set level (level: string) { this.#own.level = level }
  // Methods and not getters: Fastify looks whether they are there, and that must not make the child.
  fatal (...args: Line): void { this.#own.fatal(...args) }
  error (...args: Line): void { this.#own.error(...args) }
  warn (...args: Line): void { this.#own.warn(...args) }
  info (...args: Line): void { this.#own.info(...args) }
  debug (...args: Line): void { this.#own.debug(...args) }
  trace (...args: Line): void { this.#own.trace(...args) }
  silent (...args: Line): void { this.#own.silent(...args) }
  child (bindings: object, options?: Options): FastifyBaseLogger { return this.#own.child(bindings, options) }
}

interface RouteLogger {
  method: string
  url: string
  statusCode: number
  logger: FastifyBaseLogger
}

/**
 * One line for each request that is answered; if it was refused, the line before says why. It has no query string,
 * header or body: a confused client may put the token into any of them.
 */
export class RequestLog extends LogController {
  override incomingRequest (): void {}

  /**
   * One for each status, method and URL of a route that was met: what most lines have in common is bound to a logger,
   * and so put into JSON once. They are few, and a search is faster than a key made for each request.
   */
  readonly #loggers: RouteLogger[] = []

  #loggerOf (request: FastifyRequest, { statusCode }: FastifyReply): FastifyBaseLogger | undefined {
    const { method, url, server } = request
    for (const known of this.#loggers) {
      if (known.statusCode === statusCode && known.method === method && known.url === url) return known.logger
    }
    const { url: path, logLevel } = request.routeOptions
    if (path !== url) return undefined
    const level = logLevel === undefined ? {} : { level: logLevel }
    const logger = server.log.child({ method, path, statusCode }, level)
    this.#loggers.push({ method, url, statusCode, logger })
    return logger
  }

  override requestCompleted (error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const { method, url, server } = request
    if (!error && quiet.has(server.log.level)) return // before the line is made
    const responseTime = Math.round(reply.elapsedTime * 1000) / 1000
    const ip = server.config.TRUST_PROXY === '' ? request.socket.remoteAddress : request.ip // which reads all the headers
    const logger = error ? undefined : this.#loggerOf(request, reply)
    if (logger !== undefined) { // which logs as the request's own would
      logger.info({ reqId: request.id, responseTime, ip }, 'request completed')
      return
    }
    const line = { method, path: url.split(/[?#]/, 1)[0], statusCode: reply.statusCode, responseTime, ip }
    if (error) request.log.error({ ...line, err: error }, 'request errored')
    else request.log.info(line, 'request completed')
  }
}
