import proxyAddr from '@fastify/proxy-addr'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import audit from '../plugins/audit.js'
import cors from '../plugins/cors.js'
import env from '../plugins/env.js'
import http from '../plugins/http.js'
import lifecycle from '../plugins/lifecycle.js'
import metrics from '../plugins/metrics.js'
import signerPlugin from '../plugins/signer.js'
import generateSignature from '../routes/generate-signature.js'
import openapi from '../routes/openapi.js'
import probes from '../routes/probes.js'
import { serverOptions } from './http/server.js'
import { stdout } from './log.js'
import type { Signer } from './scheme/variant.js'
import { VariantA, VariantB } from './scheme/variants.js'
import { ConfigurationError, isProduction, listOf, type Environment } from './settings/environment.js'
import { exposures } from './settings/warnings.js'
import type { Decision } from './signing/audit.js'
import { assertOptions, OptionsError, type GuardOptions } from './signing/options.js'
import { PolicyError } from './signing/policy-in-use.js'
import { Redactor } from './token/redactor.js'
import { TokenError } from './token/token-file.js'

export { ConfigurationError, OptionsError, PolicyError, TokenError }

/** Options of {@link createApp}. */
export interface AppOptions extends Pick<GuardOptions, 'context' | 'pollInterval'> {
  /** Environment variables. Default: the process' environment and the `.env` file. */
  config?: { [name in keyof Environment]?: Environment[name] | undefined } | undefined
  /** Custom signer. Default: the configured variant with the configured token. */
  signer?: Signer | undefined
  /** Decides before anything is signed, instead of AUTHORIZE_URL. */
  authorize?: Exclude<GuardOptions['authorize'], string>
  /** Fastify's `logger` options; `false` for no log. LOG_LEVEL sets the level. */
  logger?: NonNullable<FastifyServerOptions['logger']> | undefined
  /** Hides the token in the log. Pass your own to redact errors of `ready()`, too. */
  redactor?: Redactor | undefined
  /** True: only check the configuration, without creating a file or connecting to Redis. Default: false. */
  isCheck?: boolean | undefined
}

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
export function createApp (
  {
    config, signer, authorize, context, pollInterval, logger = true, redactor = new Redactor(), isCheck = false, ...more
  }: AppOptions = {}
): FastifyInstance {
  assertOptions({ signer, authorize, context, pollInterval, ...more })
  let isTrusted = (_address: string, _hop: number): boolean => false
  const app: FastifyInstance = Fastify({
    ...serverOptions,
    logger: redactedLogger(logger, redactor),
    trustProxy: (address, hop) => isTrusted(address, hop) // the configuration is loaded later, as a plugin
  })

  app.register(env, { config, redactor })
  app.register(cors) // before everything that may refuse, so that browsers can read the refusal
  app.register(http)
  app.register(metrics)
  app.register(signerPlugin, { signer, redactor, pollInterval, variants: { A: VariantA, B: VariantB } })
  app.register(audit, { redactor, isCheck })
  app.register(lifecycle)
  app.register(probes)
  app.register(openapi)
  app.register(generateSignature, ({ config, identity, metrics, signingOf, auditFile }: FastifyInstance) => {
    const { STRICT, POLICY_FILE, AUTHORIZE_URL, AUDIT, AUDIT_FILE, REDIS_URL, MERCHANTS_FILE } = config
    return {
      signingOf,
      variant: identity.variant,
      hasMerchants: MERCHANTS_FILE !== '',
      strict: STRICT === 'report' ? STRICT : STRICT === 'true',
      accountNumberDigits: config.ACCOUNT_NUMBER_DIGITS,
      policy: POLICY_FILE || undefined,
      rateLimitMax: config.RATE_LIMIT_MAX,
      rateLimitWindow: config.RATE_LIMIT_WINDOW,
      rateLimitFail: config.RATE_LIMIT_FAIL,
      redisUrl: isCheck ? undefined : REDIS_URL || undefined,
      authorize: authorize ?? (AUTHORIZE_URL || undefined),
      authorizeTimeout: config.AUTHORIZE_TIMEOUT,
      context,
      audit: auditFile === undefined ? AUDIT === 'true' && AUDIT_FILE === '' : (decision: Decision) => auditFile.write(decision),
      auditRequired: AUDIT === 'required',
      pollInterval,
      metrics
    }
  })
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
