import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /** What else makes it unready: each returns why, or an empty text. */
    readinessChecks: Array<() => string>
    /** Why no new requests should be sent here; empty if they may be. */
    unreadiness (): string
  }
}

/** Whether a load balancer should send requests here, as opposed to whether the process lives. */
export default fp(async function readiness (app) {
  let started = false
  app.addHook('onReady', async () => { started = true })

  app.decorate('readinessChecks', [])
  app.decorate('unreadiness', () => {
    if (app.isDraining()) return 'shutting down'
    if (!started) return 'starting'
    if (app.wasOverloaded()) return 'overloaded'
    return app.readinessChecks.map(check => check()).find(reason => reason !== '') ?? ''
  })
}, { name: 'readiness', dependencies: ['graceful-shutdown', 'overload'] })
