import fp from 'fastify-plugin'

/**
 * While the server closes, every answer ends its connection. Without this a keep-alive connection that was busy when
 * the close began would hold the process up until its client or the keep-alive time-out ended it.
 */
export default fp(async function gracefulShutdown (app) {
  let closing = false

  app.addHook('preClose', async () => {
    closing = true
    // Node stops watching request time-outs once the server closes, so a stalled upload has to be cut off here.
    setTimeout(() => app.server.closeAllConnections(), app.server.requestTimeout).unref()
  })

  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close')
    done(null, payload)
  })
}, { name: 'graceful-shutdown' })
