import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import auditTrail from '../plugins/audit-trail.js'
import env from '../plugins/env.js'
import exposureWarnings from '../plugins/exposure-warnings.js'
import connections from '../plugins/http/connections.js'
import cors from '../plugins/http/cors.js'
import errorHandler from '../plugins/http/error-handler.js'
import fairTurns from '../plugins/http/fair-turns.js'
import gracefulShutdown from '../plugins/http/graceful-shutdown.js'
import metrics from '../plugins/http/metrics.js'
import notFound from '../plugins/http/not-found.js'
import overload from '../plugins/http/overload.js'
import pipelining from '../plugins/http/pipelining.js'
import protocolErrors from '../plugins/http/protocol-errors.js'
import readiness from '../plugins/http/readiness.js'
import { requestIdOf } from '../plugins/http/request-id.js'
import responseHeaders from '../plugins/http/response-headers.js'
import { serverOptions } from '../plugins/http/server-options.js'
import smallChunks from '../plugins/http/small-chunks.js'
import signerPlugin from '../plugins/signer.js'
import type { Authorize } from '../plugins/signing/backend.js'
import signing from '../plugins/signing/index.js'
import writeBatching from '../plugins/signing/write-batching.js'
import generateSignature from '../routes/generate-signature.js'
import openapi from '../routes/openapi.js'
import probes from '../routes/probes.js'
import type { Signer } from './scheme/variant.js'
import { assertVariant } from './scheme/variants.js'
import type { LineOutput } from './service/line-writer.js'
import { defaults, optionsOf, type Environment } from './service/settings.js'
import { stdout } from './service/stdout.js'
import { ThrottledLog } from './service/throttled-log.js'
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
  /** Interval in which MERCHANT_TOKEN_FILE and POLICY_FILE are read, in milliseconds; for tests. Default: 10000. */
  pollInterval?: number | undefined
  /** Decides before anything is signed, instead of AUTHORIZE_URL. */
  authorize?: Authorize | undefined
  /** Destination of the log, and of the audit without AUDIT_FILE. Default: standard output. */
  output?: LineOutput | undefined
  /** Fastify's `logger` options; `false` for no log. LOG_LEVEL sets the level. */
  logger?: Logger | undefined
}

/** Returns logger options that redact every line, after the hook that the options contain. */
function redacted (logger: Logger, output: LineOutput, token: MerchantToken): Logger {
  if (!logger) return false
  const options = logger === true ? { stream: output } : logger
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
  config, signer, pollInterval = defaults.policyPollInterval, authorize, output = stdout, logger = true
}: AppOptions = {}): FastifyInstance {
  const token = new MerchantToken()
  // Before the configuration loads: a fault may quote a variable that contains the token by mistake.
  token.hide((config ?? process.env).MERCHANT_TOKEN ?? '')
  const app: FastifyInstance = Fastify({
    ...serverOptions(text => token.redact(text)),
    logger: redacted(logger, output, token),
    // The configuration is loaded later, as a plugin.
    genReqId: request => requestIdOf(request, app.trustsProxy),
    trustProxy: (address, hop) => app.trustsProxy(address, hop)
  })
  app.decorate('merchantToken', token)
  app.decorate('watchedFiles', [])
  app.decorate('backgroundFaults', new ThrottledLog<unknown>((times, err) =>
    app.log.error({ err, times }, 'fault in background work, going on')))

  app.register(env, { config })
  app.register(connections)
  app.register(responseHeaders)
  // CORS comes before everything that may refuse, so that browsers can read the refusal.
  app.register(cors)
  app.register(errorHandler, { logRefusals: true })
  app.register(protocolErrors)
  app.register(pipelining)
  app.register(smallChunks)
  app.register(fairTurns)
  app.register(notFound)
  app.register(readiness)
  app.register(gracefulShutdown)
  app.register(overload)
  app.register(metrics, { output })
  app.register(signerPlugin, { signer, pollInterval })
  app.register(auditTrail, { output })
  app.register(exposureWarnings, { authorize })
  app.register(probes)
  app.register(openapi)
  app.register(async function signatures (app) { // a separate scope: the guards apply only to the signing route
    const { config, metrics, auditTrail, signer: { variant } } = app
    assertVariant(variant)
    app.register(signing, {
      variant,
      reader: { read: request => app.signer.read(request) },
      ...defaults,
      ...optionsOf(config),
      policyPollInterval: pollInterval,
      auditRequired: config.AUDIT === 'required',
      policySetting: 'POLICY_FILE',
      watchedFiles: app.watchedFiles,
      isProduction: config.NODE_ENV === 'production',
      authorize,
      ...auditTrail !== undefined && { recordDecision: (decision, done) => auditTrail.record(decision, done) },
      metrics,
      isOverloaded: () => app.isOverloaded()
    })
    // Responses that wait for the audit are written together anyway.
    app.register(writeBatching, { isOn: config.AUDIT !== 'required' })
    // Delegates to the injected VariantA, VariantB or custom signer.
    app.register(generateSignature, { signer: () => app.signer, bodyLimit: config.BODY_LIMIT, path: defaults.path })
  })
  return app
}
