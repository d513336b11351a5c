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
import policy from './policy.js'
import type { PolicyOptions } from './policy.js'
import rateLimit from './rate-limit.js'
import reading from './reading.js'
import type { ReadingOptions } from './reading.js'
import strict from './strict.js'

/** Options of the guards. Without options, all guards are off. */
export interface GuardOptions extends
  Partial<OptionValues>, DecisionMetricsOptions, AuditOptions, LoadSheddingOptions, PolicyOptions, AuthorizeOptions {}

type Setting = GuardOptions & OptionValues & ReadingOptions & { variant: Variant }

/**
 * What guards the signing routes of the app that it is registered in. What a guard does before the body is read comes
 * before all that others do after it; otherwise the order is this one. Each line of a guard can be deleted.
 */
export default fp<Setting>(async function signing (app, options) {
  const { bodyLimit, strict: isStrict, policy: rules } = options
  app.register(jsonBody, { bodyLimit, findsDuplicates: isStrict || rules !== undefined })
  app.register(reading, options)
  app.register(decisionMetrics, options)
  app.register(audit, options)
  app.register(loadShedding, options)
  app.register(acceptBodyToken, options)
  app.register(strict, options)
  app.register(policy, options)
  app.register(rateLimit, options)
  app.register(authorize, options)
}, { name: 'signing' })
