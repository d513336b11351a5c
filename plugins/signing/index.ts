import fp from 'fastify-plugin'
import type { Variant } from '../../src/scheme/variants.js'
import type { OptionValues } from '../../src/service/settings.js'
import acceptBodyToken from './accept-body-token.js'
import audit from './audit.js'
import type { AuditOptions } from './audit.js'
import authorize from './authorize.js'
import type { AuthorizeOptions } from './authorize.js'
import decisionMetrics from './decision-metrics.js'
import type { DecisionMetricsOptions } from './decision-metrics.js'
import jsonBody from './json-body.js'
import loadShedding from './load-shedding.js'
import type { LoadSheddingOptions } from './load-shedding.js'
import policyGuard from './policy-guard.js'
import type { PolicyOptions } from './policy-guard.js'
import rateLimit from './rate-limit.js'
import requestReader from './request-reader.js'
import type { ReadingOptions } from './request-reader.js'
import strictGuard from './strict-guard.js'

/** Options of the guards. Without options, all guards are off. */
export interface GuardOptions extends
  Partial<OptionValues>, DecisionMetricsOptions, AuditOptions, LoadSheddingOptions, PolicyOptions, AuthorizeOptions {}

type Setting = GuardOptions & OptionValues & ReadingOptions & { variant: Variant }

/**
 * What guards the signing routes of the app that it is registered in. What a guard does before the body is read comes
 * before all that others do after it; otherwise the order is this one. Each line of a guard can be deleted.
 */
export default fp<Setting>(async function signing (app, options) {
  app.register(jsonBody, options)
  app.register(requestReader, options)
  app.register(decisionMetrics, options)
  app.register(audit, options)
  app.register(loadShedding, options)
  app.register(acceptBodyToken, options)
  app.register(strictGuard, options)
  app.register(policyGuard, options)
  app.register(rateLimit, options)
  app.register(authorize, options)
}, { name: 'signing' })
