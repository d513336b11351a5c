import fp from 'fastify-plugin'
import { throttled } from '../../src/service/throttled.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Connections of all listeners: how many are open, may be open, and were refused. */
    connections: { open: number, readonly max: number, refused: number }
  }
}

interface ConnectionLimitOptions {
  /** Returns how many connections may be open. Called once, at start. */
  max: () => number
}

/**
 * Ends connections beyond a limit immediately, without a response, which would cost the resources that the limit saves.
 * Proxies then try another instance, because the request cannot have been read.
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

  const say = throttled(times => app.log.warn({ times, max }, 'connections to PORT refused, too many are open'))
  server.on('drop', () => {
    connections.refused++
    say(undefined)
  })
}, { name: 'connection-limit' })
