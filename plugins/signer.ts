import fp from 'fastify-plugin'
import { merchantsInUse } from '../src/decision/merchants-in-use.js'
import type { AppOptions } from '../src/decision/options.js'
import { signingBy, signingWith, type Signing, type SigningOf } from '../src/decision/signing.js'
import { watchFile } from '../src/decision/watch-file.js'
import { strictTokenFault } from '../src/guard/strict.js'
import type { Signer } from '../src/scheme/signer.js'
import { readerOf, type Variant, type Variants } from '../src/scheme/variants.js'
import { ConfigurationError, isProduction } from '../src/settings/environment.js'
import { developmentToken, keyCheckValue } from '../src/token/key-check-value.js'
import type { Redactor } from '../src/token/redactor.js'
import { isReadableByAll, readTokenFile, TokenError } from '../src/token/token-file.js'
import { referenceFault, tokenWarnings } from '../src/token/token-warnings.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns the signing of an account. */
    signingOf: SigningOf
    /** Variant of the service and origin of its token, for `GET /health`, the log and the metrics. */
    identity: { readonly variant: Variant | 'A,B', readonly token: string, readonly keyCheckValue: string }
  }
}

interface SignerOptions extends Pick<AppOptions, 'signer' | 'tokenOf' | 'pollInterval'> {
  /** Gets the token. */
  redactor: Redactor
  /** Classes that sign with a token, whatever its source is. */
  variants: Variants
}

/** Signs with MERCHANT_TOKEN, MERCHANT_TOKEN_FILE or MERCHANTS_FILE. The files are read again when they change. */
export default fp<SignerOptions>(async function signerPlugin (app, options) {
  const { config, log, fromEnvFile } = app
  const { signer, tokenOf, variants, redactor, pollInterval } = options
  const { MERCHANT_TOKEN: text, MERCHANT_TOKEN_FILE: path, MERCHANTS_FILE: file } = config
  const strict = config.STRICT === 'true' || config.POLICY_FILE !== ''
  const sources = Object.entries({
    MERCHANT_TOKEN: text !== undefined,
    MERCHANT_TOKEN_FILE: path !== '',
    MERCHANTS_FILE: file !== '',
    'the option signer': signer !== undefined,
    'the option tokenOf': tokenOf !== undefined
  }).filter(([, isSet]) => isSet).map(([name]) => name)
  if (sources.length > 1) throw new ConfigurationError(`${sources.join(' and ')} are both set; set one of them`)

  if (file !== '') {
    const requirements = { setting: 'MERCHANTS_FILE', strict, accountNumberDigits: config.ACCOUNT_NUMBER_DIGITS }
    const { content, signingOf } = await merchantsInUse(app, file, requirements, variants, pollInterval)
    if (await isReadableByAll(file)) log.warn('MERCHANTS_FILE can be read by every user of this machine: chmod o-r')
    app.decorate('signingOf', signingOf)
    app.decorate('identity', {
      getter: () => ({
        variant: content().variant,
        token: `MERCHANTS_FILE (${file}), ${content().entries.length} entries`,
        keyCheckValue: content().keyCheckValue
      })
    })
    return
  }

  const variant: Variant = config.VARIANT.toUpperCase() === 'B' ? 'B' : 'A'

  /** Returns the signer with a token. Throws for one that production or STRICT refuses. */
  function signerWith (token: string): Signer {
    if (token === developmentToken && isProduction(config)) {
      throw new TokenError('NODE_ENV=production refuses the development token: set MERCHANT_TOKEN to the merchant\'s ' +
        'token, or MERCHANT_TOKEN_FILE to the path of a file that holds it')
    }
    const signer = new variants[variant](token)
    const fault = isProduction(config) ? referenceFault(token) : undefined
    if (fault !== undefined) throw new TokenError(`NODE_ENV=production refuses the merchant token: it ${fault}`)
    const strictFault = strict ? strictTokenFault(token) : undefined
    if (strictFault !== undefined) throw new TokenError(`STRICT ${strictFault}`)
    return signer
  }

  let identity = { variant: (signer?.variant ?? variant) as Variant, token: sources[0] ?? '', keyCheckValue: '' }
  let signing: Signing | undefined
  app.decorate('signingOf', () => signing)
  app.decorate('identity', { getter: () => identity })
  if (signer !== undefined) signing = signingWith(signer)
  if (tokenOf !== undefined) signing = signingBy(tokenOf, readerOf(variant), signerWith)
  if (signing !== undefined) return

  const ofText = text === undefined ? 'the development token' : fromEnvFile.has('MERCHANT_TOKEN') ? '.env' : 'MERCHANT_TOKEN'
  const origin = path === '' ? ofText : `MERCHANT_TOKEN_FILE (${path})`

  let inUse: string | undefined

  /** Signs with a token from now on. Returns false for the same token. */
  function use (token: string): boolean {
    if (token === inUse) return false // eslint-disable-line local/constant-time -- no client has sent it
    const signer = signerWith(token)
    if (token !== developmentToken) for (const warning of tokenWarnings(token)) log.warn(`the merchant token ${warning}`)
    signing = signingWith(signer, token)
    redactor.hide(token)
    identity = { variant, token: `${origin}, ${token.length} characters`, keyCheckValue: keyCheckValue(token) }
    inUse = token
    return true
  }

  use(path === '' ? text ?? developmentToken : await readTokenFile(path, 'MERCHANT_TOKEN_FILE'))
  if (inUse === developmentToken && config.NODE_ENV !== 'test') {
    log.warn('the merchant token is the development token, which everybody knows: set MERCHANT_TOKEN or MERCHANT_TOKEN_FILE')
  }
  if (path === '') return
  if (await isReadableByAll(path)) log.warn('MERCHANT_TOKEN_FILE can be read by every user of this machine: chmod o-r')
  watchFile(app, 'MERCHANT_TOKEN_FILE', async () => use(await readTokenFile(path, 'MERCHANT_TOKEN_FILE')), pollInterval)
}, { name: 'signer', dependencies: ['env', 'metrics'], fastify: '5.x' })
