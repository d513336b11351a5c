import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import fp from 'fastify-plugin'
import { ThrottledLog } from '../../src/service/throttled-log.js'
import { lastResponseOn } from './protocol-errors.js'

/**
 * Maximum number of requests on one connection that wait for an earlier response. Browsers and proxies do not pipeline
 * requests, but Node.js parses all requests that it reads.
 */
const max = 64

/** Maximum number of waiting requests on all connections. It limits the memory of their headers to about 16 MiB. */
const maxInAll = 256

const waiting = Symbol('requests behind another')

interface Connection extends Socket {
  [waiting]?: number
}

/**
 * Serves the requests of a connection one after the other, so that a connection that ends leaves at most one request in
 * progress. Cuts connections on which too many requests wait.
 */
export default fp(async function pipelining (app) {
  const { server, log } = app
  const [serve] = server.listeners('request') as [RequestListener]
  let inAll = 0
  const cut = new ThrottledLog<{ ip: string | undefined, message: string }>((times, { ip, message }) =>
    log.info({ times, ip }, `connection cut, more than ${message}`))

  server.removeListener('request', serve)
  server.prependListener('request', (request, response) => {
    const socket: Connection = request.socket
    if (response.socket !== null) return serve.call(server, request, response)
    // The socket still belongs to the response to another request.
    if (socket.destroyed) return
    if (socket[waiting] === undefined) socket.once('close', () => { inAll -= socket[waiting]! })
    const count = socket[waiting] ??= 0
    if (count === max || inAll === maxInAll) {
      cut.report({
        ip: socket.remoteAddress,
        message: count === max ? `${max} requests wait on it` : `${maxInAll} requests wait on all connections`
      })
      socket.destroy()
      return
    }
    socket[waiting] = count + 1
    inAll++
    // The listener of protocol-errors.ts runs after this one, so the last response is that to the previous request.
    lastResponseOn(socket)!.once('close', () => {
      if (!socket.writable) return // the connection ends: the listener above subtracts all that wait
      socket[waiting]!--
      inAll--
      serve.call(server, request, response)
    })
  })
}, { name: 'pipelining', dependencies: ['protocol-errors'] })
