import type { Socket } from 'node:net'
import fp from 'fastify-plugin'

/**
 * Readiness, and an end of service in which no request is lost. A keep-alive connection that is busy when the server
 * closes would otherwise delay the exit until its time-out (fastify#7044).
 */
export default fp(async function lifecycle (app) {
  let isDraining = false
  let warned = -Infinity
  app.server.on('drop', () => {
    app.metrics?.dropped.inc()
    if (performance.now() - warned < 60_000) return
    warned = performance.now()
    app.log.warn({ connections: app.server.maxConnections }, 'connections are refused: too many are open')
  })
  const sockets = new Set<Socket>()
  app.server.on('connection', socket => sockets.add(socket.once('close', () => sockets.delete(socket))))
  app.server.keepAliveTimeout = app.config.KEEP_ALIVE_TIMEOUT
  app.decorate('drain', () => { isDraining = true })
  app.decorate('unreadiness', () => {
    if (isDraining) return 'shutting down'
    return app.auditFile?.isStillDown() === true ? 'audit unavailable' : ''
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    const isCrowded = sockets.size > app.server.maxConnections / 2 // a stranger would keep all for KEEP_ALIVE_TIMEOUT
    if (isDraining || isCrowded) reply.header('connection', 'close')
    done()
  })
  const timers: NodeJS.Timeout[] = []
  app.addHook('preClose', async () => {
    app.drain()
    // Browsers open connections that they may never use; Node.js does not count these as idle.
    timers.push(setTimeout(() => {
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    }, 1000).unref())
    // Node.js does not enforce time-outs after the server closes: stalled requests are cut off here.
    const longest = app.server.requestTimeout + app.config.AUTHORIZE_TIMEOUT
    timers.push(setTimeout(() => app.server.closeAllConnections(), longest).unref())
  })
  app.addHook('onClose', async () => timers.forEach(clearTimeout))
}, { name: 'lifecycle', dependencies: ['env', 'audit-file', 'metrics'], fastify: '5.x' })
