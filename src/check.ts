import Fastify, { type FastifyInstance } from 'fastify'
import env from '../plugins/env.js'
import merchants from '../plugins/merchants.js'
import metrics from '../plugins/metrics.js'
import { checkAuditFile, otherPaths } from './guards/audit/audit-file.js'
import { loadPolicy } from './guards/policy/policy.js'
import { redactedLogger } from './log.js'
import { Redactor } from './merchants/redactor.js'
import type { AppOptions } from './options.js'
import { asksItself } from './settings/combinations.js'
import { ConfigurationError } from './settings/environment.js'
import { VariantA, VariantB } from './scheme/variants.js'

/**
 * Creates an app whose `ready()` loads the configuration and all files as the start of the service does. It creates no
 * file, connects to nothing and signs nothing.
 */
export function checkApp ({ config, logger = false }: Pick<AppOptions, 'config' | 'logger'> = {}): FastifyInstance {
  const redactor = new Redactor()
  const app: FastifyInstance = Fastify({ logger: redactedLogger(logger, redactor) })
  app.register(env, { config, redactor })
  app.register(metrics)
  app.register(merchants, { signers: { A: VariantA, B: VariantB } })
  app.register(async () => {
    const { AUDIT_FILE, AUTHORIZE_URL } = app.config
    const faults = asksItself(app.config)
    if (faults.length > 0) throw new ConfigurationError(faults.join('\n'))
    if (AUDIT_FILE !== '') checkAuditFile(AUDIT_FILE, otherPaths(app.config))
    await loadPolicy(app, AUTHORIZE_URL !== '')
  })
  return app
}
