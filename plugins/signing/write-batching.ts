import type { FastifyReply } from 'fastify'
import fp from 'fastify-plugin'

interface Response {
  reply: FastifyReply
  payload: unknown
  send: (error: null, payload: unknown) => void
}

/**
 * Here nothing above catches what is thrown, and it would end the process. Such a response is neither counted nor
 * recorded as one: Fastify waits for its end.
 */
function write ({ reply, payload, send }: Response): void {
  try {
    send(null, payload)
  } catch (error) {
    reply.log.error({ err: error }, 'the response cannot be sent')
    reply.raw.destroy()
  }
}

/**
 * Writes the responses to requests that have arrived within one turn of the event loop at its end, one after the other.
 * Written one by one as they are made, each would wake a client or proxy that has just gone to sleep, and under load
 * the kernel needs longer for that than we for the response. A request that comes alone does not wait for others.
 *
 * For the service's signing route only: `reply.sent` stays false until the end of the turn, so a hook that responds and
 * goes on all the same, as one of an app that embeds us may, would not end the request.
 */
export default fp<{ isOn: boolean }>(async function writeBatching (app, { isOn }) {
  if (!isOn) return
  let responses: Response[] = []

  function writeAll (): void {
    const batch = responses
    responses = []
    for (const response of batch) write(response)
  }

  app.addHook('onSend', (_request, reply, payload, done) => {
    if (responses.length === 0) setImmediate(writeAll)
    responses.push({ reply, payload, send: done })
  })
}, { name: 'write-batching' })
