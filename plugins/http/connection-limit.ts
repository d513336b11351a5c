import fp from 'fastify-plugin'
import { throttled } from '../../src/service/throttled.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Connections of all listeners: how many are open, may be open, and were refused. */
    connections: { open: number, readonly max: number, refused: number }
  }
}

export interface ConnectionLimitOptions {
  /** How many connections may be open; asked once, at start. */
  max: () => number
  /** Where they were to go, for the log. */
  port: 'PORT' | 'ADMIN_PORT'
}

/**
 * Ends connections beyond a limit at once, without a byte: proxies then try another instance, since nobody can have
 * read the request. To respond would take what the limit is there to save.
 */
export default fp<ConnectionLimitOptions>(async function connectionLimit (app, options) {
  const { server } = app
  const max = options.max()
  const connections = { open: 0, max, refused: 0 }
  app.decorate('connections', connections)

  // Node.js compares with what each listener has accepted itself; here all count together.
  const setLimit = () => { server.maxConnections = connections.open < max ? Infinity : -1 }
  server.on('connection', socket => {
    connections.open++
    setLimit()
    socket.once('close', () => {
      connections.open--
      setLimit()
    })
  })

  const say = throttled(times => app.log.warn({ times, max }, `connections to ${options.port} refused, too many are open`))
  server.on('drop', () => {
    connections.refused++
    say(undefined)
  })
}, { name: 'connection-limit' })
