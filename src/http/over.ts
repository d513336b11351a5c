import type { FastifyReply } from 'fastify'

/**
 * Returns true, and logs a line, if no response can be sent: the client has hung up, or a response has begun. After the
 * client has hung up, Fastify continues a request that a hook has answered, and a second response throws.
 */
export function isOver ({ raw, request, log }: FastifyReply): boolean {
  const isOver = raw.headersSent || request.raw.socket.destroyed
  if (isOver) log.info('request dropped, no response can be sent')
  return isOver
}
