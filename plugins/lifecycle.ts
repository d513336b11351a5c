import fp from 'fastify-plugin'
import { socketsOf } from '../src/http/connections.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns the reason why load balancers should send no new requests here; empty if there is none. */
    unreadiness (): string
    /** Makes readiness fail, and every response end its connection. The service still responds. */
    drain (): void
  }
}

/**
 * Readiness, and an end of service in which no request is lost. A keep-alive connection that is busy when the server
 * closes would otherwise delay the exit until its time-out (fastify#7044).
 */
export default fp(async function lifecycle (app) {
  let isDraining = false
  let ended = 0
  app.server.on('unfinished', () => {
    app.metrics?.unfinished.inc()
    if (ended++ > 0) return // the line of this minute counts it
    setTimeout(() => {
      app.log.warn({ connections: ended }, 'connections were ended or refused: too many waited')
      ended = 0
    }, 60_000).unref()
  })
  app.server.keepAliveTimeout = app.config.KEEP_ALIVE_TIMEOUT
  app.decorate('drain', () => { isDraining = true })
  app.decorate('unreadiness', () => {
    if (isDraining) return 'shutting down'
    return app.config.AUDIT === 'required' && app.auditFile?.isStillDown() === true ? 'audit unavailable' : ''
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isDraining) reply.header('connection', 'close')
    done()
  })
  app.addHook('preClose', async () => {
    app.drain()
    // Browsers open connections that they may never use; Node.js does not count these as idle.
    setTimeout(() => {
      for (const socket of socketsOf(app.server)) if (socket.bytesRead === 0) socket.destroy()
    }, 1000).unref()
    // Node.js does not enforce time-outs after the server closes: stalled requests are cut off here.
    setTimeout(() => app.server.closeAllConnections(), app.server.requestTimeout + app.config.AUTHORIZE_TIMEOUT).unref()
  })
}, { name: 'lifecycle', dependencies: ['env', 'audit-file', 'metrics'], fastify: '5.x' })
