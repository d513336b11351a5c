import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { InvalidRequestError, SigningError } from '../scheme/errors.js'
import type { IsRepeated } from '../telemetry/log-limits.js'
import { clientAddress } from './client-address.js'
import type { ErrorCodeName } from './error-codes.js'
import { messages } from './messages.js'
import { RefusedError, schemeErrorCode } from './refused-error.js'
import { traceFieldsOf } from './request-id.js'

/**
 * Returns true, and logs a line, if no response can be sent: the client has hung up, or a response has begun. After the
 * client has hung up, Fastify continues a request that a hook has answered, and a second response throws. Fastify 5.12
 * itself ends with an uncaught ERR_HTTP_HEADERS_SENT if the host's `onSend` is slow: routes without this check are open
 * to it.
 */
export function isOver ({ raw, request, log }: FastifyReply): boolean {
  const isOver = raw.headersSent || request.raw.socket.destroyed
  if (isOver) log.info('request dropped, no response can be sent')
  return isOver
}

/** Codes of refusals that anyone can cause without end. Their repetitions are only counted. */
const countedCodes: ReadonlySet<string> = new Set<ErrorCodeName>([
  'expect', 'headers-too-large', 'http-invalid', 'key-failures', 'method-not-allowed', 'not-found', 'not-ready', 'rate-limit'
])

/** Codes and messages that replace those of Fastify's errors. */
const frameworkRefusals: ReadonlyMap<unknown, readonly [code: ErrorCodeName, message: string]> = new Map([
  ['FST_ERR_CTP_INVALID_MEDIA_TYPE', ['content-type', messages.contentType]],
  ['FST_ERR_NOT_FOUND', ['not-found', 'Not Found']], // a method that Fastify does not know, in the fetch handler
  ['FST_ERR_BAD_URL', ['http-invalid', messages.urlMalformed]],
  ['FST_ERR_MAX_PARAM_LENGTH', ['http-invalid', 'URL parameter is too long']]
])

/**
 * Returns status, message and header `Error-Code` of the response to an error, which may be any value. The client gets
 * only messages that are meant for clients. The log gets the others.
 *
 * @param hookStatus - the status of the response so far: a hook of the host may have set it before it failed
 */
function responseTo (
  error: unknown, { log }: FastifyRequest, hookStatus: number
): [status: number, message: string, errorCode: string] {
  if (error instanceof RefusedError) return [error.statusCode, error.message, error.code]
  if (error instanceof InvalidRequestError) return [400, error.message, schemeErrorCode(error)]
  if (error instanceof SigningError) {
    if (error.code === 'ERR_SIGNING_FAILED') log.error({ err: error.cause }, 'signing failed')
    return [500, error.message, schemeErrorCode(error)]
  }
  const { statusCode: ofError, status, code, message } = (error ?? {}) as Partial<FastifyError> & { status?: number }
  const statusCode = hookStatus >= 400 ? hookStatus : ofError ?? status ?? 500 // as Fastify does
  if (typeof message === 'string' && (statusCode === 503 || (statusCode >= 400 && statusCode < 500))) {
    const [name, clearer] = frameworkRefusals.get(code) ?? [statusCode === 503 ? 'unavailable' : 'refused', message]
    return [statusCode, clearer, name]
  }
  log.error({ err: error }, 'unexpected fault')
  return [500, messages.fault, 'fault']
}

/** Statuses of refusals before the whole body was read. */
const unreadBody: readonly number[] = [413, 415, 503]

/** A refusal, as the client gets it. */
interface Answer {
  readonly error: unknown
  readonly message: string
  readonly isRepeated: boolean
  readonly statusCode: number
  readonly errorCode: string
}

/** Requests whose refusal is logged only as part of a count. */
export const countedRequests = new WeakSet<FastifyRequest>()

/** Returns the refusal that an error is. Counts it and logs it. */
export function refuse (
  error: unknown, request: FastifyRequest, reply: FastifyReply, isRepeated: IsRepeated, logRefusals: boolean
): Answer {
  const [statusCode, message, errorCode] = responseTo(error, request, reply.statusCode)
  const { client } = error instanceof RefusedError ? error : {}
  const [reason] = message.split(': ', 1) as [string] // a path or a time may follow
  const key = client ?? clientAddress(request)
  const isCounted = countedCodes.has(errorCode) && isRepeated(key, { statusCode, error: reason })
  if (isCounted) countedRequests.add(request)
  // The line of the completed request is enough for a 404 or 405.
  const isWrongPath = request.is404 && (statusCode === 404 || statusCode === 405)
  if (logRefusals && !isWrongPath && !isCounted) {
    request.log.info({ statusCode, error: message, code: errorCode, client: key, ...traceFieldsOf(request) }, 'request refused')
  }
  return { error, message, isRepeated: isCounted, statusCode, errorCode }
}

/** Sets status and headers of a refusal. Returns `{ error: message }`, the body of every error (specification 2.3). */
export function bodyOf ({ error, statusCode, message, errorCode }: Answer, reply: FastifyReply): { error: string } {
  // Fastify would close the connection before the body was read. The reset that follows often destroys the response.
  if (unreadBody.includes(statusCode) && !reply.raw.hasHeader('connection')) reply.removeHeader('connection')
  const { headers = {} } = error instanceof RefusedError ? error : {}
  reply.code(statusCode).header('error-code', errorCode).headers(headers)
  return { error: message }
}
