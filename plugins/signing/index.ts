import fp from 'fastify-plugin'
import acceptBodyToken from './accept-body-token.js'
import audit from './audit.js'
import authorize from './authorize.js'
import context from './context.js'
import decisionMetrics from './decision-metrics.js'
import type { SigningSettings } from './guard-options.js'
import jsonBody from './json-body.js'
import loadShedding from './load-shedding.js'
import policyGuard from './policy-guard.js'
import rateLimit from './rate-limit.js'
import requestReader from './request-reader.js'
import strictGuard from './strict-guard.js'

/**
 * Registers the guards of the app's signing routes. Their hooks run in this order, first all hooks before the body is
 * read, then all hooks after it. Each line of a guard can be deleted.
 */
export default fp<SigningSettings>(async function signing (app, options) {
  app.register(jsonBody, options)
  app.register(requestReader, options)
  app.register(decisionMetrics, options)
  app.register(audit, options)
  app.register(loadShedding, options)
  app.register(acceptBodyToken, options)
  app.register(strictGuard, options)
  app.register(policyGuard, options)
  app.register(rateLimit, options)
  app.register(context, options)
  app.register(authorize, options)
}, { name: 'signing' })
