import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { InvalidRequestError, SigningError } from '../../src/scheme/errors.js'
import { securityHeaders } from './security-headers.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The message with which the request was refused; empty if it was not. */
    refusal: string
  }
}

/** What to do about it, where Fastify's own message does not say. */
const clearerMessages: Record<string, string> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'Unsupported Media Type: send the body as application/json',
  FST_ERR_BAD_URL: 'Malformed URL'
}

/** Answers `{ "error": message }`, the body of every error (specification 2.3), and says so in the log. */
function sendError (reply: FastifyReply, statusCode: number, message: string): void {
  reply.log.info({ statusCode, error: message }, 'request refused')
  reply.request.refusal = message
  reply.code(statusCode).send({ error: message })
}

/**
 * Status and message that an error is answered with. What is thrown may be anything, also null: a message is passed on
 * only where it is known to be meant for clients, and the log has the rest.
 */
function answerTo (error: unknown, reply: FastifyReply): [statusCode: number, message: string] {
  if (error instanceof InvalidRequestError) return [400, error.message]
  if (error instanceof SigningError) {
    if (error.code === 'ERR_SIGNING_FAILED') reply.log.error({ err: error.cause }, 'signing failed')
    return [500, error.message]
  }
  const { statusCode = 500, code, message } = (error ?? {}) as Partial<FastifyError>
  // Fastify would end the connection with the rest of the body unread, and the reset often takes the answer with it.
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') reply.removeHeader('connection')
  if (message !== undefined && (statusCode === 503 || (statusCode >= 400 && statusCode < 500))) {
    return [statusCode, clearerMessages[code ?? ''] ?? message]
  }
  reply.log.error({ err: error }, 'unexpected fault')
  return [500, 'Internal Server Error']
}

/** What a server with these answers sets as its error handler; `send` gets each of them. */
export function errorHandler (send: (reply: FastifyReply, statusCode: number, message: string) => void) {
  return function handleError (error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    if (error !== null && error === request.raw.errored) { // the connection has ended, and nobody reads an answer
      reply.log.info('request body cut short')
      return
    }
    send(reply, ...answerTo(error, reply))
  }
}

const handleError = errorHandler(sendError)

/** For what Fastify refuses before any hook has run, such as a malformed URL. */
export function frameworkErrors (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(securityHeaders)
  reply.headers(request.server.corsHeaders(request.headers.origin))
  handleError(error, request, reply)
}

/** Every refusal of a request that Node could parse. */
export default fp(async function errors (app) {
  app.decorateRequest('refusal', '')
  const allMethods = new Set<string>()
  app.addHook('onRoute', ({ method }) => {
    for (const one of [method].flat()) allMethods.add(one)
  })

  app.setErrorHandler(handleError)

  // In the first hook after CORS, so that a body that would be refused too does not hide the answer.
  app.addHook('onRequest', (request, reply, done) => {
    const { host, expect } = request.headers
    if (host === undefined && request.raw.httpVersion === '1.1') return sendError(reply, 400, 'Host header is required')
    if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
      return sendError(reply, 417, 'Expectation Failed: only 100-continue is understood')
    }
    if (!request.is404) return done()

    const [path = ''] = request.url.split(/[?#]/, 1)
    // By the router, to which a percent-encoded or absolute URL is the same.
    const methods = [...allMethods].filter(method => app.findRoute({ method, url: request.url }) !== null)
    if (methods.length === 0) return sendError(reply, 404, `Not Found: ${request.method} ${path}`)
    reply.header('allow', [...methods, 'OPTIONS'].join(', '))
    sendError(reply, 405, `Method Not Allowed: ${request.method} ${path}`)
  })
}, { name: 'errors', dependencies: ['cors'] })
