import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyRequest {
    /** The most requests that the caller may make in a window, where a policy says so. */
    callerRate: { max: number, window: number } | null
  }
}

export default fp(async function policy (app) {
  app.decorateRequest('callerRate', null)
}, { name: 'policy', dependencies: ['env', 'request-caller'] })
