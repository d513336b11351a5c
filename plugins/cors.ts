import fastifyCors from '@fastify/cors'
import fp from 'fastify-plugin'
import { allowedOrigins, ConfigurationError } from '../src/settings/environment.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns CORS headers for a response that passes no hook: Fastify or Node.js refused the request earlier. */
    corsHeaders? (origin?: string): Record<string, string>
  }
}

/** Returns the options of @fastify/cors that the service and the fetch handler share. */
export const corsOptions = (origin: '*' | string[], credentials: boolean) => ({
  origin,
  credentials,
  exposedHeaders: 'Retry-After, X-Request-Id, Error-Code', // on every response
  maxAge: 600, // seconds; most payments then need no preflight
  strictPreflight: false // other OPTIONS requests get 204 too, instead of a text/plain error
})

/** Lets pages of the origins in CORS_ORIGIN call the service and read every response, errors included. */
export default fp(async function cors (app) {
  const { CORS_ORIGIN, CORS_CREDENTIALS } = app.config
  const origins = allowedOrigins(CORS_ORIGIN)
  if (CORS_CREDENTIALS && origins === '*') {
    throw new ConfigurationError('CORS_CREDENTIALS is true, so CORS_ORIGIN must list origins instead of *')
  }
  const options = corsOptions(origins, CORS_CREDENTIALS)
  await app.register(fastifyCors, { ...options, methods: ['GET', 'HEAD', 'POST'] })

  app.decorate('corsHeaders', (origin?: string): Record<string, string> => {
    const headers = {
      'access-control-expose-headers': options.exposedHeaders,
      ...CORS_CREDENTIALS && { 'access-control-allow-credentials': 'true' }
    }
    if (origins === '*') return { ...headers, 'access-control-allow-origin': '*' }
    if (origin === undefined || !origins.includes(origin)) return { ...headers, vary: 'Origin' }
    return { ...headers, 'access-control-allow-origin': origin, vary: 'Origin' }
  })
}, { name: 'cors', dependencies: ['env'], fastify: '5.x' })
