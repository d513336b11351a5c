import { randomUUID } from 'node:crypto'
import { createServer, STATUS_CODES, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { LogController, type FastifyHttpOptions, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { applyRefusal, type ErrorCodeName, errorCodes, toRefusedError } from './refusals.js'
import { limitChunks } from './json-body.js'

/** Limit of the connections. The rest of 1,024 descriptors is for the backend, Redis and files. */
const maxConnections = 700

/** The response to the last request of each connection. */
const responses = new WeakMap<Socket, ServerResponse<IncomingMessage>>()

/** Headers that make a browser treat a response only as data. */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'"
} as const

/**
 * Creates the server. Each connection has one request at a time: browsers and proxies do not pipeline, and all requests
 * that Node.js has read would wait in memory.
 */
function serverFactory (handler: RequestListener, { http, keepAliveTimeout }: FastifyHttpOptions<Server>): Server {
  const sockets = new Set<Socket>() // in the order of their last requests

  /** Ends the oldest connection that waits for the rest of a body, if more than a limit wait. */
  function endOldest (limit: number, isCounted: (response: ServerResponse) => boolean): void {
    const [oldest, ...others] = [...sockets].filter(socket => {
      const response = responses.get(socket)
      return response?.req.complete === false && isCounted(response)
    })
    if (oldest === undefined || !(others.length + 1 > limit)) return // without maxConnections, there is no limit
    sockets.delete(oldest)
    server.emit('unfinished', oldest.destroy()) // the plugin `lifecycle` counts it
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
    if (headers.upgrade !== undefined) response.shouldKeepAlive = false // Node.js reports no malformed body of it
    response.once('prefinish', () => { // Node.js would read the rest of an unread body without a limit
      if (request.complete) return
      setImmediate(() => endOldest(server.maxConnections / 7, response => response.writableEnded))
      if (headers['content-length'] !== undefined) return
      limitChunks(request, () => socket.destroy())
      request.read(0) // marks the request as in use: otherwise Node.js would remove the listener
    })
    handler(request, response)
  })
  // Behind a proxy that passes on bodies as they arrive, a stranger would take all connections: with refused requests,
  // of which a seventh of the connections may wait for a body, and with others, of which the last tenth is kept free.
  server.on('connection', socket => {
    sockets.add(socket.once('close', () => sockets.delete(socket)))
    if (sockets.size > server.maxConnections * 0.9) endOldest(server.maxConnections / 10, () => true)
  })
  // Node.js would answer an unknown Expect itself, without our headers.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  Object.assign(server, { maxConnections, keepAliveTimeout, sockets }) // Fastify sets none of them with a serverFactory
  server.setTimeout(90_000) // without a byte in either direction, as when a client does not read its response
  return server
}

/** Responds to errors of Fastify before any hook has run, such as a malformed URL. */
function frameworkErrors (error: Error, request: FastifyRequest, reply: FastifyReply): void {
  const body = applyRefusal(toRefusedError(error), request, reply)
  // A stop must not wait for a client that goes on: no hook onSend sees these responses.
  reply.headers(securityHeaders).headers({ 'x-request-id': request.id, connection: 'close' }).send(body)
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
function clientErrorHandler (this: FastifyInstance, { code = '' }: NodeJS.ErrnoException, socket: Socket): void {
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
}

/** Options of every server of this package. Times are in milliseconds. */
export const serverOptions = {
  // The ID of a proxy, if it is short and plain: log and audit contain it.
  genReqId: ({ headers: { 'x-request-id': id } }: IncomingMessage) =>
    typeof id === 'string' && /^[\w.-]{1,64}$/.test(id) ? id : randomUUID(),
  logController: new LogController({ disableRequestLogging: true }), // the plugin `http` writes one line
  // requestTimeout is for a whole request, from its first byte to its last byte.
  http: { headersTimeout: 10_000, requestTimeout: 10_000, connectionsCheckingInterval: 1000 },
  return503OnClosing: false, // requests that arrive while the server closes get a response, then their connection ends
  routerOptions: { ignoreTrailingSlash: true }, // as the original server
  serverFactory,
  frameworkErrors,
  clientErrorHandler
}
