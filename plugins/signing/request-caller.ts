import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyRequest {
    /** The name of the caller, as a policy knows it; `anonymous` without one. */
    caller: string
    /** The most requests that the caller may make in a window of milliseconds, where a policy says so. */
    callerRate: { max: number, window: number } | null
  }
}

/** Who asks for a signature. A policy says who that is; the audit, the metrics and the rate limit go by it. */
export default fp(async function requestCaller (app) {
  app.decorateRequest('caller', 'anonymous')
  app.decorateRequest('callerRate', null)
}, { name: 'request-caller' })
