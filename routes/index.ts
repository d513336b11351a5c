import type { FastifyPluginAsync } from 'fastify'
import generateSignature from './generate-signature.js'
import health from './health.js'

/** Everything the service answers. */
const routes: FastifyPluginAsync = async function (app) {
  app.register(generateSignature)
  app.register(health)
}

export default routes
