import fastifyCors from '@fastify/cors'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /** CORS headers for a response that passes no hook, since Fastify or Node refused the request before them. */
    corsHeaders? (origin?: string): Record<string, string>
  }
}

interface CorsOptions {
  /** `*`, or the origins whose pages may read the responses. */
  origins: '*' | string[]
  /** Response headers that pages may read, besides those that they always may. */
  exposedHeaders?: string[]
}

/** Lets browsers of some origins call the service and read every response, errors included. */
export default fp<CorsOptions>(async function cors (app, { origins, ...options }) {
  await app.register(fastifyCors, {
    origin: origins,
    methods: ['GET', 'HEAD', 'POST'],
    ...options,
    maxAge: 600, // seconds; spares most payments the preflight
    strictPreflight: false // an OPTIONS that is no preflight gets 204 too, not a text/plain error
  })

  app.decorate('corsHeaders', (origin?: string): Record<string, string> => {
    if (origins === '*') return { 'access-control-allow-origin': '*' }
    if (origin === undefined || !origins.includes(origin)) return { vary: 'Origin' }
    return { 'access-control-allow-origin': origin, vary: 'Origin' }
  })
}, { name: 'cors' })
