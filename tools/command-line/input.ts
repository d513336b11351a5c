import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import type { MerchantEntry } from '../../src/merchants/many/merchants-file.js'
import { readTokenFile } from '../../src/merchants/token-file.js'
import { tokenWarnings } from '../../src/merchants/token-rules.js'
import { accountFieldOf, toText, type SignatureRequest } from '../../src/scheme/request.js'
import { isVariant, variantNames, type Variant } from '../../src/scheme/variants.js'
import { defaultDigits } from '../../src/settings/environment.js'
import { reasonOf } from '../../src/text/read-file.js'
import { formsOfRequests, requestIn } from '../request-text/request-text.js'
import { signedRequestsIn, type Signed } from '../request-text/signed-requests.js'
import { CommandError, fail, text, type Io } from './command.js'

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
export function variantOf (values: SchemeValues, { env }: Pick<Io, 'env'> = { env: {} }): Variant {
  const text = values.variant ?? env.VARIANT ?? 'A'
  return isVariant(text) ? text : fail(`${values.variant === undefined ? 'VARIANT' : '--variant'} must be ${variantNames.join(' or ')}`)
}

/** Writes a line for each warning. */
export function warn (warnings: readonly string[], { stderr }: Io): void {
  for (const warning of warnings) stderr.write(`payment-signature: warning: ${warning}\n`)
}

async function configuredToken (values: SchemeValues, { env }: Io): Promise<string | undefined> {
  const { MERCHANT_TOKEN: text, MERCHANT_TOKEN_FILE: path } = env
  if (values['token-file'] !== undefined) return readTokenFile(values['token-file'], '--token-file', '', true)
  if (text === '') fail('MERCHANT_TOKEN is empty')
  if (!path) return text
  if (text === undefined) return readTokenFile(path, 'MERCHANT_TOKEN_FILE', '', true)
  return fail('MERCHANT_TOKEN and MERCHANT_TOKEN_FILE are both set; set only one of them, or pass --token-file')
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
  if (configured === undefined && isRequired) fail('no token: set MERCHANT_TOKEN or pass --token-file')
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
    fail('--token-file and --merchants-file are both given; leave one out')
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
  const account = toText(request[accountFieldOf(request)])
  const merchant = merchants.find(({ accountNumbers }) => accountNumbers.includes(account))
  if (merchant === undefined) fail('no merchant has the account number of the request')
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
    if (token === '') fail(`${name}: token ${index + 1} must be NAME=TOKEN`)
    return [own, token]
  }))
}

/** Returns the name of a path for messages. The path `-` is standard input. Content in place of a path is not shown. */
export function nameOf (path: string): string {
  if (path === '') return 'the file with an empty name'
  if (/[={]/.test(path)) return 'the file, whose name is not shown (pass the path of a file)'
  return path === '-' ? 'standard input' : path
}

/** Limits of an input: its length in mebibytes, and its commas, brackets, braces and lines. */
const maxLength = 8
const maxValues = 500_000
const separators = new Set(Buffer.from(',[{\n'))

/**
 * Returns the text of a file, or of standard input if the path is `-`, without a byte order mark.
 *
 * @throws CommandError the file cannot be read, is longer than 8 MiB, has more than 500,000 values, or is not UTF-8
 */
export async function readText (path: string, io: Io): Promise<string> {
  const name = nameOf(path)
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of path === '-' ? io.stdin : createReadStream(path)) {
      chunks.push(Buffer.from(chunk))
      length += chunk.length
      if (length > maxLength * 2 ** 20) fail(`${name} is longer than ${maxLength} MiB`)
    }
  } catch (error) {
    if (error instanceof CommandError) throw error
    fail(`${name} cannot be read (${reasonOf(error)})`)
  }
  const bytes = Buffer.concat(chunks)
  let values = 0
  for (const byte of bytes) if (separators.has(byte)) values++
  if (values > maxValues) fail(`${name} has more than ${maxValues} values or lines: pass a part of it`)
  // ASCII in UTF-16 has zeros in every other byte, and is UTF-8 without a byte order mark.
  const isUtf16 = /^(?:fffe|feff|00(?!00)..|(?!00)..00)/.test(bytes.toString('hex', 0, 2))
  if (isUtf16 || !isUtf8(bytes)) fail(`${name} is not UTF-8 text${isUtf16 ? ', but UTF-16' : ''}`)
  return bytes.toString().replace(/^\ufeff/, '')
}

/** Usage of the arguments that {@link inputOptions} belong to. */
export const inputUsage = '[--request FILE] [NAME=VALUE …] [options]'

/** Options of a command that reads a request and uses its variant and token. */
export const inputOptions = {
  request: text('FILE', `the request: ${formsOfRequests};\n` +
    '- is standard input, which is also read if nothing else describes a request'),
  ...schemeOptions
}

/** Text of `--help` about fields. */
export const fieldsHelp = 'Arguments such as amount=100.00 are fields of the request: all of it, or in place of those of --request.'

/** Options and fields that describe a request. */
interface Given {
  readonly values: Readonly<Record<string, string | boolean | undefined>> & { readonly request?: string | undefined }
  readonly fields: Partial<SignatureRequest>
}

/** Reads the request from a file, or from standard input if the path is `-`. */
export const readRequest = async (path: string, io: Io, isOther = false): Promise<SignatureRequest> =>
  requestIn(await readText(path, io), nameOf(path), isOther) as SignatureRequest

/**
 * Returns the path of the request; undefined if fields alone describe it.
 *
 * @throws CommandError nothing describes a request
 */
function pathFrom ({ values, fields }: Given, { stdin }: Io): string | undefined {
  if (values.request !== undefined || Object.keys(fields).length > 0) return values.request
  if (!stdin.isTTY) return '-'
  fail('no request: pass --request FILE, or fields such as amount=100.00, or pipe one in')
}

/** Returns a request with the fields of the arguments, which take precedence. */
function withFields (request: object, fields: Partial<SignatureRequest>): SignatureRequest {
  // merchantAccountNumber takes precedence over accountNumber, but an argument takes precedence over the file.
  const { merchantAccountNumber: ofFile, ...others } = request as Partial<SignatureRequest>
  return { ...fields.accountNumber === undefined ? request : others, ...fields } as SignatureRequest
}

/**
 * Returns the request that the arguments describe.
 *
 * @throws CommandError there is no request, or the file cannot be read
 */
export async function requestFrom (given: Given, io: Io): Promise<SignatureRequest> {
  const path = pathFrom(given, io)
  return withFields(path === undefined ? {} : await readRequest(path, io), given.fields)
}

/**
 * Returns the requests with their signatures: the request of the arguments with `--signature`, or those of a file that
 * contains signatures too.
 *
 * @throws CommandError there is no request with a signature, or the file cannot be read
 */
export async function signedRequestsFrom (given: Given, io: Io): Promise<Signed[]> {
  const { signature } = given.values
  if (typeof signature === 'string') return [{ request: await requestFrom(given, io), signatures: [signature] }]
  const path = pathFrom(given, io)
  const signed = signedRequestsIn(path === undefined ? '' : await readText(path, io))
  if (signed.length === 0) {
    const place = path === undefined ? '' : `: ${nameOf(path)} has no request with a signature beside it`
    fail(`missing --signature SIGNATURE${place}`)
  }
  return signed.map(({ request, ...call }) => ({ request: withFields(request, given.fields), ...call }))
}
