import type { FastifyPluginAsync } from 'fastify'
import acceptBodyToken from '../plugins/signing/accept-body-token.js'
import audit from '../plugins/signing/audit.js'
import authorize from '../plugins/signing/authorize.js'
import type { AuthorizeOptions } from '../plugins/signing/authorize.js'
import decisionMetrics from '../plugins/signing/decision-metrics.js'
import loadShedding from '../plugins/signing/load-shedding.js'
import policy from '../plugins/signing/policy.js'
import rateLimit from '../plugins/signing/rate-limit.js'
import requestCaller from '../plugins/signing/request-caller.js'
import strict from '../plugins/signing/strict.js'
import writeBatching from '../plugins/signing/write-batching.js'
import generateSignature from './generate-signature.js'

/**
 * The signing endpoint and what guards it; each line but the last can be left out. What a guard does before the body is
 * read comes before all that others do after it; otherwise the order is this one.
 */
const signing: FastifyPluginAsync<AuthorizeOptions> = async function (app, options) {
  app.register(writeBatching)
  app.register(decisionMetrics)
  app.register(loadShedding)
  app.register(requestCaller)
  app.register(audit)
  app.register(acceptBodyToken)
  app.register(strict)
  app.register(policy)
  app.register(rateLimit)
  app.register(authorize, options)
  app.register(generateSignature)
}

export default signing
