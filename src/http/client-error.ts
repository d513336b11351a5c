import { STATUS_CODES, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { errorCodes, type ErrorCodeName } from './refusals.js'

/** The response to the last request of each connection. */
const responses = new WeakMap<Socket, ServerResponse>()

/**
 * Remembers the response to a request, for {@link clientErrorHandler}. Returns false for a pipelined request: one
 * client that sends many would starve all others, and take 400 MiB.
 */
export function isNext (socket: Socket, response: ServerResponse): boolean {
  if (responses.get(socket)?.writableFinished === false) return false
  responses.set(socket, response)
  return true
}

/** Codes of requests that Node.js cannot parse; all others are `http-invalid`. */
const names: Readonly<Record<string, ErrorCodeName>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'time-out',
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body-too-large'
}

/**
 * Responds to requests that Node.js cannot parse, or that do not arrive in time. Logs nothing that the client sent.
 * Complete requests get their responses first, and these bytes none: they may be the rest of a body with a too small
 * Content-Length.
 */
export function clientErrorHandler (this: FastifyInstance, { code = '' }: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable) return // it ends already
  const response = responses.get(socket)
  const isComplete = response?.req.complete === true
  const isWaiting = isComplete && !response.writableFinished
  if (isWaiting && !response.shouldKeepAlive) { // it is logged, or its client has asked for the end
    if (code === 'pipelined') socket.destroy() // Node.js would read requests without end
    return
  }
  // A response now would be taken as a part of the last one, or as a second one.
  if (isWaiting || (response?.headersSent === true && (!isComplete || code === 'HPE_INVALID_METHOD'))) {
    this.log.info({ ip: socket.remoteAddress, code }, 'bytes behind a request: the connection ends after its response')
    if (!isWaiting) {
      socket.destroy()
      return
    }
    response.shouldKeepAlive = false
    response.once('finish', () => socket.destroySoon())
    socket.pause()
    return
  }
  const name = names[code] ?? 'http-invalid'
  const [statusCode, message] = errorCodes[name]
  this.log.info({ ip: socket.remoteAddress, code, statusCode }, 'no HTTP request')
  const body = JSON.stringify({ error: message })
  socket.end(`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
    `error-code: ${name}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`)
  setTimeout(() => socket.destroy(), 1000).unref() // its client may never close it
}
