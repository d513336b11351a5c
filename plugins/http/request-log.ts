import type { FastifyReply, FastifyRequest } from 'fastify'
import { LogController } from 'fastify'
import { isRepeatedRefusal } from './errors.js'

/**
 * One line for each request that is answered; if it was refused, the line before says why; of repeated refusals there
 * is a count elsewhere. It has no query string, header or body: a confused client may put the token into any of them.
 */
export class RequestLog extends LogController {
  override incomingRequest (): void {}

  override requestCompleted (error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    if (isRepeatedRefusal(request)) return
    const { method, url, ip } = request
    const responseTime = Math.round(reply.elapsedTime * 1000) / 1000
    const line = { method, path: url.split(/[?#]/, 1)[0], statusCode: reply.statusCode, responseTime, ip }
    if (error) request.log.error({ ...line, err: error }, 'request errored')
    else request.log.info(line, 'request completed')
  }
}
