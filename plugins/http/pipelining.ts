import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import fp from 'fastify-plugin'
import { throttled } from '../../src/service/throttled.js'

/**
 * How many requests on one connection may wait behind one that has no response yet. Browsers and proxies send none
 * before it has, while Node.js would take as many as there are in 64 KiB at once, and then as many again.
 */
const max = 64

const waiting = Symbol('requests behind another')

interface Connection extends Socket {
  [waiting]?: number
}

function served (this: { req: { socket: Connection } }): void {
  this.req.socket[waiting]!--
}

/** Cuts connections with too many requests: those that Node.js has read already would take longer than a turn may. */
export default fp(async function pipelining (app) {
  const { server, log } = app
  const [serve] = server.listeners('request') as [RequestListener]
  const say = throttled<string | undefined>((times, ip) =>
    log.info({ times, ip }, `connection cut, more than ${max} requests wait on it`))

  server.removeListener('request', serve)
  server.prependListener('request', (request, response) => {
    const socket: Connection = request.socket
    if (response.socket === null) { // it still belongs to another response
      if (socket.destroyed) return
      const count = socket[waiting] ?? 0
      if (count === max) {
        say(socket.remoteAddress)
        socket.destroy()
        return
      }
      socket[waiting] = count + 1
      response.on('close', served)
    }
    serve.call(server, request, response)
  })
}, { name: 'pipelining' })
