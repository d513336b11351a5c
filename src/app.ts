import Fastify, { type FastifyInstance } from 'fastify'
import cors from '../plugins/cors.js'
import env from '../plugins/env.js'
import errors from '../plugins/errors.js'
import http from '../plugins/http.js'
import lifecycle from '../plugins/lifecycle.js'
import merchants from '../plugins/merchants.js'
import metrics from '../plugins/metrics.js'
import generateSignature from '../routes/generate-signature.js'
import openapi from '../routes/openapi.js'
import probes from '../routes/probes.js'
import { serverOptions } from './http/server-options.js'
import { redactedLogger } from './log.js'
import { Redactor } from './merchants/redactor.js'
import { assertOptions, type AppOptions } from './options.js'
import { VariantA, VariantB } from './scheme/variants.js'

/**
 * Creates the whole service, as a Fastify app that does not listen yet. Give `listen` a `host`: for `localhost`,
 * Fastify starts a second server without our limits. If the configuration cannot be used, `ready()` rejects with
 * {@link ConfigurationError}, whose message has a line for each fault of one plugin. Call `close()` then, too.
 *
 * @throws ConfigurationError `ERR_OPTIONS`: unknown or invalid options
 * @example
 * const app = createApp({ config: { MERCHANT_TOKEN: 'secret', VARIANT: 'B' } })
 * const response = await app.inject('/health')
 * response.json().variant // 'B'
 */
export function createApp<Context = unknown> (options: AppOptions<Context> = {}): FastifyInstance {
  assertOptions(options)
  const { config, authorize, tokenOf, audit, logger = true } = options as AppOptions
  const redactor = new Redactor()
  const app: FastifyInstance = Fastify({
    ...serverOptions,
    logger: redactedLogger(logger, redactor),
    trustProxy: (address, hop) => app.isTrustedProxy(address, hop) // the configuration is loaded later, as a plugin
  })

  app.register(env, { config, redactor, authorize, tokenOf, audit, logger })
  app.register(http) // before cors, so that preflights have its headers
  app.register(cors) // before everything that may refuse, so that browsers can read the refusal
  app.register(errors)
  app.register(metrics)
  app.register(merchants, { signers: { A: VariantA, B: VariantB }, tokenOf })
  app.register(lifecycle, { tokenOf, audit })
  app.register(probes)
  app.register(openapi)
  app.register(generateSignature, { authorize, audit })
  return app
}
