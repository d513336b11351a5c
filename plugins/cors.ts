import fastifyCors from '@fastify/cors'
import fp from 'fastify-plugin'
import { allowedOrigins, limitsRate } from '../src/configuration.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** CORS headers for an answer that passes no hook, since Fastify or Node refused the request before them. */
    corsHeaders (origin?: string): Record<string, string>
  }
}

/** Lets browsers of the origins in CORS_ORIGIN call the service and read every answer, errors included. */
export default fp(async function cors (app) {
  const origins = allowedOrigins(app.config.CORS_ORIGIN)

  await app.register(fastifyCors, {
    origin: origins,
    methods: ['GET', 'HEAD', 'POST'],
    ...(limitsRate(app.config) && { exposedHeaders: 'Retry-After' }),
    maxAge: 600, // seconds; spares most payments the preflight
    strictPreflight: false // an OPTIONS that is no preflight is answered 204 too, not with a text/plain error
  })

  app.decorate('corsHeaders', (origin?: string): Record<string, string> => {
    if (origins === '*') return { 'access-control-allow-origin': '*' }
    if (origin === undefined || !origins.includes(origin)) return { vary: 'Origin' }
    return { 'access-control-allow-origin': origin, vary: 'Origin' }
  })
}, { name: 'cors', dependencies: ['env'] })
