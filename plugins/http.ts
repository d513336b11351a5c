import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { addressOf } from '../src/http/client-address.js'
import { applyRefusal, refusalOf, RefusedError, refusedRequests } from '../src/http/errors.js'
import { securityHeaders } from '../src/http/server.js'

/** Returns the refusal of a request that no route matches, with the methods of its path. The router is not asked. */
function notFound ({ method, url }: FastifyRequest, methods: ReadonlyMap<string, ReadonlySet<string>>): RefusedError {
  const [path = ''] = url.split(/[?#]/, 1)
  const allowed = methods.get(path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path)
  if (allowed === undefined) return new RefusedError('not-found', `Not Found: ${method} ${path}`)
  const headers = { allow: [...allowed].join(', ') }
  return new RefusedError('method-not-allowed', `Method Not Allowed: ${method} ${path}`, { headers })
}

/** Adds headers, errors as JSON, 404 and 405, and one line in the log for each request. */
export default fp(async function http (app) {
  app.server.on('error', err => app.log.error({ err }, 'fault of the server')) // such as a lack of descriptors
  const methods = new Map<string, Set<string>>() // of each path of our routes
  app.addHook('onRoute', ({ url, method }) => {
    if (!url.includes('*')) methods.set(url, new Set([...methods.get(url) ?? [], ...[method].flat(), 'OPTIONS']))
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(securityHeaders).header('x-request-id', request.id)
    // Before the body is read, because the refusal of a body would hide the wrong path.
    done(request.is404 ? notFound(request, methods) : undefined)
  })
  app.setErrorHandler((error, request, reply) => {
    if (!reply.raw.headersSent) reply.send(applyRefusal(refusalOf(error, reply.statusCode), request, reply))
  })
  app.addHook('onResponse', (request, reply, done) => {
    const refusal = refusedRequests.get(request)
    const { method, ip, routeOptions: { url = '(none)' } } = request // no text that a client has written
    request.log.info({
      method,
      path: url,
      statusCode: reply.statusCode,
      responseTime: Math.round(reply.elapsedTime * 1000) / 1000,
      ip: addressOf(ip),
      ...refusal && { code: refusal.headers['error-code'] },
      ...refusal && !request.is404 && { error: refusal.message, reason: refusal.reason }
    }, 'request completed')
    done()
  })
}, { name: 'http', fastify: '5.x' })
