import Fastify, { type FastifyInstance } from 'fastify'
import auditFile from '../plugins/audit-file.js'
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
import { handlerOf, type ClientAddress, type Handler } from './handler.js'
import { serverOptions } from './http/server-options.js'
import { redactedLogger } from './log.js'
import { Redactor } from './merchants/redactor.js'
import { assertOptions, OptionsError, type AppOptions } from './options.js'
import { VariantA, VariantB } from './scheme/variants.js'

/**
 * Creates the whole service, as a Fastify app that does not listen yet. Give `listen` a `host`: for `localhost`,
 * Fastify starts a second server without our limits. If the configuration cannot be used, `ready()` rejects with
 * {@link ConfigurationError} `ERR_CONFIGURATION`, {@link TokenError} `ERR_TOKEN` or {@link PolicyError} `ERR_POLICY`.
 * The message has a line for each fault of one plugin.
 *
 * @throws OptionsError `ERR_OPTIONS`: unknown or invalid options
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

  app.register(env, { config, redactor, authorize, audit })
  app.register(http) // before cors, so that preflights have its headers
  app.register(cors) // before everything that may refuse, so that browsers can read the refusal
  app.register(errors)
  app.register(metrics)
  app.register(merchants, { signers: { A: VariantA, B: VariantB }, tokenOf })
  app.register(auditFile)
  app.register(lifecycle)
  app.register(probes)
  app.register(openapi)
  app.register(generateSignature, { authorize, audit })
  return app
}

/**
 * Options of {@link createHandler}: those of the app, and the address of a client.
 *
 * @typeParam Context - second argument of the handler
 */
export type HandlerOptions<Context = unknown> = AppOptions<Context> & { clientAddress: ClientAddress<Context> }

/**
 * Returns a function that responds to the requests of the whole service for other servers: those with the Request and
 * Response of the Fetch standard, such as Hono, Next.js, Bun and Deno, and all that can make and read them. It passes
 * the requests to an app of {@link createApp}.
 *
 * @throws OptionsError `ERR_OPTIONS`: unknown or invalid options
 * @example
 * import { createHandler } from 'payment-signature-backend/app'
 *
 * const handler = createHandler({
 *   config: { MERCHANT_TOKEN: process.env.MERCHANT_TOKEN ?? '', STRICT: 'true' },
 *   clientAddress: (request, server) => server.requestIP(request).address
 * })
 * Bun.serve({ fetch: handler })
 */
export function createHandler<Context = unknown> (
  { clientAddress, ...options }: HandlerOptions<Context> = {} as never // an OptionsError follows
): Handler<Context> {
  if (typeof clientAddress === 'function') return handlerOf(createApp<Context>(options as AppOptions<Context>), clientAddress)
  throw new OptionsError('clientAddress must be a function: without the address all clients share one limit')
}

export type { AuditEntry, AuditRecord } from './guards/audit/audit.js'
export type { Answer, Authorize, AuthorizeInput } from './guards/authorize/authorize.js'
export { PolicyError } from './guards/policy/policy.js'
export type { Handler } from './handler.js'
export type { Refusal } from './http/refusals.js'
export type { TokenOf } from './merchants/merchant.js'
export { TokenError } from './merchants/token-file.js'
export { OptionsError, type AppOptions } from './options.js'
export { UsageError } from './scheme/errors.js'
export { ConfigurationError, type Environment } from './settings/environment.js'
