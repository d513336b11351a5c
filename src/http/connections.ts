import { createServer, STATUS_CODES, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyHttpOptions, FastifyInstance } from 'fastify'
import { limitChunks } from './json-body.js'
import { errorCodes, type ErrorCodeName } from './refusals.js'

/** Limit of the connections. The rest of 1,024 descriptors is for the backend, Redis and files. */
const maxConnections = 700

const connections = new WeakMap<Server, Set<Socket>>()

/** Returns the connections of a server, in the order of their last requests. */
export const socketsOf = (server: Server): ReadonlySet<Socket> => connections.get(server) ?? new Set()

/** The response to the last request of each connection. */
const responses = new WeakMap<Socket, ServerResponse<IncomingMessage>>()

/** True for a response that was sent before its request was complete. */
const isRefused = (response?: ServerResponse): boolean => response?.req.complete === false && response.writableEnded

/** True on a connection without a complete request, and after the last response. */
const isIdle = (response?: ServerResponse): boolean => response?.req.complete !== true || response.writableFinished

/**
 * Creates the server. Each connection has one request at a time: browsers and proxies do not pipeline, and all requests
 * that Node.js has read would wait in memory.
 */
export function serverFactory (
  handler: RequestListener, { http, keepAliveTimeout }: FastifyHttpOptions<Server>
): Server {
  const sockets = new Set<Socket>()

  /** Ends the oldest connection that waits, if more than a limit do. */
  function endOldest (limit: number, waits: (response?: ServerResponse) => boolean): void {
    const waiting = [...sockets].filter(socket => waits(responses.get(socket)))
    const [oldest] = waiting
    if (oldest === undefined || !(waiting.length > limit)) return // without maxConnections, the limit is no number
    sockets.delete(oldest)
    oldest.destroy()
    server.emit('unfinished') // the plugin `lifecycle` counts it
  }

  const server = createServer(http ?? {}, (request, response) => {
    const { socket, headers } = request
    if (response.socket === null) { // an earlier request has no response yet
      socket.pause()
      server.emit('clientError', Object.assign(new Error(), { code: 'pipelined' }), socket)
      return
    }
    responses.set(socket, response)
    sockets.delete(socket)
    sockets.add(socket) // as the last
    if (sockets.size > server.maxConnections / 2) response.shouldKeepAlive = false
    if (headers.upgrade !== undefined) response.shouldKeepAlive = false // Node.js reports no malformed body of it
    response.once('prefinish', () => { // Node.js would read the rest of an unread body without a limit
      if (request.complete) return
      setImmediate(() => endOldest(server.maxConnections / 7, isRefused))
      if (headers['content-length'] !== undefined) return
      limitChunks(request, () => socket.destroy())
      request.read(0) // marks the request as in use: otherwise Node.js would remove the listener
      request.resume() // the route has paused it
    })
    handler(request, response)
  })
  // A stranger, behind a proxy that passes on bodies as they arrive or keeps connections, would take all: with refused
  // requests, of which a seventh of the connections may wait for a body, and with others, of which the last tenth is
  // kept free. Beyond half, none is kept for a next request.
  server.on('connection', socket => {
    sockets.add(socket.once('close', () => sockets.delete(socket)))
    if (sockets.size > server.maxConnections * 0.9) endOldest(server.maxConnections / 10, isIdle)
  })
  server.on('drop', () => server.emit('unfinished'))
  // Node.js would answer an unknown Expect itself, without our headers.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  connections.set(server, sockets)
  Object.assign(server, { maxConnections, keepAliveTimeout }) // Fastify sets none of them with a serverFactory
  server.setTimeout(90_000) // without a byte in either direction, as when a client does not read its response
  return server
}

/** Codes of requests that Node.js cannot parse; all others are `http-invalid`. */
const clientErrors: Readonly<Record<string, ErrorCodeName>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'time-out',
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body-too-large'
}

/**
 * Responds to requests that Node.js cannot parse, or that do not arrive in time. Logs nothing that the client sent.
 * Bytes behind a complete request, such as the rest of a body with a too small Content-Length, are no request: they end
 * the connection after the response.
 */
export function clientErrorHandler (this: FastifyInstance, { code = '' }: NodeJS.ErrnoException, socket: Socket): void {
  const response = responses.get(socket)
  const isComplete = response?.req.complete === true
  // A response now would be taken as a second one to this request.
  if (!socket.writable || (response?.headersSent === true && !isComplete)) {
    socket.destroy()
    return
  }
  const isAnswered = response?.writableFinished === true
  const isBehind = code === 'HPE_INVALID_METHOD' || code === 'pipelined'
  if (isComplete && (!isAnswered || isBehind)) {
    if (!isAnswered && !response.shouldKeepAlive) return // it is logged, or its client has asked for the end
    this.log.info({ ip: socket.remoteAddress, code }, 'bytes behind a request: the connection ends after its response')
    response.shouldKeepAlive = false
    if (isAnswered) socket.destroy() // a paused socket would never see that its client has left
    else response.once('finish', () => socket.destroySoon()) // its headers may have been sent
    return
  }
  const name = clientErrors[code] ?? 'http-invalid'
  const [statusCode, message] = errorCodes[name]
  this.log.info({ ip: socket.remoteAddress, code, statusCode }, 'no HTTP request')
  const body = JSON.stringify({ error: message })
  socket.end(`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
    `error-code: ${name}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`)
  setTimeout(() => socket.destroy(), 1000).unref() // its client may never close it
}
