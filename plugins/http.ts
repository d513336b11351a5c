import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { addressOf } from '../src/http/client-address.js'
import { isNext, whenComplete } from '../src/http/connection-rules.js'
import { securityHeaders } from '../src/http/server-options.js'

/** Returns the members of a request's line in the log. It has no text that a client has written. */
function membersOf (request: FastifyRequest, reply: FastifyReply) {
  const { method, clientAddress, attempt, routeOptions: { url = '(none)' } } = request
  return {
    method,
    path: url,
    statusCode: reply.statusCode,
    responseTime: Math.round(reply.elapsedTime * 1000) / 1000,
    clientAddress,
    caller: attempt?.caller?.keyId && attempt.caller.name, // the anonymous caller has no key
    merchant: attempt?.merchant?.name
  }
}

/** Adds headers to each response, which waits for its whole request, and a line to the log for each request. */
export default fp(async function http (app) {
  app.decorateRequest('clientAddress', '')
  app.decorateRequest('hasReply', false)
  app.decorateRequest('refusal', null)
  app.server.on('checkExpectation', app.routing) // Node.js would answer an unknown Expect itself, without our headers
  app.server.on('error', err => app.log.error({ err }, 'fault of the server')) // such as a lack of descriptors
  app.addHook('onRequest', (request, reply, done) => {
    if (!isNext(app, request.raw, reply.raw)) {
      reply.hijack() // it gets no response
      return
    }
    request.clientAddress = addressOf(request.ip)
    reply.headers(securityHeaders).header('x-request-id', request.id)
    let isSent = false
    reply.raw.once('finish', () => { isSent = true })
    reply.raw.once('close', () => { // without a whole response, Fastify calls no hook
      if (isSent) return
      request.log.info({ ...membersOf(request, reply), statusCode: 499, code: 'connection-ended' }, 'request aborted')
    })
    done()
  })
  app.addHook('onError', (request, _reply, _error, done) => {
    request.hasReply = true
    done()
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    request.hasReply = true
    if (request.raw.complete !== false || !(payload instanceof Readable)) return whenComplete(request.raw, done)
    reply.header('connection', 'close') // a user's stream may need the rest of the body: it cannot wait
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { refusal, attempt } = request
    const line = membersOf(request, reply)
    if (refusal === null) request.log.info(line, 'request completed')
    else {
      const { error, ...members } = refusal.members(attempt?.merchant?.redact)
      const shown = request.is404 ? undefined : error // the message has the path, which a client has written
      request.log.info({ ...line, ...members, error: shown, cause: refusal.options.loggedCause }, 'request completed')
    }
    done()
  })
}, { name: 'http', fastify: '5.x' })
