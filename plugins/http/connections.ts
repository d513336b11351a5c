import type { Socket } from 'node:net'
import fp from 'fastify-plugin'
import { connectionLimitOf } from '../../src/service/connection-limit.js'
import { throttled } from '../../src/service/throttled.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Connections of all listeners: the open ones, how many may be open, and how many were refused. */
    connections: { readonly open: Set<Socket>, readonly max: number, refused: number }
  }
}

/**
 * Lets idle connections live for KEEP_ALIVE_TIMEOUT. Ends connections beyond the limit immediately, without a response,
 * which would cost the resources that the limit saves. Proxies then try another instance, because the request cannot
 * have been read.
 */
export default fp(async function connections (app) {
  const { config, server } = app
  const max = connectionLimitOf(config)
  const open = new Set<Socket>()
  const connections = { open, max, refused: 0 }
  app.decorate('connections', connections)
  server.keepAliveTimeout = config.KEEP_ALIVE_TIMEOUT

  // Node.js compares with what each listener has accepted itself; here all count together.
  const setLimit = () => { server.maxConnections = open.size < max ? Infinity : -1 }
  server.on('connection', socket => {
    open.add(socket)
    setLimit()
    socket.once('close', () => {
      open.delete(socket)
      setLimit()
    })
  })

  const say = throttled(times => app.log.warn({ times, max }, 'connections to PORT refused, too many are open'))
  server.on('drop', () => {
    connections.refused++
    say(undefined)
  })
}, { name: 'connections', dependencies: ['env'] })
