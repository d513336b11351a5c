import Fastify, { type FastifyInstance } from 'fastify'
import cors from '../plugins/cors.js'
import env from '../plugins/env.js'
import http, { connections, responseHeaders } from '../plugins/http/index.js'
import { redactedLogger, serverOptions } from '../plugins/http/server-options.js'
import merchantsPlugin from '../plugins/merchants.js'
import operation from '../plugins/operation/index.js'
import signerPlugin from '../plugins/signer.js'
import generateSignature from '../routes/generate-signature.js'
import openapi from '../routes/openapi.js'
import probes from '../routes/probes.js'
import { VariantA, VariantB } from './scheme/variants.js'
import { defaults, optionsOf } from './settings/settings.js'
import type { AppOptions } from './signing/options.js'
import { signingOf } from './signing/sign.js'
import { stdout } from '../plugins/operation/line-writer.js'
import { MerchantToken } from './token/merchant-token.js'

export type { AppOptions }

/**
 * Creates the whole service, as a Fastify app that does not listen yet. If the configuration cannot be used, `ready()`
 * rejects with an error, such as `ERR_CONFIGURATION` or `ERR_TOKEN`. It has a line for each fault of one plugin.
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
  const cut = (text: string, length: number) => token.redactStart(text, length)
  const app: FastifyInstance = Fastify({
    ...serverOptions(cut, (address, hop) => app.trustsProxy(address, hop)),
    trustProxy: (address, hop) => app.trustsProxy(address, hop), // the configuration is loaded later, as a plugin
    logger: redactedLogger(logger, output, token)
  })
  app.decorate('merchantToken', token)
  const settingsOf = ({ config, modes, metrics, watchedFiles }: FastifyInstance) =>
    ({ ...defaults, ...optionsOf(config), policyPollInterval: pollInterval, modes, metrics, watchedFiles })

  app.register(env, { config, merchants, authorize })
  app.register(connections)
  app.register(responseHeaders) // before CORS, because a preflight ends with its hook
  app.register(cors) // before everything that may refuse, so that browsers can read the refusal
  app.register(http)
  app.register(operation, { output, authorize })

  // After the metrics, to which they add their own.
  app.register(merchantsPlugin, app => ({ ...settingsOf(app), path: app.config.MERCHANTS_FILE, setting: 'MERCHANTS_FILE', token }))
  app.register(signerPlugin, {
    signer,
    merchantToken,
    pollInterval,
    signerOf: (variant, token) => variant === 'B' ? new VariantB(token) : new VariantA(token)
  })

  app.register(probes)
  app.register(openapi)
  app.register(generateSignature, app => {
    const { config, modes, auditTrail, signer, signingMerchants: merchants, variant } = app
    const isProduction = config.NODE_ENV === 'production'
    return {
      ...settingsOf(app),
      ...signingOf({ merchants, signer, variant, merchantToken }, modes, isProduction),
      logRefusals: true,
      auditRequired: config.AUDIT === 'required',
      policySetting: 'POLICY_FILE',
      isProduction,
      authorize,
      context,
      ...auditTrail !== undefined && { recordDecision: (decision, done) => auditTrail.record(decision, done) },
      cut,
      isOverloaded: () => app.isOverloaded()
    }
  })
  return app
}
