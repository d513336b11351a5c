import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /** Why no new requests should be sent here; empty if they may be. */
    unreadiness (): '' | 'starting' | 'shutting down' | 'overloaded'
  }
}

/** Whether a load balancer should send requests here, as opposed to whether the process lives. */
export default fp(async function readiness (app) {
  let started = false
  app.addHook('onReady', async () => { started = true })

  app.decorate('unreadiness', () => {
    if (app.isDraining()) return 'shutting down'
    if (!started) return 'starting'
    return app.wasOverloaded() ? 'overloaded' : ''
  })
}, { name: 'readiness', dependencies: ['graceful-shutdown', 'overload'] })
