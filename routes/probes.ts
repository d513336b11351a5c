import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsync } from 'fastify'
import { quietLogLevel } from '../src/settings/environment.js'
import { RefusedError } from '../src/http/refused-error.js'
import { variantNames } from '../src/scheme/variants.js'
import { Outage } from '../src/telemetry/log-limits.js'
import { commonErrors, errorResponses, response } from './schemas.js'

const HealthResponse = Type.Object({
  ok: Type.Literal(true),
  service: Type.Literal('payment-signature-backend'),
  variant: Type.Union([...variantNames, variantNames.join()].map(name => Type.Literal(name)))
}, { title: 'HealthResponse' })

const liveness = {
  tags: ['Probes'],
  security: [],
  summary: 'Liveness',
  response: {
    200: response('The process is alive', HealthResponse, {
      Alive: { ok: true, service: 'payment-signature-backend', variant: 'A' }
    }),
    ...errorResponses(commonErrors)
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
    200: response('New requests should be sent here', ReadyResponse, { Ready: { ok: true } }),
    ...errorResponses([...commonErrors, 'not-ready'])
  }
}

/**
 * Registers the probes for liveness (specification 4.5) and readiness. Only failures are logged, because probes come
 * every few seconds.
 */
const probes: FastifyPluginAsync = async function (app) {
  const options = { logLevel: quietLogLevel(app.config) }
  const alive = () => ({ ok: true, service: 'payment-signature-backend', variant: app.variant })

  app.get('/', { ...options, schema: { ...liveness, operationId: 'root', description: 'The same response as /health.' } }, alive)
  app.get('/health', {
    ...options,
    schema: { ...liveness, operationId: 'health', description: 'Responds as long as the process lives.' }
  }, alive)
  const outage = new Outage()
  app.get('/ready', { ...options, schema: readiness }, async request => {
    const reason = app.unreadiness()
    if (reason === '') {
      outage.ends()
      return { ok: true }
    }
    if (outage.begins(reason)) request.log.warn({ reason }, 'not ready')
    throw new RefusedError('not-ready', reason)
  })
}

export default probes
