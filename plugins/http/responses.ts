import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { bodyOf, isOver, refuse } from '../../src/http/error-response.js'
import { messages } from '../../src/http/messages.js'
import { RefusedError } from '../../src/http/refused-error.js'
import { repeatedRefusals, type IsRepeated } from '../../src/telemetry/log-limits.js'

/**
 * Headers that make a browser treat a response only as data. Responses outside hooks have them too. Each header costs
 * time on each response, so only those that matter for JSON are here: Cross-Origin-Resource-Policy has no effect on
 * requests with CORS, and Strict-Transport-Security is up to the server that terminates TLS.
 */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'"
} as const

/**
 * Adds the {@link securityHeaders} and the request ID to every response. Registered before CORS, whose preflight
 * responses end the hooks.
 */
export const responseHeaders = fp(async function responseHeaders (app) {
  app.addHook('onRequest', ({ id, raw }, reply, done) => {
    if (raw.socket.destroyed) return // Node.js still parses what it has read before the connection was cut
    reply.headers(securityHeaders).header('x-request-id', id)
    done()
  })
}, { name: 'response-headers', fastify: '5.x' })

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
  if (raw.socket.destroyed) return // nobody can get a response
  reply.headers(securityHeaders).header('x-request-id', request.id)
  reply.headers(server.corsHeaders?.(request.headers.origin) ?? {})
  handleError(error, request, reply, server.isRepeated, true)
}

/**
 * Responds to every error that a hook or handler throws, and counts repeated refusals. The log has a line for each
 * refusal that is not repeated.
 */
export const errorHandler = fp(async function errorHandler (app) {
  const isRepeated = repeatedRefusals(app)
  app.decorate('isRepeated', isRepeated)
  app.setErrorHandler((error, request, reply) => handleError(error, request, reply, isRepeated, true))
}, { name: 'error-handler', fastify: '5.x' })

/** Returns the path of a URL as the router compares it: without a query and a final slash, decoded, not absolute. */
function pathIn (url: string): string {
  const [path] = url.replace(/^https?:\/\/[^/]*/i, '').split(/[?#]/, 1) as [string]
  try {
    return decodeURI(path).replace(/(?<=.)\/$/, '')
  } catch {
    return path // no route has it
  }
}

/** Refuses unknown paths with 404 and wrong methods with 405. Fastify would respond to both with 404. */
export const notFound = fp(async function notFound (app) {
  // Fastify before 5.12 calls this handler for a malformed URL. The hook below refuses all other requests.
  app.setNotFoundHandler(frameworkErrors.bind(undefined, new RefusedError('http-invalid', messages.urlMalformed)))

  // A list of our own routes: `hasRoute` reads a URL as a pattern, which an exception may end.
  const methodsOf = new Map<string, string[]>()
  app.addHook('onRoute', ({ url, method }) => { methodsOf.set(url, [...methodsOf.get(url) ?? [], ...[method].flat()]) })

  // A hook before the body is read, because the refusal of a body would hide the wrong path.
  app.addHook('onRequest', (request, _reply, done) => {
    if (!request.is404) return done()
    const [path] = request.url.split(/[?#]/, 1) as [string]
    const target = `${request.method} ${path}`
    const methods = methodsOf.get(pathIn(request.url))
    if (methods === undefined) return done(new RefusedError('not-found', `Not Found: ${target}`))
    const preflights = app.corsHeaders === undefined ? [] : ['OPTIONS'] // they have a route for every path
    done(new RefusedError('method-not-allowed', `Method Not Allowed: ${target}`, { allow: [...methods, ...preflights].join(', ') }))
  })
}, { name: 'not-found', dependencies: ['error-handler'], fastify: '5.x' })
