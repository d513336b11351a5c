import { developmentToken, keyCheckValue } from './key-check-value.js'
import { Redaction } from './redaction.js'
import { isReadableByAll } from './token-file.js'
import { tokenWarnings } from './token-warnings.js'

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

  /**
   * Logs a warning for each likely mistake in the token, and for a file that everybody can read.
   *
   * @param path - MERCHANT_TOKEN_FILE; empty if the token has another origin
   * @param isTest - true: no warning about the development token
   */
  async warn (path: string, isTest: boolean, log: Pick<Console, 'warn'>): Promise<void> {
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
