import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /** For how long the request that is next has been waiting, in milliseconds; 0 if none waits. */
    currentWait (): number
  }
  interface FastifyContextConfig {
    /** Whether the route tells how the service is: such requests do not wait for others. */
    isProbe?: boolean
  }
}

/** How many requests are served in a turn of the event loop. */
const perTurn = 256

/**
 * The same in a turn after one in which a connection was accepted. Node.js accepts one in each turn, so if others are
 * waiting to be accepted, the turns have to be short: two thousand busy connections would make each so long that the
 * last of the new ones waits for seconds.
 */
const perTurnWhileAccepting = 4

interface Waiting {
  since: number
  request: FastifyRequest
  serve: () => void
}

/** Serves requests in the order in which they came, but only some in each turn of the event loop. */
export default fp(async function fairTurns (app) {
  const waiting: Waiting[] = []
  let limit = perTurn
  let served = 0
  let hasAccepted = false
  let isScheduled = false

  function schedule (): void {
    if (isScheduled) return
    isScheduled = true
    setImmediate(endTurn)
  }

  function endTurn (): void {
    isScheduled = false
    let room = limit - served
    limit = hasAccepted ? perTurnWhileAccepting : perTurn
    hasAccepted = false
    served = 0
    if (waiting.length > 0 || limit < perTurn) schedule()
    for (; room > 0 && waiting.length > 0; room--) {
      const { request, serve } = waiting.shift() as Waiting
      if (!request.raw.socket.destroyed) serve() // else nobody is there any more
    }
  }

  app.decorate('currentWait', () => waiting[0] === undefined ? 0 : performance.now() - waiting[0].since)

  app.server.on('connection', () => {
    hasAccepted = true
    schedule()
  })

  app.addHook('onRequest', (request, _reply, done) => {
    schedule()
    if ((waiting.length === 0 && served < limit) || request.routeOptions.config.isProbe) {
      served++
      return done()
    }
    waiting.push({ since: performance.now(), request, serve: done })
  })
}, { name: 'fair-turns' })
