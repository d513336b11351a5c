import fp from 'fastify-plugin'
import { isStrict, strictTokenFault } from '../src/guard/strict.js'
import type { Signer } from '../src/scheme/variant.js'
import { signerOf, type Variant } from '../src/scheme/variants.js'
import { infoIn, reloadCounter } from '../src/service/prometheus.js'
import { optionsOf } from '../src/service/settings.js'
import { WatchedFile } from '../src/service/watched-file.js'
import { configuredToken, type MerchantToken } from '../src/token/merchant-token.js'

declare module 'fastify' {
  interface FastifyInstance {
    merchantToken: MerchantToken
    /** What the routes sign with. Another one when the token has changed: read it anew for each request. */
    signer: Signer
  }
}

interface SignerOptions {
  /** Signs instead of the configured variant; no token is then read from the configuration. */
  signer?: Signer | undefined
  /** How often MERCHANT_TOKEN_FILE and POLICY_FILE are read, in milliseconds; for tests. */
  pollInterval: number
}

/** Signs with what MERCHANT_TOKEN, or MERCHANT_TOKEN_FILE, holds now. */
export default fp<SignerOptions>(async function signerPlugin (app, { signer, pollInterval }) {
  app.decorate('signer', signer as Signer)
  if (signer !== undefined) return

  const { config, log, merchantToken, metrics } = app
  const variant = config.VARIANT.toUpperCase() as Variant // which the pattern of VARIANT has checked
  const needsStrictToken = isStrict(optionsOf(config))
  const settings = {
    text: config.MERCHANT_TOKEN,
    path: config.MERCHANT_TOKEN_FILE,
    isProduction: config.NODE_ENV === 'production',
    isTest: config.NODE_ENV === 'test',
    faultIn: (text: string) => {
      const fault = needsStrictToken ? strictTokenFault(text) : undefined
      return fault === undefined ? undefined : `STRICT ${fault}`
    }
  }
  const read = (flag?: number) => configuredToken({ ...settings, flag })
  async function use (text: string): Promise<boolean> {
    if (!merchantToken.replace(text, settings.path)) return false
    app.signer = signerOf(variant, text)
    await merchantToken.warn(settings, log)
    return true
  }
  await use(await read())
  if (metrics !== undefined) {
    await infoIn(metrics, 'payment_signature_token_info', 'The key check value of the token in use, always 1.',
      ['key_check_value'], () => ({ key_check_value: merchantToken.keyCheckValue }))
  }
  if (settings.path === '') return

  const file = new WatchedFile({
    path: settings.path,
    setting: 'MERCHANT_TOKEN_FILE',
    name: 'merchant token',
    state: () => `key check value ${merchantToken.keyCheckValue}`,
    read,
    use,
    count: await reloadCounter(metrics, 'payment_signature_token_reloads_total', 'Readings of MERCHANT_TOKEN_FILE.')
  }, log)
  app.addHook('onClose', () => file.close())
  app.watchedFiles.push(file)
  await file.watch(pollInterval)
}, { name: 'signer', dependencies: ['env'] })
