import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns the waiting time of the next request, in milliseconds; 0 if no request waits. */
    currentWait (): number
  }
  interface FastifyContextConfig {
    /** True for a probe. Probes do not wait for other requests. */
    isProbe?: boolean
  }
}

/** Number of requests that are served in a turn of the event loop. */
const perTurn = 256

/**
 * Number of requests in a turn after a turn in which a connection was accepted. Node.js accepts one connection in each
 * turn, so turns must be short while connections wait to be accepted: with two thousand busy connections, turns would
 * be so long that the last new connection would wait for seconds.
 */
const perTurnWhileAccepting = 4

interface Waiting {
  since: number
  request: FastifyRequest
  serve: () => void
}

/** Serves requests in the order of their arrival, a limited number in each turn of the event loop. */
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
      if (!request.raw.socket.destroyed) serve() // otherwise the client has gone
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
