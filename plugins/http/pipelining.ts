import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { ThrottledLog } from '../../src/telemetry/throttled-log.js'

/**
 * Maximum number of requests on one connection that wait for an earlier response. Browsers and proxies do not pipeline
 * requests, but Node.js parses all requests that it reads.
 */
const maxOfConnection = 64

/** Memory of a waiting request without a body, in bytes, rounded up: 16 KiB of headers, as parsed by Node.js. */
const memoryOfHeaders = 64 * 2 ** 10

/** Memory limit of all waiting requests, in bytes: enough for 256 requests without a body. */
const maxMemory = 256 * memoryOfHeaders

/** Returns the largest memory of a waiting request, in bytes. A parsed body takes up to four times its size. */
function memoryOf ({ headers }: IncomingMessage, bodyLimit: number): number {
  const length = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : bodyLimit
  return memoryOfHeaders + 4 * Math.min(length, bodyLimit)
}

/** A waiting request: its largest memory in bytes, and, once its body was parsed, the continuation. */
interface Waiting {
  memory: number
  request?: FastifyRequest
  proceed?: () => void
}

/**
 * Makes a request behind another on its connection wait until the earlier response has been sent. If the connection
 * ends first, the request never goes on: nothing is asked or signed for a client that cannot get the response. Cuts
 * connections on which too many requests wait.
 */
export default fp(async function pipelining (app) {
  const { server, log, config } = app
  const waiting = new Map<ServerResponse<IncomingMessage>, Waiting>()
  const cut = new ThrottledLog<string | undefined>((times, ip) =>
    log.info({ times, ip }, 'connection cut, too many requests wait behind another'))

  function waitingOf (response: ServerResponse<IncomingMessage>): Waiting {
    const known = waiting.get(response)
    if (known !== undefined) return known
    const added = { memory: memoryOf(response.req, config.BODY_LIMIT) }
    waiting.set(response, added)
    // Node.js assigns the socket to a response when all earlier responses of the connection have been sent.
    response.once('socket', ({ writable }) => {
      const proceed = waiting.get(response)?.proceed
      waiting.delete(response)
      if (writable) proceed?.()
    })
    return added
  }

  /** Frees the body of a request whose connection has ended: the request stays in memory until the first one ends. */
  function forget (response: ServerResponse<IncomingMessage>, { request }: Waiting): void {
    waiting.delete(response)
    if (request !== undefined) request.body = undefined
  }

  app.addHook('preValidation', (request, { raw }, done) => {
    if (raw.socket !== null) done()
    else Object.assign(waitingOf(raw), { request, proceed: done })
  })

  // An event of Node.js, because no hook runs for a malformed URL.
  server.on('request', (request, response) => {
    const { socket } = request
    if (response.socket !== null || socket.destroyed) return
    // Otherwise the chunks of a body that no parser reads would stay in memory until the earlier response is sent.
    if (request.readableFlowing === null) request.resume()
    waitingOf(response)
    let count = 0
    let memory = 0
    for (const [other, one] of waiting) {
      if (other.req.socket === socket) count++
      if (other.req.socket.destroyed) forget(other, one)
      else memory += one.memory
    }
    if (count <= maxOfConnection && memory <= maxMemory) return
    cut.report(socket.remoteAddress)
    socket.destroy()
  })
}, { name: 'pipelining', fastify: '5.x' })
