import { LogController, type FastifyReply, type FastifyRequest } from 'fastify'
import { refusalOf } from './refused-error.js'
import { traceFieldsOf } from './request-id.js'

/** Length limit of a logged path, in UTF-16 code units. Longer paths are cut. */
const maxPath = 256

/**
 * Logs one line for each completed request, except repeated refusals. The reason of a refusal is in the line before. A
 * line contains no query string, header or body, where a client may have put the token by mistake.
 */
export class RequestLog extends LogController {
  /** @param cut - returns the beginning of a path without the token */
  constructor (readonly cut: (text: string, length: number) => string) { super() }

  override incomingRequest (): void {}

  override requestCompleted (error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    if (refusalOf(request)?.isRepeated) return
    const { method, url, ip } = request
    const responseTime = Math.round(reply.elapsedTime * 1000) / 1000
    const [whole] = url.split(/[?#]/, 1) as [string]
    const path = whole.length > maxPath ? this.cut(whole, maxPath) : whole
    const line = { method, path, statusCode: reply.statusCode, responseTime, ip, ...traceFieldsOf(request) }
    if (error) request.log.error({ ...line, err: error }, 'request errored')
    else request.log.info(line, 'request completed')
  }
}
