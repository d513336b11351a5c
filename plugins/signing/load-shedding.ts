import createError from '@fastify/error'
import fp from 'fastify-plugin'

/** When to try again, in seconds: by then the load has been measured anew. */
const retryAfter = 2

const OverloadedError = createError('ERR_OVERLOADED', 'Service Unavailable: overloaded, try again later', 503)

/** Refuses signing while overloaded, before the body is read. Liveness and readiness are always answered. */
export default fp(async function loadShedding (app) {
  app.addHook('onRequest', (_request, reply, done) => {
    if (!app.isOverloaded()) return done()
    reply.header('retry-after', retryAfter)
    done(new OverloadedError())
  })
}, { name: 'load-shedding', dependencies: ['overload'] })
