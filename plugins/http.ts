import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Attempt } from '../src/guards/attempt.js'
import { addressOf } from '../src/http/client-address.js'
import { securityHeaders } from '../src/http/server-options.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The attempt to get a signature; null on other routes, and before it began. */
    attempt: Attempt | null
    /** The client's address on arrival: a client that has left has none. */
    clientAddress: string
  }
}

/** Returns the members of a request's line in the log. It has no text that a client has written. */
function lineOf ({ method, clientAddress, attempt, routeOptions: { url = '(none)' } }: FastifyRequest, reply: FastifyReply, statusCode: number) {
  return {
    method,
    path: url,
    statusCode,
    responseTime: Math.round(reply.elapsedTime * 1000) / 1000,
    ip: clientAddress,
    caller: attempt?.caller?.apiKey && attempt.caller.name // the anonymous caller has no key
  }
}

/** Adds headers to each response, and a line to the log for each request. */
export default fp(async function http (app) {
  app.decorateRequest('attempt', null)
  app.decorateRequest('clientAddress', '')
  app.server.on('error', err => app.log.error({ err }, 'fault of the server')) // such as a lack of descriptors
  app.addHook('onRequest', (request, reply, done) => {
    request.clientAddress = addressOf(request.ip)
    reply.headers(securityHeaders).header('x-request-id', request.id)
    let isSent = false
    reply.raw.once('finish', () => { isSent = true })
    reply.raw.once('close', () => { // without a response, Fastify calls no hook
      if (!isSent) request.log.info({ ...lineOf(request, reply, 499), code: 'connection-ended' }, 'request aborted')
    })
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { refusal, attempt } = request
    request.log.info({
      ...lineOf(request, reply, reply.statusCode),
      ...refusal && { code: refusal.errorCode },
      ...refusal && !request.is404 && {
        error: attempt?.merchant?.redact(refusal.message) ?? refusal.message, // your authorize may quote a field
        reason: refusal.reason
      }
    }, 'request completed')
    done()
  })
}, { name: 'http', fastify: '5.x' })
