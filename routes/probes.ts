import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { RefusedError } from '../src/http/errors.js'
import { liveness, readiness } from './schemas.js'

/**
 * Registers the probes for liveness (specification 4.5) and readiness. Only failures are logged.
 *
 * Option `of` is the service that the probes report on. Default: the app that has the routes.
 */
const probes: FastifyPluginAsync<{ of?: FastifyInstance }> = async function (app, { of: service = app }) {
  app.setSerializerCompiler(() => payload => JSON.stringify(payload)) // Fastify's takes longer to load than to use
  const alive = () => ({ ok: true, service: 'payment-signature-backend', variant: service.merchants.variant })
  app.get('/', { logLevel: 'warn', schema: { ...liveness, operationId: 'root' } }, alive)
  app.get('/health', { logLevel: 'warn', schema: { ...liveness, operationId: 'health' } }, alive)
  app.get('/ready', { logLevel: 'warn', schema: readiness }, async () => {
    const isStarting = service !== app && !service.server.listening
    const reason = service.unreadiness() || (isStarting ? 'starting' : '')
    if (reason !== '') throw new RefusedError('not-ready', reason)
    return { ok: true }
  })
}

export default probes
