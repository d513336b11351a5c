import fp from 'fastify-plugin'
import { strictTokenFault } from '../src/guard/strict.js'
import { signerOf } from '../src/scheme/signer.js'
import type { Signer } from '../src/scheme/signer.js'
import type { MerchantToken } from '../src/token/merchant-token.js'

declare module 'fastify' {
  interface FastifyInstance {
    merchantToken: MerchantToken
    /** What the routes sign with. Another one when the token has changed: read it anew for each request. */
    signer: Signer
  }
}

export interface MerchantTokenOptions {
  /** Signs instead of the configured variant; no token is then read from the configuration. */
  signer?: Signer | undefined
  /** How often MERCHANT_TOKEN_FILE is read, in milliseconds; for tests. */
  tokenPollInterval?: number | undefined
}

/** Signs with what MERCHANT_TOKEN, or MERCHANT_TOKEN_FILE, holds now. */
export default fp<MerchantTokenOptions>(async function merchantToken (app, { signer, tokenPollInterval }) {
  app.decorate('signer', signer as Signer)
  if (signer !== undefined) return

  const { config, log, merchantToken } = app
  const variant = config.VARIANT.toUpperCase() === 'B' ? 'B' : 'A'
  const isStrict = config.STRICT || config.POLICY_FILE !== ''
  const settings = {
    text: config.MERCHANT_TOKEN,
    path: config.MERCHANT_TOKEN_FILE,
    isProduction: config.NODE_ENV === 'production',
    isTest: config.NODE_ENV === 'test',
    faultIn: (text: string) => {
      const fault = isStrict ? strictTokenFault(text) : undefined
      return fault === undefined ? undefined : `STRICT ${fault}`
    }
  }
  await merchantToken.load(settings, log, text => { app.signer = signerOf(variant, text) })
  app.addHook('onClose', async () => merchantToken.close())
  await merchantToken.watch(settings, log, tokenPollInterval)
}, { name: 'merchant-token', dependencies: ['env'] })
