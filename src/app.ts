import proxyAddr from '@fastify/proxy-addr'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import cors from '../plugins/cors.js'
import env from '../plugins/env.js'
import errors from '../plugins/errors.js'
import http from '../plugins/http.js'
import lifecycle from '../plugins/lifecycle.js'
import metrics from '../plugins/metrics.js'
import generateSignature from '../routes/generate-signature.js'
import openapi from '../routes/openapi.js'
import probes from '../routes/probes.js'
import auditFile from './guards/audit-file.js'
import type { AuditEntry, AuditRecord } from './guards/audit.js'
import type { Authorize, AuthorizeInput } from './guards/authorize.js'
import { assertOptions, OptionsError, type AppOptions } from './guards/options.js'
import { PolicyError } from './guards/policy.js'
import type { Refusal } from './http/errors.js'
import { serverOptions } from './http/server.js'
import { stdout } from './log.js'
import type { TokenOf } from './merchants/merchant.js'
import merchants from './merchants/merchants.js'
import { Redactor } from './merchants/redactor.js'
import { TokenError } from './merchants/token-file.js'
import type { Signer } from './scheme/signer.js'
import { ConfigurationError, isProduction, listOf, type Environment } from './settings/environment.js'
import { exposures } from './settings/warnings.js'

export { ConfigurationError, OptionsError, PolicyError, TokenError }
export type { AppOptions, AuditEntry, AuditRecord, Authorize, AuthorizeInput, Environment, Refusal, Signer, TokenOf }

/**
 * Creates the whole service, as a Fastify app that does not listen yet. Give `listen` a `host`: of `localhost`, it uses
 * only one address. If the configuration cannot be used, `ready()` rejects with {@link ConfigurationError}
 * `ERR_CONFIGURATION`, {@link TokenError} `ERR_TOKEN` or {@link PolicyError} `ERR_POLICY`. The message has a line for
 * each fault of one plugin.
 *
 * @throws OptionsError `ERR_OPTIONS`: unknown or invalid options
 * @example
 * const app = createApp({ config: { MERCHANT_TOKEN: 'secret', VARIANT: 'B' } })
 * const response = await app.inject('/health')
 * response.json().variant // 'B'
 */
export function createApp<Context = unknown> (
  { config, logger = true, redactor = new Redactor(), dryRun = false, ...functions }: AppOptions<Context> = {}
): FastifyInstance {
  assertOptions({ config, ...functions })
  const { authorize, context, tokenOf, signer, audit, pollInterval } = functions as AppOptions
  let isTrusted = (_address: string, _hop: number): boolean => false
  const app: FastifyInstance = Fastify({
    ...serverOptions,
    logger: redactedLogger(logger, redactor),
    trustProxy: (address, hop) => isTrusted(address, hop) // the configuration is loaded later, as a plugin
  })

  app.register(env, { config, redactor, hasAudit: audit !== undefined })
  app.register(cors) // before everything that may refuse, so that browsers can read the refusal
  app.register(http)
  app.register(errors)
  app.register(metrics)
  app.register(merchants, { signer, tokenOf, redactor, pollInterval })
  app.register(auditFile, { redactor, dryRun })
  app.register(lifecycle)
  app.register(probes)
  app.register(openapi)
  app.register(generateSignature, { authorize, context, audit, pollInterval, dryRun })
  app.addHook('onReady', async () => {
    isTrusted = proxyAddr.compile(listOf(app.config.TRUST_PROXY))
    const open = isProduction(app.config) ? exposures(app.config, authorize !== undefined) : []
    if (open.length > 0) app.log.warn(`open: ${open.join('; ')}`)
  })
  return app
}

type Logger = NonNullable<FastifyServerOptions['logger']>

/** Returns logger options that redact every line, after the hook that the options contain. */
function redactedLogger (logger: Logger, redactor: Redactor): Logger {
  if (!logger) return false
  const given = logger === true ? {} : logger
  const hasTarget = 'stream' in given || 'file' in given || 'transport' in given
  const ownHook = given.hooks?.streamWrite ?? (line => line)
  const hooks = { ...given.hooks, streamWrite: (line: string) => redactor.redact(ownHook(line)) }
  return { ...given, ...!hasTarget && { stream: stdout }, hooks }
}
