import { toText, type SignatureRequest } from '../../src/scheme/request.js'
import type { MerchantsContent } from '../../src/token/merchants-file.js'
import { readTokenFile } from '../../src/token/token-file.js'
import { tokenWarnings } from '../../src/token/token-warnings.js'
import { CommandError, type Io } from '../../src/command-line/command.js'
import { visible } from '../../src/text/characters.js'
import { parseJson } from '../../src/text/json-file.js'
import { isVariant, variantNames, type Variant } from '../../src/scheme/variants.js'

/** Returns options of `parse` that have a value. */
export const withValue = <const Name extends string>(...names: readonly Name[]) =>
  Object.fromEntries(names.map(name => [name, { type: 'string' }])) as Record<Name, { type: 'string' }>

/** Options of `parse` for a command that uses the variant and the token. */
export const schemeOptions = withValue('token-file', 'merchants', 'variant')

interface SchemeValues {
  readonly 'token-file'?: string | undefined
  readonly merchants?: string | undefined
  readonly variant?: string | undefined
}

/** Section of `--help` for a command with an optional token. */
export const optionalTokenHelp = `The token, never an argument
  --token-file FILE           from a file; one final newline is ignored
  --merchants FILE            the token and the variant of the merchant with the account number, from a file of
                              merchants; or MERCHANTS_FILE
  MERCHANT_TOKEN              from the environment, or MERCHANT_TOKEN_FILE with the path of a file
`

/** Section of `--help` for a command that needs the token. */
export const tokenHelp = `${optionalTokenHelp}  otherwise                   you are asked for it at the terminal, which does not show it
`

export const variantHelp = `  ${`--variant ${variantNames.join('|')}`.padEnd(28)}default: VARIANT, or else A
`

/**
 * Returns the variant of `--variant` or VARIANT. Default: A.
 *
 * @throws CommandError the text is neither A nor B
 */
export function variantOf (values: SchemeValues, { env }: Io): Variant {
  const text = (values.variant ?? env.VARIANT ?? 'A').toUpperCase()
  if (isVariant(text)) return text
  throw new CommandError(`${values.variant === undefined ? 'VARIANT' : '--variant'} must be ${variantNames.join(' or ')}`)
}

async function configuredToken (values: SchemeValues, { env }: Io): Promise<string | undefined> {
  const { MERCHANT_TOKEN: text, MERCHANT_TOKEN_FILE: path } = env
  if (values['token-file'] !== undefined) return readTokenFile(values['token-file'], '--token-file')
  if (text === '') throw new CommandError('MERCHANT_TOKEN is empty')
  if (!path) return text
  if (text === undefined) return readTokenFile(path, 'MERCHANT_TOKEN_FILE')
  throw new CommandError('MERCHANT_TOKEN and MERCHANT_TOKEN_FILE are both set; set only one of them, or pass --token-file')
}

/** Writes a warning for each likely mistake in a token, and returns the token. */
function warned (token: string, { stderr }: Io): string {
  for (const warning of tokenWarnings(token)) stderr.write(`payment-signature: warning: the merchant token ${warning}\n`)
  return token
}

/**
 * Returns the content of the file of --merchants or MERCHANTS_FILE; undefined without one, and with --token-file.
 *
 * @param rules - what the accounts and tokens must be. Default: what is needed to sign
 * @throws CommandError --token-file and --merchants are both given
 */
export async function merchantsFrom (
  values: SchemeValues, { env, stderr }: Io, rules = { isStrict: false, accountNumberDigits: 6 }
): Promise<MerchantsContent | undefined> {
  if (values.merchants !== undefined && values['token-file'] !== undefined) {
    throw new CommandError('--token-file and --merchants are both given; leave one out')
  }
  const path = values.merchants ?? (values['token-file'] === undefined ? env.MERCHANTS_FILE : undefined)
  if (!path) return undefined
  const setting = values.merchants === undefined ? 'MERCHANTS_FILE' : '--merchants'
  const { checkMerchants, readMerchantFiles } = await import('../../src/token/merchants-file.js')
  const requirements = { path, setting, ...rules }
  const content = await checkMerchants(await readMerchantFiles(requirements), requirements)
  for (const warning of content.warnings) stderr.write(`payment-signature: warning: ${visible(warning)}\n`)
  return content
}

