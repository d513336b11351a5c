import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { bodyLengths, holdWaiting } from '../../src/signing/json-body.js'
import { ThrottledLog } from '../../src/telemetry/log-limits.js'

/** Maximum number of requests that wait behind another one: on one connection, and in all. */
const max = { ofConnection: 64, ofProcess: 256 } as const

/** A waiting request. Request, length of the body in bytes, and continuation are those of a request that was read. */
interface Waiting {
  request?: FastifyRequest
  length: number
  proceed?: () => void
}

type Response = ServerResponse<IncomingMessage>

/**
 * Makes a request behind another on its connection wait until the earlier response has been sent. If the connection
 * ends first, the request never goes on: nothing is asked or signed for a client that cannot get the response. Cuts
 * connections on which too many requests wait: browsers and proxies do not pipeline, but Node.js parses all it reads.
 */
export default fp(async function pipelining (app) {
  const waiting = new Map<Socket, Map<Response, Waiting>>()
  let total = 0
  const cut = new ThrottledLog<string | undefined>((times, ip) =>
    app.log.info({ times, ip }, 'connection cut, too many requests wait behind another'))

  /** Returns the waiting requests of a connection, which end with the connection. */
  function queueOf (socket: Socket): Map<Response, Waiting> {
    const known = waiting.get(socket)
    if (known !== undefined) return known
    const queue = new Map<Response, Waiting>()
    waiting.set(socket, queue)
    socket.once('close', () => {
      for (const one of queue.values()) {
        leave(one)
        // Node.js keeps the request until the first one of the connection ends.
        if (one.request !== undefined) one.request.body = undefined
      }
      queue.clear()
      waiting.delete(socket)
    })
    return queue
  }

  function leave (one: Waiting): void {
    total--
    holdWaiting(-one.length)
  }

  function enter (response: Response, socket: Socket): Waiting {
    const queue = queueOf(socket)
    const known = queue.get(response)
    if (known !== undefined) return known
    const one: Waiting = { length: 0 }
    queue.set(response, one)
    total++
    // Node.js assigns the socket to a response when all earlier responses of the connection have been sent.
    response.once('socket', ({ writable }) => {
      if (!queue.delete(response)) return
      leave(one)
      if (writable) one.proceed?.()
    })
    return one
  }

  app.addHook('preValidation', (request, { raw }, done) => {
    if (raw.socket !== null) return done()
    const { socket } = request.raw
    if (socket.destroyed) return
    const length = bodyLengths.get(request.raw) ?? 0
    holdWaiting(length)
    Object.assign(enter(raw, socket), { request, length, proceed: done })
  })

  // An event of Node.js, because no hook runs for a malformed URL.
  app.server.on('request', (request, response) => {
    const { socket } = request
    if (response.socket !== null || socket.destroyed) return
    // Otherwise the chunks of a body that no parser reads would stay in memory until the earlier response is sent.
    if (request.readableFlowing === null) request.resume()
    enter(response, socket)
    if (queueOf(socket).size <= max.ofConnection && total <= max.ofProcess) return
    cut.report(socket.remoteAddress)
    socket.destroy()
  })
}, { name: 'pipelining', fastify: '5.x' })
