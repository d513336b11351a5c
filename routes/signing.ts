import type { FastifyPluginAsync } from 'fastify'
import acceptBodyToken from '../plugins/accept-body-token.js'
import audit from '../plugins/audit.js'
import authorize from '../plugins/authorize.js'
import type { AuthorizeOptions } from '../plugins/authorize.js'
import decisionMetrics from '../plugins/decision-metrics.js'
import loadShedding from '../plugins/load-shedding.js'
import policy from '../plugins/policy.js'
import rateLimit from '../plugins/rate-limit.js'
import requestCaller from '../plugins/request-caller.js'
import strict from '../plugins/strict.js'
import generateSignature from './generate-signature.js'

/** The signing endpoint and what guards it, in the order in which they look at a request; each can be left out. */
const signing: FastifyPluginAsync<AuthorizeOptions> = async function (app, options) {
  app.register(decisionMetrics)
  app.register(loadShedding)
  app.register(requestCaller)
  app.register(audit)
  app.register(policy)
  app.register(rateLimit)
  app.register(acceptBodyToken)
  app.register(strict)
  app.register(authorize, options)
  app.register(generateSignature)
}

export default signing
