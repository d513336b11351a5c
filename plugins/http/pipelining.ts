import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import fp from 'fastify-plugin'
import { throttled } from '../../src/service/throttled.js'

/**
 * How many requests on one connection may wait for their responses. Browsers and proxies send the next one only after
 * the response, while Node.js would take as many as there are in 64 KiB at once, and then as many again.
 */
const max = 64

const open = Symbol('requests without a response')

interface Connection extends Socket {
  [open]?: number
}

function closed (this: { req: { socket: Connection } }): void {
  this.req.socket[open]!--
}

/** Cuts connections with too many requests: those that Node.js has read already would take longer than a turn may. */
export default fp(async function pipelining (app) {
  const { server, log } = app
  const [serve] = server.listeners('request') as [RequestListener]
  const say = throttled<string | undefined>((times, ip) =>
    log.info({ times, ip }, `connection cut, more than ${max} requests at once`))

  server.removeListener('request', serve)
  server.prependListener('request', (request, response) => {
    const socket: Connection = request.socket
    if (socket.destroyed) return
    const count = socket[open] ?? 0
    if (count === max) {
      say(socket.remoteAddress)
      socket.destroy()
      return
    }
    socket[open] = count + 1
    response.on('close', closed)
    serve.call(server, request, response)
  })
}, { name: 'pipelining' })
