import fp from 'fastify-plugin'
import { refusesAmbiguity } from '../src/configuration/report-only.js'
import { optionsOf } from '../src/configuration/settings.js'
import { isStrict, strictTokenFault } from '../src/guard/strict.js'
import { reloadCounter, WatchedFile } from '../src/process/watched-file.js'
import type { Signer } from '../src/scheme/variant.js'
import { signerOf, type Variant } from '../src/scheme/variants.js'
import { infoIn } from '../src/telemetry/prometheus.js'
import { keyCheckValue } from '../src/token/key-check-value.js'
import { configuredToken, type MerchantToken } from '../src/token/merchant-token.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** The token of the service. */
    merchantToken: MerchantToken
    /** Signer of the routes. Read it for each request, because a change of the token replaces it. */
    signer: Signer
  }
}

interface SignerOptions {
  /** Custom signer. Default: the configured variant with the configured token. */
  signer?: Signer | undefined
  /** Interval in which MERCHANT_TOKEN_FILE is read, in milliseconds. */
  pollInterval: number
}

/**
 * Creates the signer with the token of MERCHANT_TOKEN or MERCHANT_TOKEN_FILE, and replaces it when the file changes.
 */
export default fp<SignerOptions>(async function signerPlugin (app, { signer, pollInterval }) {
  app.decorate('signer', signer as Signer)
  if (signer !== undefined) return

  const { config, log, merchantToken, metrics } = app
  const variant = config.VARIANT.toUpperCase() as Variant // checked by the pattern of VARIANT
  const strictFault = (text: string) => isStrict(optionsOf(config)) ? strictTokenFault(text) : undefined
  const settings = {
    text: config.MERCHANT_TOKEN,
    path: config.MERCHANT_TOKEN_FILE,
    isProduction: config.NODE_ENV === 'production',
    isTest: config.NODE_ENV === 'test',
    faultIn: (text: string) => {
      const { MERCHANT_TOKEN_KCV: values } = config
      const value = keyCheckValue(text)
      if (values !== '' && !values.includes(value)) return `MERCHANT_TOKEN_KCV is ${values}; the token has ${value}`
      const fault = strictFault(text)
      return fault === undefined || !refusesAmbiguity(optionsOf(config)) ? undefined : `STRICT ${fault}`
    }
  }
  const read = (flag?: number) => configuredToken({ ...settings, flag })
  async function use (text: string): Promise<boolean> {
    if (!merchantToken.replace(text, settings.path)) return false
    app.signer = signerOf(variant, text)
    await merchantToken.warn(settings, log)
    if (strictFault(text) !== undefined) log.warn(`STRICT ${strictFault(text)}: it cannot refuse before the token is replaced`)
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
}, { name: 'signer', dependencies: ['env'], fastify: '5.x' })
