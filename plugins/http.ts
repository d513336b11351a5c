import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import * as fastify from 'fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { addressOf } from '../src/http/client-address.js'
import { bodyOf, errorCodes, refusalOf, refusals, RefusedError, type ErrorCodeName } from '../src/http/errors.js'
import { limitChunks } from '../src/http/json-body.js'

/** Limit of the connections: of 1,024 descriptors, the rest is for the backend, Redis and files. */
const maxConnections = 700

/** The response to the last request of each connection. */
const responses = new WeakMap<Socket, ServerResponse<IncomingMessage>>()

/** Headers that make a browser treat a response only as data. */
const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'"
} as const

/** Responds to errors of Fastify before any hook has run, such as a malformed URL. */
function frameworkErrors (error: Error, request: FastifyRequest, reply: FastifyReply): void {
  const body = bodyOf(refusalOf(error), request, reply)
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
 * Bytes behind a request that is complete, such as those of a body with a too small Content-Length, end the connection
 * after its response.
 */
function clientErrorHandler (this: FastifyInstance, error: NodeJS.ErrnoException, socket: Socket): void {
  const response = responses.get(socket)
  const isComplete = response?.req.complete === true
  // Otherwise the response would be taken as a second one to this request.
  if (!socket.writable || (response?.headersSent === true && !isComplete)) {
    socket.destroy()
    return
  }
  const isFollowed = isComplete && !response.writableFinished
  if (isFollowed && !response.shouldKeepAlive) return // the next bytes
  const code = clientErrors[String(error.code)] ?? 'http-invalid'
  const [status, message] = errorCodes[code]
  this.log.info({ ip: socket.remoteAddress, code: error.code, statusCode: isFollowed ? undefined : status }, 'no HTTP request')
  if (isFollowed) {
    response.shouldKeepAlive = false
    return
  }
  const body = JSON.stringify({ error: message })
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
    `error-code: ${code}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`)
}

/** Returns the refusal of a request that no route matches, with the methods of its path. The router is not asked. */
function notFound ({ method, url }: FastifyRequest, methods: ReadonlyMap<string, ReadonlySet<string>>): RefusedError {
  const [path = ''] = url.split(/[?#]/, 1)
  const allowed = methods.get(path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path)
  if (allowed === undefined) return new RefusedError('not-found', `Not Found: ${method} ${path}`)
  const headers = { allow: [...allowed].join(', ') }
  return new RefusedError('method-not-allowed', `Method Not Allowed: ${method} ${path}`, { headers })
}

/** Adds headers, errors as JSON, 404 and 405, and one line in the log for each request. */
export default fp(async function http (app) {
  app.server.maxConnections = maxConnections
  app.server.on('error', err => app.log.error({ err }, 'fault of the server')) // such as a lack of descriptors
  // Node.js would answer an unknown Expect itself, without our headers.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.server.prependListener('request', (request, response) => { // Fastify's listener may answer at once
    // Pipelining, which browsers and proxies do not use: all requests that Node.js has read would wait in memory.
    if (response.socket === null) request.socket.destroy()
    responses.set(request.socket, response)
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false // Node.js hides a malformed body of it
    response.once('prefinish', () => { // Node.js would read the rest of an unread body without a limit
      if (request.complete) return
      limitChunks(request, () => request.socket.destroy())
      request.read(0) // otherwise Node.js would remove the listener
    })
  })

  app.setSerializerCompiler(() => payload => JSON.stringify(payload)) // Fastify's takes longer to load than to use
  const methods = new Map<string, Set<string>>() // of each path of our routes
  app.addHook('onRoute', ({ url, method }) => {
    if (!url.includes('*')) methods.set(url, new Set([...methods.get(url) ?? [], ...[method].flat(), 'OPTIONS']))
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(securityHeaders).header('x-request-id', request.id)
    // Before the body is read, because the refusal of a body would hide the wrong path.
    done(request.is404 ? notFound(request, methods) : undefined)
  })
  app.setErrorHandler((error, request, reply) => {
    if (!reply.raw.headersSent) reply.send(bodyOf(refusalOf(error, reply.statusCode), request, reply))
  })
  app.addHook('onResponse', (request, reply, done) => {
    const refusal = refusals.get(request)
    const { method, ip, routeOptions: { url = '(none)' } } = request // no text that a client has written
    request.log.info({
      method,
      path: url,
      statusCode: reply.statusCode,
      responseTime: Math.round(reply.elapsedTime * 1000) / 1000,
      ip: addressOf(ip),
      ...refusal && { code: refusal.headers['error-code'] },
      ...refusal && !request.is404 && { error: refusal.message, reason: refusal.reason }
    }, 'request completed')
    done()
  })
}, { name: 'http', fastify: '5.x' })

/** Options of every server of this package. Times are in milliseconds. */
export const serverOptions = {
  // The ID of a proxy, if it is short and plain: log and audit contain it.
  genReqId: ({ headers: { 'x-request-id': id } }: IncomingMessage) =>
    typeof id === 'string' && /^[\w.-]{1,64}$/.test(id) ? id : randomUUID(),
  // The hook above writes one line. Fastify before 5.10 has no LogController.
  ...'LogController' in fastify
    ? { logController: new fastify.LogController({ disableRequestLogging: true }) }
    : { disableRequestLogging: true, ignoreTrailingSlash: true },
  requestTimeout: 10_000, // for a whole request, from its first byte to its last byte
  connectionTimeout: 90_000, // without a byte in either direction, as when a client does not read its response
  http: { headersTimeout: 10_000, connectionsCheckingInterval: 1000 },
  return503OnClosing: false, // requests that arrive while the server closes get a response, then their connection ends
  routerOptions: { ignoreTrailingSlash: true }, // as the original server
  frameworkErrors,
  clientErrorHandler
}
