import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /** Each check returns the reason for which the service is not ready, or an empty text. */
    readinessChecks: Array<() => string>
    /** Returns the reason of the first check that fails; an empty text if the service is ready for new requests. */
    unreadiness (): string
  }
}

/** Readiness, for load balancers. Other plugins add checks. */
export default fp(async function readiness (app) {
  app.decorate('readinessChecks', [])
  app.decorate('unreadiness', () => app.readinessChecks.map(check => check()).find(reason => reason !== '') ?? '')
}, { name: 'readiness', fastify: '5.x' })
