import fp from 'fastify-plugin'
import type { Attempt } from '../src/guards/attempt.js'
import { addressOf } from '../src/http/client-address.js'
import { securityHeaders } from '../src/http/server-options.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The attempt to get a signature; null on other routes, and before it began. */
    attempt: Attempt | null
  }
}

/** Adds headers to each response, and a line to the log for each request. */
export default fp(async function http (app) {
  app.decorateRequest('attempt', null)
  app.server.on('error', err => app.log.error({ err }, 'fault of the server')) // such as a lack of descriptors
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(securityHeaders).header('x-request-id', request.id)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { method, ip, refusal, attempt, routeOptions: { url = '(none)' } } = request // no text that a client has written
    request.log.info({
      method,
      path: url,
      statusCode: reply.statusCode,
      responseTime: Math.round(reply.elapsedTime * 1000) / 1000,
      ip: addressOf(ip),
      caller: attempt?.caller?.apiKey && attempt.caller.name, // the anonymous caller has no key
      ...refusal && { code: refusal.errorCode },
      ...refusal && !request.is404 && {
        error: attempt?.merchant?.redact(refusal.message) ?? refusal.message, // your authorize may quote a field
        reason: refusal.reason
      }
    }, 'request completed')
    done()
  })
}, { name: 'http', fastify: '5.x' })
