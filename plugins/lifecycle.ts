import type { Socket } from 'node:net'
import fp from 'fastify-plugin'
import { connectionLimit } from '../src/http/connection-limit.js'
import type { AppOptions } from '../src/options.js'

/**
 * The limit of connections, readiness, and an end of service in which no request is lost. A keep-alive connection that
 * is busy when the server closes would otherwise delay the exit until its time-out (fastify#7044).
 */
export default fp<Pick<AppOptions, 'tokenOf' | 'audit'>>(async function lifecycle (app, { tokenOf, audit }) {
  const { server, log } = app
  const { maxConnections, files } = connectionLimit()
  server.maxConnections = maxConnections
  server.keepAliveTimeout = app.config.KEEP_ALIVE_TIMEOUT
  const sockets = new Set<Socket>()
  server.on('connection', socket => sockets.add(socket.once('close', () => sockets.delete(socket))))
  let warned = -Infinity
  server.on('drop', () => {
    app.metrics?.dropped.inc()
    if (performance.now() - warned < 60_000) return
    warned = performance.now()
    log.warn({ connections: server.maxConnections }, 'connections are refused: too many are open')
  })
  app.addHook('onListen', async () => {
    if (files !== undefined) log.warn(`the limit of open files is ${files}, so that at most ${maxConnections} connections are open: raise it (LimitNOFILE, ulimit -n)`)
  })

  let isDraining = false
  app.decorate('drain', () => { isDraining = true })
  app.decorate('readiness', [() => isDraining ? 'shutting down' : ''])
  app.addHook('onSend', (_request, reply, _payload, done) => {
    const isCrowded = sockets.size > server.maxConnections / 2 // otherwise, a stranger could keep all of them open
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
    // Node.js does not enforce time-outs after the server closes: stalled requests are cut off here. A decision asks
    // authorize, tokenOf and audit, one after the other. `service.ts`, which has authorize only, ends 3 seconds later.
    const waits = [true, tokenOf, audit].filter(Boolean).length
    const longest = server.requestTimeout + waits * app.config.AUTHORIZE_TIMEOUT
    timers.push(setTimeout(() => server.closeAllConnections(), longest).unref())
  })
  app.addHook('onClose', async () => timers.forEach(clearTimeout))
}, { name: 'lifecycle', dependencies: ['env', 'metrics'], fastify: '5.x' })
