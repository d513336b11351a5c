import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { InvalidRequestError, SigningError } from '../../src/scheme/errors.js'
import { fieldNames } from '../../src/scheme/fields.js'
import { errorCodes, type ErrorCodeName } from '../../src/service/error-codes.js'
import { messages } from '../../src/service/messages.js'
import { RefusedError } from '../../src/service/refused-error.js'
import { clientAddress } from './client-address.js'
import { repeatedRefusals } from './repeated-refusals.js'
import { securityHeaders } from './response-headers.js'
import { traceFieldsOf } from './trace-context.js'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Counts a refusal outside signing. Returns true if the client's address was refused for the same reason within a
     * minute: the log then has only the count.
     */
    isRepeated (client: { readonly ip: string }, statusCode: number, reason: string): boolean
  }
}

/** Refused requests, each with the thrown value and the message for the client. */
const refusals = new WeakMap<FastifyRequest, { error: unknown, message: string }>()

/** Returns the message for the client of a refused request; undefined if the request was not refused. */
export const refusalOf = (request: FastifyRequest): string | undefined => refusals.get(request)?.message

/** Returns the value that was thrown to refuse a request; undefined if the request was not refused. */
export const errorOf = (request: FastifyRequest): unknown => refusals.get(request)?.error

/** True for a refusal that is logged only as part of a count. */
export function isRepeatedRefusal (request: FastifyRequest): boolean {
  const error = errorOf(request)
  return error instanceof RefusedError && error.isRepeated
}

interface ErrorOptions {
  /** True: log a line for each refusal. */
  logRefusals: boolean
}

/** Codes and messages that replace those of Fastify's errors. */
const frameworkRefusals: Record<string, readonly [code: ErrorCodeName, message: string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['content-type', messages.contentType],
  FST_ERR_BAD_URL: ['http-invalid', messages.urlMalformed],
  FST_ERR_MAX_PARAM_LENGTH: ['http-invalid', 'URL parameter is too long']
}

/**
 * Returns the header `Error-Code` of a scheme's error, such as `strict; field=amount`. The error's message names the
 * field first. A custom signer may throw any code and message: neither enters the header.
 */
function schemeErrorCode ({ code, message }: InvalidRequestError | SigningError): string {
  const name = String(code).slice('ERR_'.length).toLowerCase().replaceAll('_', '-')
  if (name === 'signing-failed' || !Object.hasOwn(errorCodes, name)) return 'signing-failed'
  const field = message.split(' ').find(word => fieldNames.has(word))
  return field === undefined ? name : `${name}; field=${field}`
}

/**
 * Returns status, message and header `Error-Code` of the response to an error, which may be any value. The client gets
 * only messages that are meant for clients. The log gets the others.
 */
function responseTo (error: unknown, { log }: FastifyRequest): [status: number, message: string, errorCode: string] {
  if (error instanceof RefusedError) return [error.statusCode, error.message, error.code]
  if (error instanceof InvalidRequestError) return [400, error.message, schemeErrorCode(error)]
  if (error instanceof SigningError) {
    if (error.code === 'ERR_SIGNING_FAILED') log.error({ err: error.cause }, 'signing failed')
    return [500, error.message, schemeErrorCode(error)]
  }
  const { statusCode = 500, code = '', message } = (error ?? {}) as Partial<FastifyError>
  if (message !== undefined && (statusCode === 503 || (statusCode >= 400 && statusCode < 500))) {
    const [name, clearer] = frameworkRefusals[code] ?? [statusCode === 503 ? 'unavailable' : 'refused', message]
    return [statusCode, clearer, name]
  }
  log.error({ err: error }, 'unexpected fault')
  return [500, messages.fault, 'fault']
}

/** Statuses of refusals before the whole body was read. */
const unreadBody: readonly number[] = [413, 415, 503]

/**
 * Responds with `{ "error": message }`, the body of every error (specification 2.3).
 *
 * @param isLogged - returns true if the reason is logged
 */
function handleError (
  error: unknown, request: FastifyRequest, reply: FastifyReply,
  isLogged: (statusCode: number, message: string) => boolean
): void {
  if (error !== null && error === request.raw.errored) { // the connection is closed, so a response would be useless
    request.log.info('request body cut short')
    return
  }
  const [statusCode, message, errorCode] = responseTo(error, request)
  // Fastify would close the connection before the body was read. The reset that follows often destroys the response.
  if (unreadBody.includes(statusCode) && !reply.raw.hasHeader('connection')) reply.removeHeader('connection')
  if (error instanceof RefusedError) reply.headers(error.headers)
  refusals.set(request, { error, message })
  if (isLogged(statusCode, message)) {
    request.log.info({ statusCode, error: message, ...traceFieldsOf(request) }, 'request refused')
  }
  reply.code(statusCode).header('error-code', errorCode).send({ error: message })
}

/** Responds to errors of Fastify before any hook has run, such as a malformed URL. */
export function frameworkErrors (
  error: FastifyError | RefusedError, request: FastifyRequest, reply: FastifyReply
): void {
  const { server } = request
  reply.headers(securityHeaders).header('x-request-id', request.id)
  reply.headers(server.corsHeaders?.(request.headers.origin) ?? {})
  handleError(error, request, reply, (statusCode, message) => !server.isRepeated(request, statusCode, message))
}

/** Responds to every error that a hook or handler throws. */
export default fp<ErrorOptions>(async function errorHandler (app, { logRefusals }) {
  if (logRefusals) {
    const { normalizeIP } = await import('@fastify/rate-limit') // loaded lazily: apps that embed the plugin do not need it
    const isRepeated = repeatedRefusals(app)
    app.decorate('isRepeated', (client, statusCode, reason) =>
      isRepeated(clientAddress(client, normalizeIP), statusCode, reason))
  }
  app.setErrorHandler((error, request, reply) => handleError(error, request, reply, statusCode => {
    // The line of the completed request is enough for a 404 or 405.
    const isWrongPath = request.is404 && (statusCode === 404 || statusCode === 405)
    return logRefusals && !isWrongPath && !isRepeatedRefusal(request)
  }))
}, { name: 'error-handler' })
