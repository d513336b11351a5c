import type { FastifyReply, FastifyRequest } from 'fastify'
import { LogController } from 'fastify'
import { isRepeatedRefusal } from './errors.js'
import { traceFieldsOf } from './trace-context.js'

/**
 * One line for each request that is answered; if it was refused, the line before says why; of repeated refusals there
 * is a count elsewhere. It has no query string, header or body, for a confused client may put the token into any of
 * them; only well-formed ids.
 */
export class RequestLog extends LogController {
  override incomingRequest (): void {}

  override requestCompleted (error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    if (isRepeatedRefusal(request)) return
    const { method, url, ip } = request
    const responseTime = Math.round(reply.elapsedTime * 1000) / 1000
    const path = url.split(/[?#]/, 1)[0]
    const line = { method, path, statusCode: reply.statusCode, responseTime, ip, ...traceFieldsOf(request) }
    if (error) request.log.error({ ...line, err: error }, 'request errored')
    else request.log.info(line, 'request completed')
  }
}
