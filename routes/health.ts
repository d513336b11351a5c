import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { quietLogLevel } from '../src/service/configuration.js'
import { HealthResponse } from './schemas.js'

/** Liveness (specification 4.5). Probes come every few seconds, so only their failures are logged. */
const healthRoute: FastifyPluginAsyncTypebox = async function (app) {
  const options = { logLevel: quietLogLevel(app.config), schema: { response: { 200: HealthResponse } } }
  const health = (): HealthResponse => ({
    ok: true,
    service: 'payment-signature-backend',
    variant: app.signer.variant
  })

  app.get('/', options, health)
  app.get('/health', options, health)
}

export default healthRoute
