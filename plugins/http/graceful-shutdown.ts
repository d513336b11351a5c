import type { Server } from 'node:net'
import fp from 'fastify-plugin'
import { lastResponseOn } from './protocol-errors.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** From now on readiness fails, and every response ends its connection. The service still responds. */
    drain (): void
    /** How long requests in flight may take to finish once the close has begun, in milliseconds. */
    finishingTime (): number
    /** Listeners of further addresses, whose connections `server` has been given but does not count. */
    secondListeners: Server[]
  }
}

/** How long a connection may stay silent that has not sent anything yet when the close begins, in milliseconds. */
const silence = 1000

/**
 * Before and while the server closes, every response ends its connection. Without this a keep-alive connection that was
 * busy when the close began would hold the process up until its client or the keep-alive time-out ended it; and one
 * that was idle could be closed just when its client sends the next request.
 */
export default fp(async function gracefulShutdown (app) {
  let draining = false
  let closed: Array<Promise<unknown>> = []
  const connections = app.connections.open

  // To Node 26 (26.10, for one) a connection that has not sent anything yet is idle, and ended when the close begins.
  const { closeIdleConnections } = app.server
  app.server.closeIdleConnections = () => {
    const silent = [...connections].filter(({ bytesRead }) => bytesRead === 0)
    for (const socket of silent) socket.destroy = () => socket
    closeIdleConnections.call(app.server)
    for (const socket of silent) Reflect.deleteProperty(socket, 'destroy')
  }

  app.decorate('secondListeners', [])
  app.decorate('drain', () => {
    if (draining) return
    draining = true
    // Here and not in a hook, which each request would pass all the time.
    for (const socket of connections) {
      const response = lastResponseOn(socket)
      if (response?.headersSent === false) response.setHeader('connection', 'close')
    }
    app.server.prependListener('request', (_request, response) => { response.setHeader('connection', 'close') })
  })
  app.readinessChecks.unshift(() => draining ? 'shutting down' : '')
  app.decorate('finishingTime', () => app.server.requestTimeout + app.config.AUTHORIZE_TIMEOUT)

  app.addHook('preClose', async () => {
    app.drain()
    // Node stops watching request time-outs once the server closes, so a stalled upload has to be cut off here.
    setTimeout(() => {
      for (const socket of connections) if (lastResponseOn(socket)?.req.complete !== true) socket.destroy()
    }, app.server.requestTimeout).unref()
    setTimeout(() => app.server.closeAllConnections(), app.finishingTime()).unref()
    // Browsers open some that they may never use.
    setTimeout(() => {
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
    }, silence).unref()
    closed = app.secondListeners.map(listener => new Promise(resolve => listener.close(resolve)))
  })

  app.addHook('onClose', async () => { await Promise.all(closed) })
}, { name: 'graceful-shutdown', dependencies: ['env', 'connections', 'readiness'] })
