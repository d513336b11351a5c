import fastifyCors from '@fastify/cors'
import fp from 'fastify-plugin'
import { allowedOrigins } from '../../src/service/configuration.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns CORS headers for a response that passes no hook: Fastify or Node.js refused the request earlier. */
    corsHeaders? (origin?: string): Record<string, string>
  }
}

/** Response headers that pages may read, on every response. */
export const exposedHeaders = 'Retry-After, X-Request-Id, Error-Code'

/** Lets pages of the origins in CORS_ORIGIN call the service and read every response, errors included. */
export default fp(async function cors (app) {
  const origins = allowedOrigins(app.config.CORS_ORIGIN)
  await app.register(fastifyCors, {
    origin: origins,
    methods: ['GET', 'HEAD', 'POST'],
    exposedHeaders,
    maxAge: 600, // seconds; most payments then need no preflight
    strictPreflight: false // other OPTIONS requests get 204 too, instead of a text/plain error
  })

  app.decorate('corsHeaders', (origin?: string): Record<string, string> => {
    const exposed = { 'access-control-expose-headers': exposedHeaders }
    if (origins === '*') return { ...exposed, 'access-control-allow-origin': '*' }
    if (origin === undefined || !origins.includes(origin)) return { ...exposed, vary: 'Origin' }
    return { ...exposed, 'access-control-allow-origin': origin, vary: 'Origin' }
  })
}, { name: 'cors', dependencies: ['env'] })
