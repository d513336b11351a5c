import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { InvalidRequestError, SigningError } from '../../src/scheme/errors.js'
import { RefusedError } from '../../src/service/refused-error.js'
import { securityHeaders } from './security-headers.js'
import { traceFieldsOf } from './trace-context.js'

/** Why requests were refused: what was thrown, and the message for their clients. */
const refusals = new WeakMap<FastifyRequest, { error: unknown, message: string }>()

/** The message with which a request was refused here; undefined if it was not. */
export const refusalOf = (request: FastifyRequest): string | undefined => refusals.get(request)?.message

/** What was thrown when a request was refused here; undefined if it was not. */
export const errorOf = (request: FastifyRequest): unknown => refusals.get(request)?.error

/** Whether a request was refused like many others, which the log has a count of. */
export function isRepeatedRefusal (request: FastifyRequest): boolean {
  const error = errorOf(request)
  return error instanceof RefusedError && error.isRepeated
}

export interface ErrorOptions {
  /** Whether the log has a line for each refusal. */
  logRefusals: boolean
}

/** What to do about it, where Fastify's own message does not say. */
const clearerMessages: Record<string, string> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'Unsupported Media Type: send the body as application/json',
  FST_ERR_BAD_URL: 'Malformed URL'
}

/**
 * Status and message of the response to an error. What is thrown may be anything, also null: a message is passed on
 * only where it is known to be meant for clients, and the log has the rest.
 */
function responseTo (error: unknown, { log }: FastifyRequest): [statusCode: number, message: string] {
  if (error instanceof InvalidRequestError) return [400, error.message]
  if (error instanceof SigningError) {
    if (error.code === 'ERR_SIGNING_FAILED') log.error({ err: error.cause }, 'signing failed')
    return [500, error.message]
  }
  const { statusCode = 500, code, message } = (error ?? {}) as Partial<FastifyError>
  if (message !== undefined && (statusCode === 503 || (statusCode >= 400 && statusCode < 500))) {
    return [statusCode, clearerMessages[code ?? ''] ?? message]
  }
  log.error({ err: error }, 'unexpected fault')
  return [500, 'Internal Server Error']
}

/** Statuses with which a request is refused before all of its body was read. */
const unreadBody: readonly number[] = [413, 415, 503]

/** Responds with `{ "error": message }`, the body of every error (specification 2.3). */
function handleError (
  error: unknown, request: FastifyRequest, reply: FastifyReply, { logRefusals }: ErrorOptions
): void {
  if (error !== null && error === request.raw.errored) { // the connection has ended, and nobody reads a response
    request.log.info('request body cut short')
    return
  }
  const [statusCode, message] = responseTo(error, request)
  // Fastify would end the connection with the rest of the body unread, and the reset often takes the response with it.
  if (unreadBody.includes(statusCode) && !reply.raw.hasHeader('connection')) reply.removeHeader('connection')
  if (error instanceof RefusedError) reply.headers(error.headers)
  refusals.set(request, { error, message })
  if (logRefusals && !isRepeatedRefusal(request)) {
    request.log.info({ statusCode, error: message, ...traceFieldsOf(request) }, 'request refused')
  }
  reply.code(statusCode).send({ error: message })
}

/** For what Fastify refuses before any hook has run, such as a malformed URL. */
export function frameworkErrors (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(securityHeaders).header('x-request-id', request.id)
  reply.headers(request.server.corsHeaders?.(request.headers.origin) ?? {})
  handleError(error, request, reply, { logRefusals: true })
}

/** Every refusal of a request that Node could parse: whatever is thrown, in whatever hook or handler. */
export default fp<ErrorOptions>(async function errors (app, options) {
  app.setErrorHandler((error, request, reply) => handleError(error, request, reply, options))
}, { name: 'errors' })
