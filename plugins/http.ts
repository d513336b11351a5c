import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { addressOf } from '../src/http/client-address.js'
import { isNext } from '../src/http/client-error.js'
import { securityHeaders } from '../src/http/server-options.js'
import { whenComplete } from '../src/http/when-complete.js'

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

/** Limit of the connections, which take 28 KiB each with the largest body: 110 MiB. */
const maxConnections = 4000

/** Adds headers to each response, and a line to the log for each request. */
export default fp(async function http (app) {
  app.decorateRequest('attempt', null)
  app.decorateRequest('clientAddress', '')
  app.server.maxConnections = maxConnections
  app.server.on('checkExpectation', app.routing) // Node.js would answer an unknown Expect itself, without our headers
  app.server.on('error', err => app.log.error({ err }, 'fault of the server')) // such as a lack of descriptors
  app.addHook('onRequest', (request, reply, done) => {
    request.clientAddress = addressOf(request.ip)
    const { socket } = request.raw
    if (!isNext(socket, reply.raw)) {
      app.server.emit('clientError', Object.assign(new Error(), { code: 'pipelined' }), socket.pause())
      reply.hijack()
      return done()
    }
    reply.headers(securityHeaders).header('x-request-id', request.id)
    let isSent = false
    reply.raw.once('finish', () => { isSent = true })
    reply.raw.once('close', () => { // without a response, Fastify calls no hook
      if (!isSent) request.log.info({ ...lineOf(request, reply, 499), code: 'connection-ended' }, 'request aborted')
    })
    done()
  })
  app.addHook('onSend', ({ raw }, reply, payload, done) => {
    if (raw.complete) return done() // at once
    if (!(payload instanceof Readable)) return whenComplete(raw, done)
    if (raw.complete === false) reply.header('connection', 'close') // a stream of yours may be made of the body
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { refusal, attempt } = request
    request.log.info({
      ...lineOf(request, reply, reply.statusCode),
      ...refusal && { code: refusal.errorCode },
      ...refusal && !request.is404 && {
        // your authorize may quote a field
        error: attempt?.decision?.merchant?.redact(refusal.message) ?? refusal.message,
        reason: refusal.reason
      }
    }, 'request completed')
    done()
  })
}, { name: 'http', fastify: '5.x' })
