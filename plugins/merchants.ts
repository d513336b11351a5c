import fp from 'fastify-plugin'
import type { AppOptions } from '../src/options.js'
import { noToken, type Signer, type VariantSigner } from '../src/scheme/signer.js'
import type { Variant } from '../src/scheme/variants.js'
import { ConfigurationError, isProduction, isStrict } from '../src/settings/environment.js'
import { watchFile } from '../src/settings/watch-file.js'
import { keyCheckValue } from '../src/merchants/key-check-value.js'
import { merchantWithTokenOf, merchantWithSigner, type Merchant, type Merchants } from '../src/merchants/merchant.js'
import { readMerchants, type MerchantsFile } from '../src/merchants/merchants-file.js'
import { isReadableByAll, readTokenFile, TokenError } from '../src/merchants/token-file.js'
import { developmentToken, tokenFaults, tokenWarnings } from '../src/merchants/token-rules.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** The merchants at this moment. Their file, or that of the token, is read again. */
    merchants: Merchants
  }
}

interface MerchantsOptions extends Pick<AppOptions, 'signer' | 'tokenOf' | 'pollInterval'> {
  /** The class of each variant. */
  variants: Readonly<Record<Variant, new (merchantToken: string | typeof noToken) => VariantSigner>>
}

/** Signs with MERCHANT_TOKEN, MERCHANT_TOKEN_FILE or MERCHANTS_FILE. The files are read again when they change. */
export default fp<MerchantsOptions>(async function merchantsPlugin (app, options) {
  const { variants, signer, tokenOf, pollInterval } = options
  const { config, log, fromEnvFile, redactor } = app
  const { MERCHANT_TOKEN: configured, MERCHANT_TOKEN_FILE: tokenPath, MERCHANTS_FILE: merchantsPath } = config
  const sources = Object.entries({
    MERCHANT_TOKEN: configured !== undefined,
    MERCHANT_TOKEN_FILE: tokenPath !== '',
    MERCHANTS_FILE: merchantsPath !== '',
    'the option signer': signer !== undefined,
    'the option tokenOf': tokenOf !== undefined
  }).filter(([, isSet]) => isSet).map(([name]) => name)
  if (sources.length > 1) throw new ConfigurationError(`${sources.join(' and ')} are both set; set one of them`)
  const [source = ''] = sources
  const variant = config.VARIANT.toUpperCase() as Variant
  const rules = { strict: isStrict(config), production: isProduction(config) }

  const reader = new variants.A(noToken)
  let merchants: Merchants
  app.decorate('merchants', { getter: () => merchants })
  const useOne = (merchant: Merchant, rest: Partial<Merchants> = {}): void => {
    merchants = { merchantOf: () => merchant, reader, variant, tokenSource: source, keyCheckValue: '', ...rest }
  }

  /** Returns the signer with a token. Throws for one that production or STRICT refuses. */
  function signerWith (token: string): Signer {
    const withToken = new variants[variant](token)
    const [fault] = tokenFaults(token, rules)
    if (fault !== undefined) throw new TokenError(fault)
    return withToken
  }

  if (signer !== undefined && variant === 'B' && signer.variant !== 'B') {
    throw new ConfigurationError(`VARIANT is B, but the option signer has variant ${signer.variant}; leave it out`)
  }
  if (signer !== undefined) return useOne(merchantWithSigner(signer), { variant: signer.variant })
  if (tokenOf !== undefined) return useOne(merchantWithTokenOf(tokenOf, new variants[variant](noToken), signerWith))

  const ofText = configured === undefined ? 'the development token' : fromEnvFile.has('MERCHANT_TOKEN') ? '.env' : 'MERCHANT_TOKEN'
  const origin = tokenPath === '' ? ofText : `MERCHANT_TOKEN_FILE (${tokenPath})`
  let tokenInUse: string | undefined

  /** Signs with the configured token from now on. Returns false for the same token. */
  async function useToken (): Promise<boolean> {
    const token = tokenPath === '' ? configured ?? developmentToken : await readTokenFile(tokenPath, 'MERCHANT_TOKEN_FILE')
    if (token === tokenInUse) return false // eslint-disable-line local/constant-time -- no client has sent it
    const withToken = signerWith(token)
    if (token !== developmentToken) for (const warning of tokenWarnings(token)) log.warn(`the merchant token ${warning}`)
    redactor.hide(token)
    useOne(merchantWithSigner(withToken, token), {
      tokenSource: `${origin}, ${token.length} characters`, keyCheckValue: keyCheckValue(token)
    })
    tokenInUse = token
    return true
  }

  let fileInUse: MerchantsFile | undefined

  /** Signs with the tokens of the file from now on. Returns false for the same file. */
  async function useFile (): Promise<boolean> {
    const requirements = { ...rules, setting: 'MERCHANTS_FILE', accountNumberDigits: config.ACCOUNT_NUMBER_DIGITS }
    const file = await readMerchants(merchantsPath, requirements, fileInUse)
    if (file === undefined) return false
    const accounts = new Map(file.entries.flatMap(entry => {
      const merchant = merchantWithSigner(new variants[entry.variant](entry.token), entry.token, entry.name)
      return entry.accountNumbers.map(number => [number, merchant] as const)
    }))
    merchants = {
      merchantOf: account => accounts.get(account),
      reader,
      variant: file.variant,
      tokenSource: `MERCHANTS_FILE (${merchantsPath}), ${file.entries.length} entries`,
      keyCheckValue: file.keyCheckValue
    }
    fileInUse = file
    return true
  }

  const use = merchantsPath === '' ? useToken : useFile
  await use()
  if (tokenInUse === developmentToken && config.NODE_ENV !== 'test') {
    log.warn('the merchant token is the development token, which everybody knows: set MERCHANT_TOKEN or MERCHANT_TOKEN_FILE')
  }
  const watched = merchantsPath || tokenPath
  if (watched === '') return
  if (await isReadableByAll(watched)) log.warn(`${source} can be read by every user of this machine: chmod o-r`)
  watchFile(app, source, use, pollInterval)
}, { name: 'merchants', dependencies: ['env', 'metrics'], fastify: '5.x' })
