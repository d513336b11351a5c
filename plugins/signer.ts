import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { ConfigurationError } from '../src/settings/environment.js'
import { assertOptions } from '../src/settings/plugin-options.js'
import { strictTokenFault } from '../src/guard/strict.js'
import { watchFile } from '../src/process/watched-file.js'
import type { Reading } from '../src/scheme/request.js'
import type { Signer } from '../src/scheme/variant.js'
import type { Variant } from '../src/scheme/variants.js'
import type { AppOptions } from '../src/signing/options.js'
import { infoIn } from '../src/telemetry/prometheus.js'
import { developmentToken, isRefusedToken, keyCheckValue } from '../src/token/key-check-value.js'
import type { MerchantToken } from '../src/token/merchant-token.js'
import { readTokenFile, TokenError } from '../src/token/token-file.js'

declare module 'fastify' {
  interface FastifyInstance {
    merchantToken: MerchantToken
    /** Reads and signs with the configured token; undefined if merchants or a token function have the tokens. */
    signer?: Signer
    /** Variant of the requests, as `GET /health` reports it; `A,B` if merchants have both. */
    readonly variant: string
  }
}

/** `signer` and `merchantToken` are options of the app. `pollInterval` is in milliseconds. */
type SignerOptions = Pick<AppOptions, 'signer' | 'merchantToken'> & {
  pollInterval: number
  /** Returns the signer of a variant with a token. */
  signerOf: (variant: Variant, token: string) => Signer
}

/**
 * Returns MERCHANT_TOKEN, the current content of MERCHANT_TOKEN_FILE, or the development token.
 *
 * @param flag - flag with which the file is opened
 * @throws TokenError `ERR_TOKEN`: the token cannot be used
 */
async function configuredToken ({ config, modes }: FastifyInstance, flag?: number): Promise<string> {
  const { MERCHANT_TOKEN: text, MERCHANT_TOKEN_FILE: path, MERCHANT_TOKEN_KCV: values } = config
  if (path !== '' && text !== undefined) {
    throw new TokenError('MERCHANT_TOKEN and MERCHANT_TOKEN_FILE are both set; set one of them')
  }
  const token = path === '' ? text ?? developmentToken : await readTokenFile(path, 'MERCHANT_TOKEN_FILE', flag)
  if (isRefusedToken(token, config.NODE_ENV === 'production')) {
    throw new TokenError('NODE_ENV=production refuses the development token: set MERCHANT_TOKEN to the merchant\'s ' +
      'token, or MERCHANT_TOKEN_FILE to the path of a file that holds it')
  }
  const value = keyCheckValue(token)
  if (values !== '' && !values.includes(value)) {
    throw new TokenError(`MERCHANT_TOKEN_KCV is ${values}; the token has ${value}`)
  }
  const fault = modes.refusesAmbiguity ? strictTokenFault(token) : undefined
  if (fault !== undefined) throw new TokenError(`STRICT ${fault}`)
  return token
}

/**
 * Creates the signer with the token of MERCHANT_TOKEN or MERCHANT_TOKEN_FILE, and replaces it when the file changes.
 */
export default fp<SignerOptions>(async function signerPlugin (app, options) {
  const { signer, signerOf, pollInterval } = options
  const { config, modes, log, merchantToken, metrics, watchedFiles } = app
  const hasTokenFunction = options.merchantToken !== undefined
  assertOptions({ signer })
  const tokenInfo = async () => metrics && await infoIn(metrics, 'payment_signature_token_info',
    'The key check value of the token in use, or of the tokens of all merchants together, always 1.',
    ['key_check_value'], () => ({ key_check_value: merchantToken.keyCheckValue }))
  if (app.signingMerchants !== undefined && (signer !== undefined || hasTokenFunction)) {
    throw new ConfigurationError('MERCHANTS_FILE cannot be used with the option signer or merchantToken')
  }
  const { signingMerchants: merchants } = app
  const configured: Variant = config.VARIANT?.toUpperCase() === 'B' ? 'B' : 'A'
  app.decorate('variant', { getter: () => merchants?.variant ?? signer?.variant ?? configured })
  if (merchants !== undefined) return tokenInfo()
  if (signer !== undefined) {
    app.decorate('signer', signer)
    return
  }

  if (hasTokenFunction) {
    const given = config.MERCHANT_TOKEN !== undefined || config.MERCHANT_TOKEN_FILE !== '' || config.MERCHANT_TOKEN_KCV !== ''
    if (given) throw new ConfigurationError('MERCHANT_TOKEN, its _FILE and its _KCV cannot be used with the option merchantToken')
    merchantToken.source = 'the function merchantToken'
    return
  }
  let current: Signer // a change of the token replaces it
  const path = config.MERCHANT_TOKEN_FILE
  const read = (flag?: number) => configuredToken(app, flag)
  async function use (text: string): Promise<boolean> {
    if (!merchantToken.replace(text, path)) return false
    current = signerOf(configured, text)
    await merchantToken.warn(path, config.NODE_ENV === 'test', log)
    const fault = modes.judgesStrictly ? strictTokenFault(text) : undefined
    if (fault !== undefined) log.warn(`STRICT ${fault}: it cannot refuse before the token is replaced`)
    return true
  }
  await use(await read())
  const readers = new WeakMap<Reading, Signer>() // the signer that has read a request signs it
  app.decorate('signer', {
    variant: configured,
    read (request, isStrict) {
      const reading = current.read(request, isStrict)
      readers.set(reading, current)
      return reading
    },
    signReading: reading => (readers.get(reading) ?? current).signReading(reading)
  })
  await tokenInfo()
  if (path === '') return

  const state = () => `key check value ${merchantToken.keyCheckValue}`
  await watchFile(app, { path, setting: 'MERCHANT_TOKEN_FILE', name: 'merchant token', state, read, use },
    ['payment_signature_token_reloads_total', 'Readings of MERCHANT_TOKEN_FILE.'],
    { metrics, watchedFiles, policyPollInterval: pollInterval })
}, { name: 'signer', dependencies: ['env', 'operation', 'merchants'], fastify: '5.x' })
