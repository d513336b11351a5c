import type { MerchantEntry } from '../../src/merchants/many/merchants-file.js'
import { readTokenFile } from '../../src/merchants/token-file.js'
import { tokenWarnings } from '../../src/merchants/token-rules.js'
import { toText, type SignatureRequest } from '../../src/scheme/request.js'
import { isVariant, variantNames, type Variant } from '../../src/scheme/variants.js'
import { defaultDigits } from '../../src/settings/environment.js'
import { CommandError, text, type Io } from './command.js'

export const variantOption = { variant: text(variantNames.join('|'), 'default: VARIANT, or else A') }

export const merchantsOption = {
  'merchants-file': text('FILE', 'a file of merchants: the one with the account number counts; or MERCHANTS_FILE')
}

/** Options of a command that uses the variant and the token. */
export const schemeOptions = {
  'token-file': text('FILE', 'the token in a file, without its final newline; or MERCHANT_TOKEN(_FILE)'),
  ...merchantsOption,
  ...variantOption
}

interface SchemeValues {
  readonly 'token-file'?: string | undefined
  readonly 'merchants-file'?: string | undefined
  readonly variant?: string | undefined
}

/**
 * Returns the variant of `--variant` or VARIANT. Default: A.
 *
 * @throws CommandError the text is neither A nor B
 */
export function variantOf (values: SchemeValues, { env }: Io): Variant {
  const text = (values.variant ?? env.VARIANT ?? 'A').toUpperCase()
  if (isVariant(text)) return text
  throw new CommandError(`${values.variant === undefined ? 'VARIANT' : '--variant'} must be ` +
    `${variantNames.join(' or ')}`)
}

/** Writes a line for each warning. */
export function warn (warnings: readonly string[], { stderr }: Io): void {
  for (const warning of warnings) stderr.write(`payment-signature: warning: ${warning}\n`)
}

async function configuredToken (values: SchemeValues, { env }: Io): Promise<string | undefined> {
  const { MERCHANT_TOKEN: text, MERCHANT_TOKEN_FILE: path } = env
  if (values['token-file'] !== undefined) return readTokenFile(values['token-file'], '--token-file', '', true)
  if (text === '') throw new CommandError('MERCHANT_TOKEN is empty')
  if (!path) return text
  if (text === undefined) return readTokenFile(path, 'MERCHANT_TOKEN_FILE', '', true)
  throw new CommandError('MERCHANT_TOKEN and MERCHANT_TOKEN_FILE are both set; ' +
    'set only one of them, or pass --token-file')
}

/**
 * Returns the token of the file or the environment.
 *
 * @param isRequired - true for the token of the request if there is none
 * @throws CommandError the token is required, and there is none
 */
async function tokenFrom (
  values: SchemeValues, io: Io, isRequired: boolean, request?: SignatureRequest
): Promise<string | undefined> {
  const configured = await configuredToken(values, io)
  if (configured !== undefined && request?.merchantToken) {
    warn(['the merchantToken of the request is not used: --token-file and the environment take precedence'], io)
  }
  if (configured === undefined && isRequired && request?.merchantToken) return toText(request.merchantToken)
  if (configured === undefined && isRequired) throw new CommandError('no token: set MERCHANT_TOKEN or pass --token-file')
  if (configured !== undefined) warn(tokenWarnings(configured).map(warning => `the merchant token ${warning}`), io)
  return configured
}

/**
 * Returns the merchants of the file of --merchants-file or MERCHANTS_FILE; undefined without one, and with
 * --token-file.
 *
 * @param rules - what the accounts and tokens must be. Default: what is needed to sign
 */
export async function merchantsFrom (
  values: SchemeValues, { env }: Io, rules = { strict: false, accountNumberDigits: defaultDigits }
): Promise<readonly MerchantEntry[] | undefined> {
  const { 'merchants-file': given } = values
  if (given !== undefined && values['token-file'] !== undefined) {
    throw new CommandError('--token-file and --merchants-file are both given; leave one out')
  }
  const path = given ?? (values['token-file'] === undefined ? env.MERCHANTS_FILE : undefined)
  if (!path) return undefined
  const { readMerchants } = await import('../../src/merchants/many/merchants-file.js')
  const setting = given === undefined ? 'MERCHANTS_FILE' : '--merchants-file'
  return (await readMerchants(path, { setting, production: false, ...rules }, undefined, true))?.entries
}

/**
 * Returns the variant and the token for a request: with a file of merchants, those of the merchant of its account.
 * `--variant` takes precedence.
 *
 * @throws CommandError no merchant has the account
 */
export async function schemeFor (values: SchemeValues, io: Io, isRequired: boolean, request: SignatureRequest) {
  const variant = variantOf(values, io)
  const merchants = await merchantsFrom(values, io)
  if (merchants === undefined) return { variant, merchantToken: await tokenFrom(values, io, isRequired, request) }
  const account = toText(request.merchantAccountNumber || request.accountNumber)
  const merchant = merchants.find(({ accountNumbers }) => accountNumbers.includes(account))
  if (merchant === undefined) throw new CommandError('no merchant has the account number of the request')
  return { variant: values.variant === undefined ? merchant.variant : variant, merchantToken: merchant.token }
}

/**
 * Returns the tokens of a file by name. The file has lines of NAME=TOKEN. Empty lines and lines that begin with # are
 * ignored.
 *
 * @throws CommandError a line has another form. The message does not contain it.
 */
export function candidateTokens (text: string, name: string): Record<string, string> {
  const lines = text.split(/\r?\n/).filter(line => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(lines.map((line, index) => {
    const [, own = '', token = ''] = /^([^=]+)=(.+)$/s.exec(line) ?? []
    if (token === '') throw new CommandError(`${name}: token ${index + 1} must be NAME=TOKEN`)
    return [own, token]
  }))
}
