import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { bodyOf, isOver, refuse } from '../../src/http/error-response.js'
import type { RefusedError } from '../../src/http/refused-error.js'
import { repeatedRefusals, type IsRepeated } from '../../src/telemetry/repeated-refusals.js'
import { securityHeaders } from './response-headers.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts refusals, also those that no hook sees. */
    isRepeated: IsRepeated
  }
}

function handleError (
  error: unknown, request: FastifyRequest, reply: FastifyReply, isRepeated: IsRepeated, logRefusals: boolean
): void {
  if (isOver(reply)) return
  reply.send(bodyOf(refuse(error, request, reply, isRepeated, logRefusals), reply))
}

/** Responds to errors of Fastify before any hook has run, such as a malformed URL. */
export function frameworkErrors (
  error: FastifyError | RefusedError, request: FastifyRequest, reply: FastifyReply
): void {
  const { server, raw } = request
  if (raw.socket.destroyed) return // as in plugins/http/response-headers.ts
  reply.headers(securityHeaders).header('x-request-id', request.id)
  reply.headers(server.corsHeaders?.(request.headers.origin) ?? {})
  handleError(error, request, reply, server.isRepeated, true)
}

/**
 * Responds to every error that a hook or handler throws, and counts repeated refusals. The log has a line for each
 * refusal that is not repeated.
 */
export default fp(async function errorHandler (app) {
  const isRepeated = repeatedRefusals(app)
  app.decorate('isRepeated', isRepeated)
  app.setErrorHandler((error, request, reply) => handleError(error, request, reply, isRepeated, true))
}, { name: 'error-handler', fastify: '5.x' })
