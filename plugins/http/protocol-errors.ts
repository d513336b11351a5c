import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { clientAddress } from '../../src/http/client-address.js'
import { statusOf, type ErrorCodeName } from '../../src/http/error-codes.js'
import { messages } from '../../src/http/messages.js'
import { RefusedError } from '../../src/http/refused-error.js'
import { idOf, traceFieldsOf } from '../../src/http/request-id.js'
import { securityHeaders } from './responses.js'

/** Time in which a refused client must read the response before its connection is cut, in milliseconds. */
const lingerTimeout = 1000

/** Maximum number of headers of a request. HAProxy passes on at most 101. */
const maxHeaders = 128

/** A value of the header Host: a name or an address, and an optional port (RFC 3986, 3.2.2 and 3.2.3). */
const isHost = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i

/** Returns the number of Host headers. `request.headers` has only the first. */
const hostsIn = (rawHeaders: string[]): number =>
  rawHeaders.filter((text, index) => index % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host').length

const refusals: Record<string, readonly [code: ErrorCodeName, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['time-out', messages.timeout],
  HPE_INVALID_EOF_STATE: ['http-invalid', messages.httpIncomplete],
  HPE_HEADER_OVERFLOW: ['headers-too-large', messages.headersTooLarge],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['body-too-large', messages.chunkExtensions]
}

const lastResponse = Symbol('last response')

interface Connection extends Duplex {
  [lastResponse]?: ServerResponse<IncomingMessage>
}

/** Returns the response to the last request that was read from a connection. */
export const lastResponseOn = (connection: Connection): ServerResponse<IncomingMessage> | undefined =>
  connection[lastResponse]

/** Ends a connection. If the socket were destroyed immediately, a reset could discard the response. */
function end (socket: Duplex, text = ''): void {
  socket.end(text)
  setTimeout(() => socket.destroy(), lingerTimeout).unref()
}

/** Calls `respondNow` after the last response on a connection; immediately if no response is pending. */
function afterLast (last: ServerResponse | undefined, respondNow: () => void): void {
  if (last === undefined || last.writableFinished) respondNow()
  else last.once('finish', respondNow)
}

/**
 * Responds with `{ "error": message }` where no response object exists, and ends the connection. Does nothing after a
 * response with `Connection: close`.
 */
function respond (socket: Duplex, code: ErrorCodeName, message: string, headers: Record<string, string>): void {
  if (!socket.writable) return
  const statusCode = statusOf(code)
  const body = JSON.stringify({ error: message })
  const lines = Object.entries({
    ...securityHeaders,
    ...headers,
    'error-code': code,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close'
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  end(socket, `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n${lines.join('')}\r\n${body}`)
}

/** Logs a refusal for which Fastify has no request, unless many like it are logged as a count. */
function log (
  app: FastifyInstance, { remoteAddress: ip }: Socket, code: ErrorCodeName, error: string, fields: object,
  text = 'request refused'
): void {
  const statusCode = statusOf(code)
  if (app.isRepeated(clientAddress({ ip: String(ip) }), { statusCode, error })) return
  app.log.info({ ...fields, statusCode, error, ip }, text)
}

function refuseRest (app: FastifyInstance, error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable) { // the connection was reset, or has its response
    socket.destroy()
    return
  }
  const [code, message] = refusals[String(error.code)] ?? ['http-invalid', messages.notHttp]
  const last = lastResponseOn(socket)
  const request = last?.req.complete === false ? last.req : undefined // otherwise the last request is an earlier one
  const refuse = () => {
    const ids = request && { reqId: idOf(request), ...traceFieldsOf(request) }
    log(app, socket, code, message, { ...ids, code: error.code },
      error.code === 'HPE_INVALID_EOF_STATE' ? 'client disconnected' : undefined)
    const headers = request && { 'x-request-id': idOf(request) }
    respond(socket, code, message, { ...app.corsHeaders?.(request?.headers.origin), ...headers })
  }

  if (request === undefined) afterLast(last, refuse) // no request has begun, or the fault is in a pipelined request
  else if (last?.headersSent) end(socket) // the fault is in the rest of a request with a response
  else refuse()
}

/**
 * Responds to requests that Node.js cannot parse or that do not arrive in time. Waits until the end of the turn of the
 * event loop, when all responses that were sent in the turn are known.
 */
export function clientErrorHandler (this: FastifyInstance, error: NodeJS.ErrnoException, socket: Socket): void {
  setImmediate(refuseRest, this, error, socket)
}

/**
 * Responds to requests that Node.js would refuse with an empty body or without a response. No package does: Fastify's
 * own `clientErrorHandler` sends another body without CORS headers, before the responses to earlier requests.
 */
export default fp(async function protocolErrors (app) {
  app.server.on('request', (request, response) => { (request.socket as Connection)[lastResponse] = response })
  app.server.on('checkExpectation', (request, response) => { app.server.emit('request', request, response) })
  app.server.on('connect', ({ headers }, socket) => {
    socket.on('error', () => {}) // an unhandled reset would end the process
    afterLast(lastResponseOn(socket), () => {
      if (!socket.writable) return // a response closed the connection
      const message = 'Method Not Allowed: CONNECT'
      log(app, socket as Socket, 'method-not-allowed', message, { method: 'CONNECT' })
      respond(socket, 'method-not-allowed', message, { ...app.corsHeaders?.(headers.origin), allow: 'GET, HEAD, POST, OPTIONS' })
    })
  })
  // Node.js discards the headers after these, which limits the memory of a request. The hook below refuses the request.
  app.server.maxHeadersCount = maxHeaders + 1
  app.addHook('onRequest', (request, reply, done) => {
    const { rawHeaders, httpVersion } = request.raw
    if (rawHeaders.length > 2 * maxHeaders) { // names and values
      return done(new RefusedError('headers-too-large', messages.headersTooLarge)) // the message of newer Node.js, too
    }
    const { host, expect, 'transfer-encoding': coding } = request.headers
    if (host === undefined && httpVersion === '1.1') return done(new RefusedError('http-invalid', messages.hostRequired))
    // Node.js accepts other versions, hosts and codings. HTTP/1.0 has no codings: a proxy may see another end.
    const isFramed = coding === undefined || (httpVersion === '1.1' && coding.toLowerCase() === 'chunked')
    if (!isFramed) reply.header('connection', 'close')
    if (!isFramed || !/^1\.[01]$/.test(httpVersion) || !isHost.test(host ?? '') || hostsIn(rawHeaders) > 1) {
      return done(new RefusedError('http-invalid', messages.notHttp))
    }
    if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
      return done(new RefusedError('expect', messages.expect))
    }
    done()
  })
}, { name: 'protocol-errors', dependencies: ['error-handler'], fastify: '5.x' })
