import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { RefusedError } from '../src/http/refusals.js'

/**
 * Registers the probes for liveness (specification 4.5) and readiness, which are not logged.
 *
 * Option `of` is the service that the probes report on. Default: the app that has the routes.
 */
const probes: FastifyPluginAsync<{ of?: FastifyInstance }> = async function (app, { of: service = app }) {
  const alive = () => ({ ok: true, service: 'payment-signature-backend', variant: service.merchants.variant })
  app.get('/', { logLevel: 'warn' }, alive)
  app.get('/health', { logLevel: 'warn' }, alive)
  app.get('/ready', { logLevel: 'warn' }, async () => {
    const isStarting = service !== app && !service.server.listening
    const reason = service.unreadiness() || (isStarting ? 'starting' : '')
    if (reason !== '') throw new RefusedError('not-ready', reason)
    return { ok: true }
  })
}

export default probes
