import fastifyCors from '@fastify/cors'
import fp from 'fastify-plugin'
import { allowedOrigins } from '../../src/service/configuration.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** CORS headers for a response that passes no hook, since Fastify or Node refused the request before them. */
    corsHeaders? (origin?: string): Record<string, string>
  }
}

/** Lets pages of the origins in CORS_ORIGIN call the service and read every response, errors included. */
export default fp(async function cors (app) {
  const { CORS_ORIGIN, RATE_LIMIT_MAX, POLICY_FILE, AUTHORIZE_URL } = app.config
  const origins = allowedOrigins(CORS_ORIGIN)
  const asksToRetry = RATE_LIMIT_MAX > 0 || POLICY_FILE !== '' || AUTHORIZE_URL !== ''
  await app.register(fastifyCors, {
    origin: origins,
    methods: ['GET', 'HEAD', 'POST'],
    ...asksToRetry && { exposedHeaders: ['Retry-After'] },
    maxAge: 600, // seconds; spares most payments the preflight
    strictPreflight: false // an OPTIONS that is no preflight gets 204 too, not a text/plain error
  })

  app.decorate('corsHeaders', (origin?: string): Record<string, string> => {
    if (origins === '*') return { 'access-control-allow-origin': '*' }
    if (origin === undefined || !origins.includes(origin)) return { vary: 'Origin' }
    return { 'access-control-allow-origin': origin, vary: 'Origin' }
  })
}, { name: 'cors', dependencies: ['env'] })
