import { stat } from 'node:fs/promises'
import { developmentToken } from './development-token.js'
import { keyCheckValue } from './key-check-value.js'
import { Redaction } from './redaction.js'
import { isReadableByAll, readTokenFile } from './token-file.js'
import type { TokenFileError } from './token-file.js'
import { tokenWarnings } from './token-warnings.js'

/** Where the token comes from, and what it has to be. */
export interface TokenSettings {
  /** MERCHANT_TOKEN. */
  readonly text: string | undefined
  /** MERCHANT_TOKEN_FILE; empty if there is none. */
  readonly path: string
  readonly isProduction: boolean
  /** Whether the development token is what everybody expects. */
  readonly isTest: boolean
  /** Why a token cannot be used, a sentence without it; undefined if it can. */
  readonly faultIn: (text: string) => string | undefined
}

/** The log that is told of the token; pino's, for one. */
export interface TokenLog {
  info (message: string): void
  warn (message: string): void
  error (message: string): void
}

/** There is no token that can be used. The message says what to set, and holds no token. */
export class TokenError extends Error {
  override readonly name = 'TokenError'
  readonly code = 'ERR_TOKEN'
}

async function tokenInFile (path: string): Promise<string> {
  try {
    return await readTokenFile(path)
  } catch (cause) {
    throw new TokenError(`MERCHANT_TOKEN_FILE ${(cause as TokenFileError).message}`, { cause })
  }
}

async function configuredToken ({ text, path, isProduction, faultIn }: TokenSettings): Promise<string> {
  if (path !== '' && text !== undefined) {
    throw new TokenError('MERCHANT_TOKEN and MERCHANT_TOKEN_FILE are both set; set one of them')
  }
  const token = path === '' ? text ?? developmentToken : await tokenInFile(path)
  if (token === developmentToken && isProduction) {
    throw new TokenError('NODE_ENV=production refuses the development token: set MERCHANT_TOKEN to the merchant\'s ' +
      'token, or MERCHANT_TOKEN_FILE to the path of a file that holds it')
  }
  const fault = faultIn(token)
  if (fault !== undefined) throw new TokenError(fault)
  return token
}

/** What about a token, and where it is kept, looks like a mistake, a line each. */
async function warningsOf (text: string, { path, isTest }: TokenSettings): Promise<string[]> {
  const warnings = tokenWarnings(text).map(warning => `the merchant token ${warning}`)
  if (text === developmentToken && !isTest) {
    warnings.push('the merchant token is the development token, which everybody knows: set MERCHANT_TOKEN or MERCHANT_TOKEN_FILE')
  }
  if (await isReadableByAll(path)) {
    warnings.push('MERCHANT_TOKEN_FILE can be read by every user of this machine: chmod o-r; in Kubernetes, ' +
      'defaultMode: 0440 and an fsGroup')
  }
  return warnings
}

/** How often the file is read, in milliseconds. */
const pollInterval = 10_000

/** The merchant's token: where it comes from, what replaces it, what looks wrong with it, and how it is kept secret. */
export class MerchantToken {
  /** Where it came from, for the start log; empty until it is loaded. */
  source = ''
  /** Its fingerprint, 6 hexadecimal digits; empty until it is loaded. */
  keyCheckValue = ''
  readonly #redaction = new Redaction()
  #text = ''
  /** Why the file could not be used when it was read last; empty if it could. */
  #fault = ''
  #reading = Promise.resolve()
  #read: ((isAsked: boolean) => Promise<void>) | undefined
  #timer: NodeJS.Timeout | undefined

  /** From now on `secret` is taken out of what passes {@link redact} and {@link redactLine}. */
  hide (secret: string): void {
    this.#redaction.add(secret)
  }

  /** Any text, with `[redacted]` where a token was. */
  redact (text: string): string {
    return this.#redaction.redact(text)
  }

  /** Like {@link redact}, for a line of JSON, which stays one. */
  redactLine (line: string): string {
    return this.#redaction.redactLine(line)
  }

  /**
   * Loads MERCHANT_TOKEN, the present content of MERCHANT_TOKEN_FILE, or the development default.
   *
   * @param use - gets the token, and later each one that replaces it
   * @throws TokenError both are set; the file cannot be used; it is the development token in production; it has a fault
   */
  async load (settings: TokenSettings, log: TokenLog, use: (text: string) => void): Promise<void> {
    const replace = async (text: string): Promise<boolean> => {
      if (text === this.#text) return false
      this.#text = text
      this.hide(text)
      this.keyCheckValue = keyCheckValue(text)
      use(text)
      for (const warning of await warningsOf(text, settings)) log.warn(warning)
      return true
    }
    const text = await configuredToken(settings)
    if (settings.path !== '') this.source = `MERCHANT_TOKEN_FILE (${settings.path})`
    else this.source = text === developmentToken ? 'the development default' : 'MERCHANT_TOKEN'
    await replace(text)
    this.#read = isAsked => this.#readAgain(settings, log, replace, isAsked)
  }

  /** @param isAsked - somebody waits for the outcome; otherwise only news are logged */
  async #readAgain (
    settings: TokenSettings, log: TokenLog, replace: (text: string) => Promise<boolean>, isAsked: boolean
  ): Promise<void> {
    const outcome = await configuredToken(settings).catch((error: Error) => error)
    if (this.#read === undefined) return // it was closed meanwhile
    if (outcome instanceof Error) {
      const { message } = outcome
      if (isAsked || message !== this.#fault) {
        log.error(`${message}; keeping the current token, key check value ${this.keyCheckValue}`)
      }
      this.#fault = message
      return
    }
    const isNews = await replace(outcome)
    if (isNews) log.info(`the merchant token was replaced, key check value ${this.keyCheckValue}`)
    else if (isAsked || this.#fault !== '') log.info(`the merchant token is unchanged, key check value ${this.keyCheckValue}`)
    this.#fault = ''
  }

  /**
   * Reads MERCHANT_TOKEN_FILE again, and says in the log what came of it; a file that cannot be used leaves the token
   * as it is. Never rejects.
   */
  reload (isAsked = true): Promise<void> {
    // One after the other: an older reading must not win, nor a file system that hangs take all of Node's threads.
    this.#reading = this.#reading.then(() => this.#read?.(isAsked))
    return this.#reading
  }

  /**
   * From now on reads MERCHANT_TOKEN_FILE again and again, if there is one. Its content is polled, because a watcher
   * misses what Kubernetes does: it swaps a symlink further up the path.
   *
   * @param interval - in milliseconds; 10 seconds if not given
   */
  async watch ({ path }: TokenSettings, log: TokenLog, interval = pollInterval): Promise<void> {
    if (path === '') return
    if ((await stat(path)).isFile()) {
      this.#timer = setInterval(() => this.reload(false), interval).unref()
    } else { // a pipe has nothing more to give, and might block
      this.#read = async () => log.info('MERCHANT_TOKEN_FILE is not a regular file: it is read only once')
    }
  }

  /** Reads nothing any more. */
  close (): void {
    this.#read = undefined
    clearInterval(this.#timer)
  }
}
