import fp from 'fastify-plugin'
import type { SigningSettings } from '../../src/configuration/guard-options.js'
import { isOver } from '../../src/http/continuation.js'
import { CallerLabels } from '../../src/telemetry/caller-labels.js'
import audit from './audit.js'
import authorize from './authorize.js'
import decisionMetrics from './decision-metrics.js'
import jsonBody from './json-body.js'
import loadShedding from './load-shedding.js'
import policyGuard from './policy-guard.js'
import rateLimit from './rate-limit.js'
import reportOnly from './report-only.js'
import requestReader from './request-reader.js'
import strictGuard from './strict-guard.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Values of the label `caller`, by the policy in use. */
    callerLabels: CallerLabels
  }
}

/**
 * Registers the guards of the app's signing routes. Their hooks run in this order: first all hooks before the body is
 * read, which wait for nothing; then those that await a guard's answer and read the request (preValidation); then the
 * guards that judge the reading (preHandler). Each line of a guard can be deleted.
 */
export default fp<SigningSettings>(async function signing (app, options) {
  app.decorate('callerLabels', new CallerLabels())
  // A hook of the host may have answered.
  app.addHook('preHandler', (_request, reply, done) => { if (!isOver(reply)) done() })
  app.register(reportOnly, options)
  app.register(jsonBody, options)
  app.register(decisionMetrics, options)
  app.register(audit, options)
  app.register(loadShedding, options)
  app.register(strictGuard, options)
  app.register(policyGuard, options)
  app.register(rateLimit, options)
  app.register(requestReader, options)
  app.register(authorize, options)
}, { name: 'signing', fastify: '5.x' })
