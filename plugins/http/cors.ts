import fastifyCors from '@fastify/cors'
import fp from 'fastify-plugin'
import { allowedOrigins, limitsRate } from '../../src/service/configuration.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** CORS headers for an answer that passes no hook, since Fastify or Node refused the request before them. */
    corsHeaders (origin?: string): Record<string, string>
  }
}

const anyOrigin = { 'access-control-allow-origin': '*' } as const

/** Lets browsers of the origins in CORS_ORIGIN call the service and read every answer, errors included. */
export default fp(async function cors (app) {
  const origins = allowedOrigins(app.config.CORS_ORIGIN)
  const exposedHeaders = limitsRate(app.config) ? 'Retry-After' : undefined

  const options = {
    origin: origins,
    methods: ['GET', 'HEAD', 'POST'],
    ...(exposedHeaders !== undefined && { exposedHeaders }),
    maxAge: 600, // seconds; spares most payments the preflight
    strictPreflight: false // an OPTIONS that is no preflight is answered 204 too, not with a text/plain error
  }

  if (origins === '*') { // the headers are constant: the plugin has the preflights to itself, and the hook the rest
    app.register(async preflights => preflights.register(fastifyCors, options))
    app.addHook('onRequest', (_request, reply, done) => {
      reply.headers(anyOrigin)
      if (exposedHeaders !== undefined) reply.header('access-control-expose-headers', exposedHeaders)
      done()
    })
  } else {
    await app.register(fastifyCors, options)
  }

  app.decorate('corsHeaders', (origin?: string): Record<string, string> => {
    if (origins === '*') return anyOrigin
    if (origin === undefined || !origins.includes(origin)) return { vary: 'Origin' }
    return { 'access-control-allow-origin': origin, vary: 'Origin' }
  })
}, { name: 'cors', dependencies: ['env'] })
