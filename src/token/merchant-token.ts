import type { Environment } from '../service/configuration.js'
import { ConfigurationError } from '../service/configuration.js'
import { developmentToken } from './development-token.js'
import { readTokenFile } from './token-file.js'
import type { TokenFileError } from './token-file.js'

export interface MerchantToken {
  readonly text: string
  /** Where it came from, for the start log. */
  readonly source: string
}

async function tokenInFile (path: string): Promise<string> {
  try {
    return await readTokenFile(path)
  } catch (cause) {
    throw new ConfigurationError([`MERCHANT_TOKEN_FILE ${(cause as TokenFileError).message}`], { cause })
  }
}

async function configuredToken (environment: Environment): Promise<MerchantToken> {
  const { MERCHANT_TOKEN: text, MERCHANT_TOKEN_FILE: path } = environment
  if (path !== '') {
    if (text === undefined) return { text: await tokenInFile(path), source: `MERCHANT_TOKEN_FILE (${path})` }
    throw new ConfigurationError(['MERCHANT_TOKEN and MERCHANT_TOKEN_FILE are both set; set one of them'])
  }
  if (text === undefined || text === developmentToken) {
    return { text: developmentToken, source: 'the development default' }
  }
  return { text, source: 'MERCHANT_TOKEN' }
}

/**
 * The configured token: MERCHANT_TOKEN, the present content of MERCHANT_TOKEN_FILE, or the development default.
 *
 * @throws ConfigurationError both are set; the file cannot be used; it is the development token and
 * NODE_ENV=production; it is made of digits only, and STRICT, or a policy, needs to tell it from its neighbours
 */
export async function loadMerchantToken (environment: Environment): Promise<MerchantToken> {
  const token = await configuredToken(environment)
  if (token.text === developmentToken && environment.NODE_ENV === 'production') {
    throw new ConfigurationError([
      'NODE_ENV=production refuses the development token: set MERCHANT_TOKEN to the merchant\'s token, or ' +
      'MERCHANT_TOKEN_FILE to the path of a file that holds it'
    ])
  }
  if ((environment.STRICT || environment.POLICY_FILE !== '') && /^[0-9]+$/.test(token.text)) {
    throw new ConfigurationError(['STRICT needs a token that is not only digits'])
  }
  return token
}
