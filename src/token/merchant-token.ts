import { developmentToken, isRefusedToken } from './development-token.js'
import { keyCheckValue } from './key-check-value.js'
import { Redaction } from './redaction.js'
import { isReadableByAll, readTokenFile, TokenError } from './token-file.js'
import { tokenWarnings } from './token-warnings.js'

/** Origin of the token, and the requirements that it must meet. */
interface TokenSettings {
  /** MERCHANT_TOKEN. */
  readonly text: string | undefined
  /** MERCHANT_TOKEN_FILE; empty if there is none. */
  readonly path: string
  /** Flag with which the file is opened. */
  readonly flag?: number | undefined
  readonly isProduction: boolean
  /** True: no warning about the development token. */
  readonly isTest: boolean
  /** Returns a sentence, without the token, if a token cannot be used; otherwise undefined. */
  readonly faultIn: (text: string) => string | undefined
}

/**
 * Returns MERCHANT_TOKEN, the current content of MERCHANT_TOKEN_FILE, or the development token.
 *
 * @throws TokenError `ERR_TOKEN`: both are set; the file cannot be used; production has the development token;
 *   the token has a fault
 */
export async function configuredToken ({ text, path, flag, isProduction, faultIn }: TokenSettings): Promise<string> {
  if (path !== '' && text !== undefined) {
    throw new TokenError('MERCHANT_TOKEN and MERCHANT_TOKEN_FILE are both set; set one of them')
  }
  const token = path === '' ? text ?? developmentToken : await readTokenFile(path, 'MERCHANT_TOKEN_FILE', flag)
  if (isRefusedToken(token, isProduction)) {
    throw new TokenError('NODE_ENV=production refuses the development token: set MERCHANT_TOKEN to the merchant\'s ' +
      'token, or MERCHANT_TOKEN_FILE to the path of a file that holds it')
  }
  const fault = faultIn(token)
  if (fault !== undefined) throw new TokenError(fault)
  return token
}

/** The merchant's token with its origin, its key check value, its warnings and its redaction. */
export class MerchantToken extends Redaction {
  /** Origin of the token, for the start log; empty until the token is loaded. */
  source = ''
  /** Key check value of the token, 6 hexadecimal digits; empty until the token is loaded. */
  keyCheckValue = ''
  #text = ''

  /**
   * Replaces the token. Returns false if the token is the same.
   *
   * @param path - MERCHANT_TOKEN_FILE; empty if the token has another origin
   */
  replace (text: string, path: string): boolean {
    if (text === this.#text) return false
    if (path !== '') this.source = `MERCHANT_TOKEN_FILE (${path})`
    else this.source = text === developmentToken ? 'the development default' : 'MERCHANT_TOKEN'
    this.#text = text
    this.hide(text)
    this.keyCheckValue = keyCheckValue(text)
    return true
  }

  /** Logs a warning for each likely mistake in the token, and for a file that everybody can read. */
  async warn ({ path, isTest }: TokenSettings, log: Pick<Console, 'warn'>): Promise<void> {
    for (const warning of tokenWarnings(this.#text)) log.warn(`the merchant token ${warning}`)
    if (this.#text === developmentToken && !isTest) {
      log.warn('the merchant token is the development token, which everybody knows: set MERCHANT_TOKEN or MERCHANT_TOKEN_FILE')
    }
    if (await isReadableByAll(path)) {
      log.warn('MERCHANT_TOKEN_FILE can be read by every user of this machine: chmod o-r; in Kubernetes, ' +
        'defaultMode: 0440 and an fsGroup')
    }
  }
}
