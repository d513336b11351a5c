import { setTimeout as wait } from 'node:timers/promises'
import fp from 'fastify-plugin'
import { lastResponseOn } from '../http/protocol-errors.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Makes readiness fail, and every response end its connection. The service still responds. */
    drain (): void
    /** Returns the time limit of requests in flight after the close has begun, in milliseconds. */
    finishingTime (): number
  }
}

/** Time limit of connections that have not sent anything when the close begins, in milliseconds. */
const silentTimeout = 1000

/** Interval in which these connections are looked at, in milliseconds. */
const silentInterval = 10

/**
 * Ends each connection with its next response, before and while the server closes. Otherwise a keep-alive connection
 * that is busy when the close begins would delay the exit until the keep-alive time-out, and an idle connection could
 * be closed at the moment when its client sends the next request.
 */
export default fp(async function gracefulShutdown (app) {
  let draining = false
  const connections = app.connections.open

  app.decorate('drain', () => {
    draining = true
    for (const socket of connections) {
      const response = lastResponseOn(socket)
      if (response?.headersSent === false) response.setHeader('connection', 'close')
    }
  })
  app.addHook('onRequest', (_request, { raw }, done) => {
    if (draining) raw.setHeader('connection', 'close') // as Fastify does while the server closes
    done()
  })
  app.readinessChecks.unshift(() => draining ? 'shutting down' : '')
  app.decorate('finishingTime', () => app.server.requestTimeout + app.config.AUTHORIZE_TIMEOUT)

  /**
   * Waits for the first bytes of new connections: Node.js 26 closes connections without any immediately. Then ends
   * the others, because browsers open connections that they may never use.
   */
  async function endSilentConnections (): Promise<void> {
    const silent = () => [...connections].filter(({ bytesRead }) => bytesRead === 0)
    const end = performance.now() + silentTimeout
    while (silent().length > 0 && performance.now() < end) await wait(silentInterval)
    for (const socket of silent()) socket.destroy()
  }

  app.addHook('preClose', async () => {
    app.drain()
    // Node.js does not enforce request time-outs after the server closes, so stalled uploads are cut off here.
    setTimeout(() => {
      for (const socket of connections) if (lastResponseOn(socket)?.req.complete !== true) socket.destroy()
    }, app.server.requestTimeout).unref()
    setTimeout(() => app.server.closeAllConnections(), app.finishingTime()).unref()
    await endSilentConnections()
  })
}, { name: 'graceful-shutdown', dependencies: ['env', 'connections', 'readiness'], fastify: '5.x' })
