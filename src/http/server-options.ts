import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { LogController, type FastifyError, type FastifyReply, type FastifyRequest } from 'fastify'
import { addressOf } from './client-address.js'
import { clientErrorHandler, isNext, whenComplete } from './connection-rules.js'
import { applyRefusal, toRefusedError } from './refusals.js'

/** Headers that make a browser treat a response only as data. */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'"
} as const

/** Responds to errors of Fastify before any hook has run, such as a malformed URL. */
function frameworkErrors (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  if (!isNext(request.server, request.raw, reply.raw)) {
    reply.hijack() // it gets no response
    return
  }
  const refusal = toRefusedError(error)
  const body = applyRefusal(refusal, request, reply)
  const { statusCode, code } = refusal
  request.log.info({ clientAddress: addressOf(request.ip), code, statusCode }, 'no HTTP request')
  // Hooks do not see these responses, so the connection ends here: a stop must not wait for its next request.
  whenComplete(request.raw, () =>
    reply.headers(securityHeaders).headers({ 'x-request-id': request.id, connection: 'close' }).send(body))
}

/** Options of every server of this package. Times are in milliseconds. */
export const serverOptions = {
  // A short and plain ID is kept, so that a proxy's line and ours have the same. Any client can send one.
  genReqId: ({ headers: { 'x-request-id': id } }: IncomingMessage) =>
    typeof id === 'string' && /^[\w.-]{1,64}$/.test(id) ? id : randomUUID(),
  // The plugin `http` writes one line for each request.
  logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
  requestTimeout: 10_000, // of a whole request, from its first byte to its last byte
  connectionTimeout: 90_000, // time without a byte in either direction, as when a client does not read
  http: { headersTimeout: 10_000, connectionsCheckingInterval: 1000 },
  return503OnClosing: false, // requests that arrive while the server closes get a response, then their connection ends
  routerOptions: { ignoreTrailingSlash: true }, // as the original server
  frameworkErrors,
  clientErrorHandler
}
