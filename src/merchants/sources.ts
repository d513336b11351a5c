import type { FastifyInstance } from 'fastify'
import type { Signer } from '../scheme/signer.js'
import { readerOf, type Variant } from '../scheme/variants.js'
import { ConfigurationError, isProduction, isStrict } from '../settings/environment.js'
import { keyCheckValue } from './key-check-value.js'
import { manyMerchants } from './many/many-merchants.js'
import { merchantWith, onlyMerchant, type Merchants, type Signers } from './merchant.js'
import { readTokenFile } from './token-file.js'
import { merchantWithTokenOf, type TokenOf } from './token-of.js'
import { developmentToken, tokenFaults, tokenWarnings } from './token-rules.js'

/** Reads the merchants. Returns undefined if they are those of the last call. */
type Load = () => Promise<Merchants | undefined>

/** Returns the loader of MERCHANT_TOKEN or MERCHANT_TOKEN_FILE. */
function ofToken (app: FastifyInstance, variant: Variant, signerWith: (token: string) => Signer): Load {
  const { config: { MERCHANT_TOKEN: configured, MERCHANT_TOKEN_FILE: path, NODE_ENV }, log } = app
  const ofText = app.fromEnvFile.has('MERCHANT_TOKEN') ? '.env' : 'MERCHANT_TOKEN'
  const origin = path !== '' ? `MERCHANT_TOKEN_FILE (${path})` : configured === undefined ? 'the development token' : ofText
  let inUse: string | undefined
  return async () => {
    const token = path === '' ? configured ?? developmentToken : await readTokenFile(path, 'MERCHANT_TOKEN_FILE')
    if (token === inUse) return undefined // eslint-disable-line local/constant-time -- no client has sent it
    const merchant = merchantWith(signerWith(token), token)
    const warnings = token === developmentToken
      ? ['is the development token, which everybody knows: set MERCHANT_TOKEN or MERCHANT_TOKEN_FILE']
      : tokenWarnings(token)
    const isQuiet = token === developmentToken && NODE_ENV === 'test'
    if (!isQuiet) for (const warning of warnings) log.warn(`the merchant token ${warning}`)
    app.redactor.hide(token)
    inUse = token
    const tokenSource = `${origin}, ${token.length} characters`
    return onlyMerchant(merchant, { variant, tokenSource, keyCheckValue: keyCheckValue(token) })
  }
}

/** Returns the source of the merchants: the function that reads it, and its file with the setting that names it. */
export function sourceOf (app: FastifyInstance, signers: Signers, tokenOf?: TokenOf) {
  const { VARIANT: variant, MERCHANT_TOKEN_FILE, MERCHANTS_FILE, AUTHORIZE_TIMEOUT } = app.config
  const rules = { strict: isStrict(app.config), production: isProduction(app.config) }

  /** Returns the signer with a token. Throws for one that production or STRICT refuses. */
  function signerWith (token: string): Signer {
    const signer = new signers[variant](token)
    const [fault] = tokenFaults(token, rules)
    if (fault !== undefined) throw new ConfigurationError(fault, 'ERR_TOKEN')
    return signer
  }
  if (MERCHANTS_FILE !== '') {
    return { setting: 'MERCHANTS_FILE', path: MERCHANTS_FILE, load: manyMerchants(app, signers, rules) }
  }
  if (tokenOf === undefined) {
    return { setting: 'MERCHANT_TOKEN_FILE', path: MERCHANT_TOKEN_FILE, load: ofToken(app, variant, signerWith) }
  }
  const merchant = merchantWithTokenOf(tokenOf, AUTHORIZE_TIMEOUT, readerOf(variant), signerWith)
  const all = onlyMerchant(merchant, { variant, tokenSource: 'the option tokenOf', keyCheckValue: '' })
  return { setting: '', path: '', load: async () => all }
}
