import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { finished } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { errorCodes, type RefusalCode } from './refusals.js'

/*
 * Rules of a connection, which proxies share among clients: one request at a time, no response before its request is
 * complete, and no response to bytes behind a request. Any other response could reach another client.
 */

/** The last request of each connection that may be answered, and the number of those behind it. */
const exchanges = new WeakMap<Socket, { readonly response: ServerResponse, behind: number }>()

/** Number of requests behind an unanswered one that end a connection at once: each takes some kilobytes. */
const maxBehind = 16

/** Ends a connection after the response in progress, and reads nothing more from it. */
function endAfter (app: FastifyInstance, response: ServerResponse, socket: Socket, code: string): void {
  const clientAddress = socket.remoteAddress
  app.log.info({ clientAddress, code }, 'bytes behind a request: the connection ends after its response')
  response.shouldKeepAlive = false
  response.once('finish', () => socket.destroySoon())
  socket.pause()
}

/**
 * Returns true for a request that may be answered. A request behind an unanswered one may not: one client that sends
 * many would starve all others. Its connection ends after the response before it.
 */
export function isNext (app: FastifyInstance, { socket }: IncomingMessage, response: ServerResponse): boolean {
  const last = exchanges.get(socket)
  if (last === undefined || last.response.writableFinished) {
    exchanges.set(socket, { response, behind: 0 })
    return true
  }
  last.behind++
  if (last.behind === 1) endAfter(app, last.response, socket, 'pipelined')
  else if (last.behind > maxBehind) socket.destroy()
  return false
}

/**
 * Calls `done` once a request is complete, and drops the rest of its body. After an earlier response, a proxy that
 * keeps the connection would send the next request into the rest of the body. Unread bytes would also reset the
 * connection, and the client could lose the response. A request that is not complete in time gets 408, and `done` is
 * not called.
 */
export function whenComplete (request: IncomingMessage, done: () => void): void {
  if (request.complete !== false) return done() // undefined for an injected request
  finished(request.resume(), error => { if (!error) done() })
}

/** Codes of requests that Node.js cannot parse; all others are `http-invalid`. */
const codeOf: Readonly<Record<string, RefusalCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'time-out',
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body-too-large'
}

/**
 * Responds to requests that Node.js cannot parse, or that do not arrive in time. Logs nothing that the client sent.
 * A complete request gets its response first, and bytes behind it none: a proxy would take the response to them as that
 * of the next request.
 */
export function clientErrorHandler (this: FastifyInstance, { code = '' }: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable) return // it ends already
  const clientAddress = socket.remoteAddress
  const { response, behind = 0 } = exchanges.get(socket) ?? {}
  const isComplete = response?.req.complete === true
  if (isComplete && !response.writableFinished) {
    if (behind === 0) endAfter(this, response, socket, code)
    return
  }
  // These bytes may be the rest of a body with a too small Content-Length, or their response has begun.
  if (isComplete ? code === 'HPE_INVALID_METHOD' : response?.headersSent === true) {
    this.log.info({ clientAddress, code }, 'bytes behind a request: the connection ends')
    socket.destroy()
    return
  }
  const name = codeOf[code] ?? 'http-invalid'
  const [statusCode, message] = errorCodes[name]
  this.log.info({ clientAddress, code, statusCode }, 'no HTTP request')
  const body = JSON.stringify({ error: message })
  socket.end(`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
    `error-code: ${name}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`)
  setTimeout(() => socket.destroy(), 1000).unref() // its client may never close it
}
