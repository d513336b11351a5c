import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import cors from '../plugins/cors.js'
import env from '../plugins/env.js'
import connections from '../plugins/http/connections.js'
import http from '../plugins/http/index.js'
import responseHeaders from '../plugins/http/response-headers.js'
import exposureWarnings from '../plugins/operation/exposure-warnings.js'
import operation from '../plugins/operation/index.js'
import merchantsPlugin from '../plugins/merchants.js'
import signerPlugin from '../plugins/signer.js'
import generateSignature from '../routes/generate-signature.js'
import type { Authorize } from './signing/backend.js'
import { ConfigurationError } from './settings/environment.js'
import type { GuardOptions, TokenFunction } from './signing/guard-options.js'
import { refusesAmbiguity, reportOnlyFaults } from './settings/modes.js'
import { defaults, optionsOf, type Environment } from './settings/settings.js'
import { requestIdOf } from './http/request-id.js'
import { assertOptions } from './settings/plugin-options.js'
import { assertArgument } from './scheme/errors.js'
import type { Signer } from './scheme/variant.js'
import { isVariant, readerOf, type Variant } from './scheme/variants.js'
import { serverOptions } from '../plugins/http/server-options.js'
import { signerSource } from './signing/signer-source.js'
import { type LineOutput, stdout } from './telemetry/line-writer.js'
import { ThrottledLog } from './telemetry/throttled-log.js'
import { MerchantToken } from './token/merchant-token.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Faults outside requests: of timers, of accepting connections, or of a library. */
    backgroundFaults: ThrottledLog<unknown>
    /** Files that SIGHUP reloads. */
    watchedFiles: Array<{ reload (isAsked?: boolean): unknown }>
  }
}

type Logger = NonNullable<FastifyServerOptions['logger']>

/** Options of {@link createApp}, without types of the plugins, which would extend Fastify in the importing app. */
export interface AppOptions {
  /** Environment variables. Default: the process' environment and the `.env` file. */
  config?: Partial<Environment> | undefined
  /** Custom signer. Default: the configured variant with the configured token. */
  signer?: Signer | undefined
  /** Path of a file of merchants, instead of MERCHANTS_FILE. */
  merchants?: string | undefined
  /**
   * Returns the token of an account for each request that is about to be signed, instead of MERCHANT_TOKEN. The plugin
   * has the same option.
   */
  merchantToken?: TokenFunction | undefined
  /** Returns your data about a request, for `authorize` and `merchantToken`. The plugin's option is the same. */
  context?: GuardOptions['context'] | undefined
  /** Interval in which MERCHANT_TOKEN_FILE and POLICY_FILE are read, in milliseconds; for tests. Default: 10000. */
  pollInterval?: number | undefined
  /** Decides before anything is signed, instead of AUTHORIZE_URL. */
  authorize?: Authorize | undefined
  /**
   * Destination of the log, unless `logger` has a `stream`, `file` or `transport`, and of the audit without AUDIT_FILE.
   * Default: standard output.
   */
  output?: LineOutput | undefined
  /** Fastify's `logger` options; `false` for no log. LOG_LEVEL sets the level. */
  logger?: Logger | undefined
}

/** Returns logger options that redact every line, after the hook that the options contain. */
function redacted (logger: Logger, output: LineOutput, token: MerchantToken): Logger {
  if (!logger) return false
  const given = logger === true ? {} : logger
  const options = given.stream || given.file || given.transport ? given : { ...given, stream: output }
  const ownHook = options.hooks?.streamWrite ?? (line => line)
  return { ...options, hooks: { ...options.hooks, streamWrite: line => token.redactLine(ownHook(line)) } }
}

/**
 * Creates the whole service, as a Fastify app that does not listen yet. If the configuration cannot be used, `ready()`
 * rejects with an error, such as `ERR_CONFIGURATION` or `ERR_TOKEN`. Its message has a line for each fault.
 *
 * @example
 * const app = createApp({ config: { MERCHANT_TOKEN: 'secret', VARIANT: 'B' } })
 * const response = await app.inject('/health')
 * response.json().variant // 'B'
 */
export function createApp ({
  config, signer, merchants, merchantToken, pollInterval = defaults.policyPollInterval, authorize, context,
  output = stdout, logger = true
}: AppOptions = {}): FastifyInstance {
  const token = new MerchantToken()
  // Before the configuration loads: a fault may quote a variable that contains the token by mistake.
  token.hide((config ?? process.env).MERCHANT_TOKEN ?? '')
  const app: FastifyInstance = Fastify({
    ...serverOptions((text, length) => token.redactStart(text, length)),
    logger: redacted(logger, output, token),
    // The configuration is loaded later, as a plugin.
    genReqId: request => requestIdOf(request, app.trustsProxy),
    trustProxy: (address, hop) => app.trustsProxy(address, hop)
  })
  const settingsOf = ({ config, metrics, watchedFiles }: FastifyInstance) =>
    ({ ...defaults, ...optionsOf(config), policyPollInterval: pollInterval, metrics, watchedFiles })
  app.decorate('merchantToken', token)
  app.decorate('watchedFiles', [])
  app.decorate('backgroundFaults', new ThrottledLog<unknown>((times, err) =>
    app.log.error({ err, times }, 'fault in background work, going on')))

  // Response headers come before CORS, because a preflight ends with its hook. CORS comes before everything that may
  // refuse, so that browsers can read the refusal. The signer comes after the metrics, to which it adds its own, and
  // before the warnings, because a token that stops the start is more important.
  app.register(env, { config, merchants })
  app.register(connections)
  app.register(responseHeaders)
  app.register(cors)
  app.register(http)
  app.register(operation, { output })
  app.register(merchantsPlugin, app => ({ ...settingsOf(app), path: app.config.MERCHANTS_FILE, setting: 'MERCHANTS_FILE', token }))
  app.register(signerPlugin, { signer, hasTokenFunction: merchantToken !== undefined, pollInterval })
  app.register(exposureWarnings, { authorize })
  app.register(async function signatures (app) { // a separate scope: the guards apply only to the signing route
    const { config, auditTrail, signer, signingMerchants: merchants } = app
    assertOptions({ signer })
    const variant = merchants === undefined ? app.variant : 'A,B'
    assertArgument(variant === 'A,B' || isVariant(variant), 'ERR_VARIANT')
    const isProduction = config.NODE_ENV === 'production'
    const faults = reportOnlyFaults({ ...optionsOf(config), authorize, merchants })
    if (faults.length > 0) throw new ConfigurationError(faults.map(fault => `REPORT_ONLY ${fault}`).join('\n'))
    app.register(generateSignature, {
      ...settingsOf(app),
      path: defaults.path,
      logRefusals: true,
      variant,
      reader: signer ?? readerOf(variant === 'B' ? 'B' : 'A'),
      merchants,
      // Delegates to the injected VariantA, VariantB or custom signer.
      signerOf: merchantToken === undefined
        ? merchants?.signerOf ?? (() => signer as Signer)
        : signerSource(variant as Variant, merchantToken, refusesAmbiguity(optionsOf(config)), isProduction),
      auditRequired: config.AUDIT === 'required',
      policySetting: 'POLICY_FILE',
      isProduction,
      authorize,
      context,
      ...auditTrail !== undefined && { recordDecision: (decision, done) => auditTrail.record(decision, done) },
      cut: (text, length) => token.redactStart(text, length),
      isOverloaded: () => app.isOverloaded()
    })
  })
  return app
}
