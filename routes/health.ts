import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsync } from 'fastify'
import { variantNames } from '../src/scheme/variants.js'
import { quietLogLevel } from '../src/service/configuration.js'
import { response } from './schemas.js'

const HealthResponse = Type.Object({
  ok: Type.Literal(true),
  service: Type.Literal('payment-signature-backend'),
  variant: Type.Union(variantNames.map(name => Type.Literal(name)))
}, { title: 'HealthResponse' })

const schema = {
  tags: ['Probes'],
  summary: 'Liveness',
  response: {
    200: response('The process is alive', HealthResponse, {
      Alive: { ok: true, service: 'payment-signature-backend', variant: 'A' }
    })
  }
}

/** Liveness (specification 4.5). Probes come every few seconds, so only their failures are logged. */
const health: FastifyPluginAsync = async function (app) {
  const logLevel = quietLogLevel(app.config)
  const config = { isProbe: true }
  const alive = () => ({ ok: true, service: 'payment-signature-backend', variant: app.signer.variant })

  app.get('/', { logLevel, config, schema: { ...schema, operationId: 'root', description: 'As /health.' } }, alive)
  app.get('/health', {
    logLevel,
    config,
    schema: { ...schema, operationId: 'health', description: 'Responds as long as the process lives.' }
  }, alive)
}

export default health
