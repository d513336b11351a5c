import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { RefusedError } from '../src/http/refusals.js'
import { Type } from '../src/text/schema.js'
import { errorResponses, otherErrors, response } from './schemas.js'

const HealthResponse = Type.Object({
  ok: Type.Literal(true),
  service: Type.Literal('payment-signature-backend'),
  variant: Type.Unsafe<string>({ type: 'string', enum: ['A', 'B', 'A,B'] })
}, { title: 'HealthResponse' })

const liveness = {
  tags: ['Probes'],
  security: [],
  summary: 'Liveness',
  description: 'Responds as long as the process lives.',
  response: {
    200: response('The process is alive', HealthResponse, {
      Alive: { ok: true, service: 'payment-signature-backend', variant: 'A' }
    }),
    ...otherErrors
  }
}

const ReadyResponse = Type.Object({ ok: Type.Literal(true) }, { title: 'ReadyResponse' })

const readiness = {
  operationId: 'ready',
  tags: ['Probes'],
  security: [],
  summary: 'Readiness',
  description: 'For load balancers: whether new requests should be sent here.',
  response: {
    200: response('New requests should be sent here', ReadyResponse, { Ready: { ok: true } }), ...errorResponses(['not-ready'])
  }
}

/**
 * Registers the probes for liveness (specification 4.5) and readiness, which are not logged.
 *
 * Option `of` is the service that the probes report on. Default: the app that has the routes.
 */
const probes: FastifyPluginAsync<{ of?: FastifyInstance }> = async function (app, { of: service = app }) {
  const alive = () => ({ ok: true, service: 'payment-signature-backend', variant: service.merchants.variant })
  app.get('/', { logLevel: 'warn', schema: { ...liveness, operationId: 'root' } }, alive)
  app.get('/health', { logLevel: 'warn', schema: { ...liveness, operationId: 'health' } }, alive)
  app.get('/ready', { logLevel: 'warn', schema: readiness }, async () => {
    const isStarting = service !== app && !service.server.listening
    const reasons = [isStarting ? 'starting' : '', ...service.readiness.map(reasonOf => reasonOf())]
    const reason = reasons.find(text => text !== '')
    if (reason !== undefined) throw new RefusedError('not-ready', reason)
    return { ok: true }
  })
}

export default probes
