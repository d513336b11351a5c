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

/**
 * Returns a function that a callback calls instead of a hook's `done`. It calls `done` once, and only if a response can
 * be sent. An exception would end the process; it is logged, and ends the connection.
 */
export function continuation<Given extends unknown[]> (
  reply: FastifyReply, next: (...given: Given) => void
): (...given: Given) => void {
  let isCalled = false
  return (...given) => {
    if (isCalled || isOver(reply)) return
    isCalled = true
    try {
      next(...given)
    } catch (err) {
      reply.log.error({ err }, 'the response cannot be sent')
      reply.raw.destroy()
    }
  }
}

/** Calls a hook's `done` like {@link continuation} when a promise settles. */
export function continueAfter (promise: Promise<unknown>, reply: FastifyReply, done: (error?: Error) => void): void {
  const proceed = continuation(reply, done)
  promise.then(() => proceed(), error => proceed(error || new Error('a promise was rejected without an error')))
}
