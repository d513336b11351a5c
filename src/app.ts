import Fastify from 'fastify'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import exposureWarnings from '../plugins/exposure-warnings.js'
import cors from '../plugins/http/cors.js'
import documentation from '../plugins/documentation.js'
import type { AuthorizeOptions } from '../plugins/signing/authorize.js'
import env from '../plugins/env.js'
import type { EnvOptions } from '../plugins/env.js'
import errors, { frameworkErrors } from '../plugins/http/errors.js'
import gracefulShutdown from '../plugins/http/graceful-shutdown.js'
import jsonBody from '../plugins/signing/json-body.js'
import metrics from '../plugins/http/metrics.js'
import overload from '../plugins/http/overload.js'
import protocolErrors, { clientErrorHandler } from '../plugins/http/protocol-errors.js'
import readiness from '../plugins/http/readiness.js'
import { requestIdOf } from '../plugins/http/request-id.js'
import { RequestLog, RequestLogger } from '../plugins/http/request-log.js'
import securityHeaders from '../plugins/http/security-headers.js'
import signer from '../plugins/signer.js'
import type { SignerOptions } from '../plugins/signer.js'
import tokenReload from '../plugins/token-reload.js'
import type { TokenReloadOptions } from '../plugins/token-reload.js'
import trustProxy from '../plugins/http/trust-proxy.js'
import health from '../routes/health.js'
import ready from '../routes/ready.js'
import signing from '../routes/signing.js'
import { Redaction } from './token/redaction.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Takes the token out of what is logged. */
    redaction: Redaction
  }
}

type Logger = NonNullable<FastifyServerOptions['logger']>

export interface AppOptions extends EnvOptions, SignerOptions, TokenReloadOptions, AuthorizeOptions {
  /**
   * Fastify's `logger` options; `false` for no log. LOG_LEVEL sets the level. Method, path and status of a request may
   * be bound to its logger, so `formatters.log` does not always get them.
   */
  logger?: Logger
}

/** The logger with every line redacted, after a hook of its own. */
function redacted (logger: Logger, redaction: Redaction): Logger {
  if (!logger) return false
  const options = logger === true ? {} : logger
  const ownHook = options.hooks?.streamWrite ?? (line => line)
  return {
    ...options,
    hooks: { ...options.hooks, streamWrite: line => redaction.redactLine(ownHook(line)) }
  }
}

/**
 * The whole service, not yet listening. Without `config` it reads the environment and `.env`; `ready()` then rejects
 * with a ConfigurationError when they cannot be used.
 *
 * @example
 * const app = createApp({ config: { MERCHANT_TOKEN: 'secret', VARIANT: 'B' } })
 * const { body } = await app.inject('/health')
 */
export function createApp (
  { config, signer: injected, tokenPollInterval, authorize, logger = true }: AppOptions = {}
): FastifyInstance {
  const redaction = new Redaction()
  // Already now, for faults of the configuration: the token may have got into another variable as well.
  redaction.add((config ?? process.env).MERCHANT_TOKEN ?? '')
  const app: FastifyInstance = Fastify({
    logger: redacted(logger, redaction),
    logController: new RequestLog(),
    childLoggerFactory: (logger, bindings, options) => new RequestLogger(logger, bindings, options),
    genReqId: requestIdOf,
    trustProxy: (address, hop) => app.trustsProxy(address, hop), // the configuration is loaded later, as a plugin
    requestTimeout: 10_000, // milliseconds from the first byte to the last one of a request
    connectionTimeout: 90_000, // without a byte either way, as when a client does not read its answers
    keepAliveTimeout: 72_000, // longer than the 60 s of nginx and of AWS's load balancers, or they answer 502
    http: {
      headersTimeout: 10_000,
      connectionsCheckingInterval: 1000, // how often the two time-outs above are enforced
      requireHostHeader: false // Node would answer with an empty body; plugins/errors.ts does it
    },
    return503OnClosing: false, // what still arrives while closing is answered, then its connection ends
    frameworkErrors,
    clientErrorHandler
  })
  app.decorate('redaction', redaction)

  app.register(env, { config })
  app.register(trustProxy)
  app.register(securityHeaders)
  app.register(cors) // before anything that may refuse, so that browsers can read the refusal
  app.register(errors)
  app.register(protocolErrors)
  app.register(jsonBody, ({ config }) => ({ bodyLimit: config.BODY_LIMIT }))
  app.register(gracefulShutdown)
  app.register(overload)
  app.register(readiness)
  app.register(metrics)
  app.register(signer, { signer: injected })
  app.register(tokenReload, { tokenPollInterval })
  app.register(exposureWarnings, { authorize })
  app.register(documentation) // before the routes that it is about
  app.register(health)
  app.register(ready)
  app.register(signing, { authorize })
  return app
}