/**
 * Returns the merchant of the account of a request; undefined without a file of merchants.
 *
 * @throws CommandError no merchant has the account
 */
export async function merchantFor (values: SchemeValues, io: Io, request: SignatureRequest) {
  const merchants = (await merchantsFrom(values, io))?.merchants
  const account = toText(request.merchantAccountNumber || request.accountNumber)
  const merchant = merchants?.find(({ accountNumbers }) => accountNumbers.includes(account))
  if (merchants !== undefined && merchant === undefined) throw new CommandError('no merchant has the account number of the request')
  return merchant
}

function warnOfOwnToken ({ merchantToken }: SignatureRequest, source: string, { stderr }: Io): void {
  if (!merchantToken) return
  stderr.write(`payment-signature: warning: the merchantToken of the request is not used: the token of ${source} takes precedence\n`)
}

/**
 * Returns the token of the file or the environment; undefined without one.
 *
 * @param request - a request whose own token is not used, with a warning
 */
export async function tokenFrom (
  values: SchemeValues, io: Io, request?: SignatureRequest
): Promise<string | undefined> {
  const token = await configuredToken(values, io)
  if (token === undefined) return undefined
  if (request !== undefined) warnOfOwnToken(request, '--token-file, MERCHANT_TOKEN or MERCHANT_TOKEN_FILE', io)
  return warned(token, io)
}

/**
 * Returns the first token that exists: of {@link tokenFrom}, of the request, or of the terminal.
 *
 * @throws CommandError there is no token, and no terminal to ask at
 */
export async function requiredToken (values: SchemeValues, io: Io, request?: SignatureRequest): Promise<string> {
  const token = await tokenFrom(values, io, request)
  if (token !== undefined) return token
  if (request?.merchantToken) return toText(request.merchantToken)
  const { promptForToken } = await import('./prompt.js')
  return warned(await promptForToken(io), io)
}

/**
 * Returns the variant and the token for a request: with a file of merchants, those of its merchant. `--variant` takes
 * precedence.
 *
 * @param given - the variant of `--variant` or VARIANT
 * @param tokenOf - returns the token without a file of merchants
 * @throws CommandError no merchant has the account
 */
export async function schemeFor<Token> (
  given: Variant, values: SchemeValues, io: Io, request: SignatureRequest,
  tokenOf: (request: SignatureRequest) => Promise<Token>
): Promise<{ variant: Variant, merchantToken: string | Token }> {
  const merchant = await merchantFor(values, io, request)
  if (merchant === undefined) return { variant: given, merchantToken: await tokenOf(request) }
  warnOfOwnToken(request, `merchant "${merchant.name}"`, io)
  return { variant: values.variant === undefined ? merchant.variant : given, merchantToken: merchant.token() }
}

/**
 * Returns the tokens of a file by name. The file is a JSON object, or has lines of NAME=TOKEN. Empty lines and lines
 * that begin with # are ignored.
 *
 * @throws CommandError a line or member has another form. The message does not contain it.
 * @throws UnreadableError the text begins like a JSON object, but is not JSON
 */
export function candidateTokens (text: string, name: string): Record<string, string> {
  if (!text.trimStart().startsWith('{')) {
    return Object.fromEntries(text.split(/\r?\n/).flatMap((line, index) => {
      if (line === '' || line.startsWith('#')) return []
      const [, key, token] = /^([^=]+)=(.+)$/s.exec(line) ?? []
      if (key === undefined || token === undefined) throw new CommandError(`${name}: line ${index + 1} is not NAME=TOKEN`)
      return [[key, token]]
    }))
  }
  const tokens = parseJson(text, name) as Record<string, string>
  const fault = Object.values<unknown>(tokens).findIndex(token => typeof token !== 'string' || token === '')
  if (fault !== -1) throw new CommandError(`${name}: member ${fault + 1} must be a non-empty string`)
  return tokens
}
