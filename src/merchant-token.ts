import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import type { Environment } from './configuration.js'
import { ConfigurationError } from './configuration.js'

export const developmentToken = 'development-only-token'

export interface MerchantToken {
  readonly text: string
  /** Where it came from, for the start log. */
  readonly source: string
}

/** The whole file but one final newline: a token may well begin or end with a space. */
function readTokenFile (path: string): string {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new ConfigurationError([`MERCHANT_TOKEN_FILE is "${path}", which cannot be read (${code})`], { cause })
  }
  if (!isUtf8(bytes)) {
    throw new ConfigurationError([`MERCHANT_TOKEN_FILE is "${path}", which is not UTF-8 text`])
  }
  const text = bytes.toString().replace(/\n$/, '')
  if (text === '') throw new ConfigurationError([`MERCHANT_TOKEN_FILE is "${path}", which is empty`])
  return text
}

function configuredToken ({ MERCHANT_TOKEN: text, MERCHANT_TOKEN_FILE: path }: Environment): MerchantToken {
  if (path !== '') {
    if (text === undefined) return { text: readTokenFile(path), source: `MERCHANT_TOKEN_FILE (${path})` }
    throw new ConfigurationError(['MERCHANT_TOKEN and MERCHANT_TOKEN_FILE are both set; set one of them'])
  }
  if (text === undefined || text === developmentToken) {
    return { text: developmentToken, source: 'the development default' }
  }
  return { text, source: 'MERCHANT_TOKEN' }
}

/**
 * The configured token: MERCHANT_TOKEN, the content of MERCHANT_TOKEN_FILE, or the development default.
 *
 * @throws ConfigurationError both are set, the file cannot be used, or it is the development token and
 * NODE_ENV=production
 */
export function loadMerchantToken (environment: Environment): MerchantToken {
  const token = configuredToken(environment)
  if (token.text === developmentToken && environment.NODE_ENV === 'production') {
    throw new ConfigurationError([
      'NODE_ENV=production refuses the development token: set MERCHANT_TOKEN to the merchant\'s token, or ' +
      'MERCHANT_TOKEN_FILE to the path of a file that holds it'
    ])
  }
  return token
}
