import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { bodyLengths, holdWaiting } from '../../src/signing/json-body.js'
import { ThrottledLog } from '../../src/telemetry/log-limits.js'

/** Maximum number of requests that wait behind another one: on one connection, and in all. */
const max = { ofConnection: 64, ofProcess: 256 } as const

/** A waiting request. All members are there once the request was read; `length` is that of its body, in bytes. */
interface Waiting {
  request?: FastifyRequest
  length?: number
  proceed?: () => void
}

/**
 * Makes a request behind another on its connection wait until the earlier response has been sent. If the connection
 * ends first, the request never goes on: nothing is asked or signed for a client that cannot get the response. Cuts
 * connections on which too many requests wait: browsers and proxies do not pipeline, but Node.js parses all it reads.
 */
export default fp(async function pipelining (app) {
  const waiting = new Map<ServerResponse<IncomingMessage>, Waiting>()
  const cut = new ThrottledLog<string | undefined>((times, ip) =>
    app.log.info({ times, ip }, 'connection cut, too many requests wait behind another'))

  function leave (response: ServerResponse, { length = 0 }: Waiting): boolean {
    if (!waiting.delete(response)) return false
    holdWaiting(-length)
    return true
  }

  function enter (response: ServerResponse<IncomingMessage>): Waiting {
    const known = waiting.get(response)
    if (known !== undefined) return known
    const one: Waiting = {}
    waiting.set(response, one)
    // Node.js assigns the socket to a response when all earlier responses of the connection have been sent.
    response.once('socket', ({ writable }) => { if (leave(response, one) && writable) one.proceed?.() })
    return one
  }

  app.server.on('connection', socket => socket.once('close', () => {
    for (const [response, one] of waiting) {
      if (response.req.socket !== socket) continue
      leave(response, one)
      // Node.js keeps the request until the first one of the connection ends.
      if (one.request !== undefined) one.request.body = undefined
    }
  }))

  app.addHook('preValidation', (request, { raw }, done) => {
    if (raw.socket !== null) return done()
    if (request.raw.socket.destroyed) return
    const length = bodyLengths.get(request.raw) ?? 0
    holdWaiting(length)
    Object.assign(enter(raw), { request, length, proceed: done })
  })

  // An event of Node.js, because no hook runs for a malformed URL.
  app.server.on('request', (request, response) => {
    const { socket } = request
    if (response.socket !== null || socket.destroyed) return
    // Otherwise the chunks of a body that no parser reads would stay in memory until the earlier response is sent.
    if (request.readableFlowing === null) request.resume()
    enter(response)
    const ofConnection = [...waiting.keys()].filter(({ req }) => req.socket === socket).length
    if (ofConnection <= max.ofConnection && waiting.size <= max.ofProcess) return
    cut.report(socket.remoteAddress)
    socket.destroy()
  })
}, { name: 'pipelining', fastify: '5.x' })
