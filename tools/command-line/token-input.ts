import type { SignatureRequest } from '../../src/scheme/fields.js'
import { toText } from '../../src/scheme/text.js'
import type { TokenFileError } from '../../src/token/token-file.js'
import { tokenWarnings } from '../../src/token/token-warnings.js'
import { variantOption } from '../../src/command-line/arguments.js'
import { CommandError } from '../../src/command-line/command.js'
import type { Io } from '../../src/command-line/command.js'

/** For `parse`. */
export const tokenOptions = { 'token-file': { type: 'string' }, variant: variantOption } as const

interface TokenValues {
  readonly 'token-file'?: string | undefined
  readonly variant?: string | undefined
}

/** For `--help`. */
export const optionalTokenHelp = `The token, never an argument
  --token-file FILE           from a file; one final newline is ignored
  MERCHANT_TOKEN              from the environment, or MERCHANT_TOKEN_FILE with the path of a file
`

export const tokenHelp = `${optionalTokenHelp}  otherwise                   you are asked for it at the terminal, which does not show it
`

/** @throws CommandError */
export async function readSecretFile (path: string, setting: string): Promise<string> {
  const { readTokenFile } = await import('../../src/token/token-file.js')
  try {
    return await readTokenFile(path)
  } catch (error) {
    throw new CommandError(`${setting} ${(error as TokenFileError).message}`)
  }
}

async function configuredToken (values: TokenValues, { env }: Io): Promise<string | undefined> {
  const { MERCHANT_TOKEN: text, MERCHANT_TOKEN_FILE: path } = env
  if (values['token-file'] !== undefined) return readSecretFile(values['token-file'], '--token-file')
  if (text === '') throw new CommandError('MERCHANT_TOKEN is empty')
  if (!path) return text
  if (text === undefined) return readSecretFile(path, 'MERCHANT_TOKEN_FILE')
  throw new CommandError('MERCHANT_TOKEN and MERCHANT_TOKEN_FILE are both set; set only one of them, or pass --token-file')
}

/** Warns of each thing about a token that looks like a mistake. */
function warned (token: string, { stderr }: Io): string {
  for (const warning of tokenWarnings(token)) stderr.write(`payment-signature: warning: the merchant token ${warning}\n`)
  return token
}

/**
 * The token of the file or the environment.
 *
 * @param request - if it has its own token, which is then not used, there is a warning
 */
export async function tokenFrom (
  values: TokenValues, io: Io, request?: SignatureRequest
): Promise<string | undefined> {
  const token = await configuredToken(values, io)
  if (token === undefined) return undefined
  if (request?.merchantToken) {
    io.stderr.write('payment-signature: warning: the merchantToken of the request is not used: ' +
      'the token of --token-file, MERCHANT_TOKEN or MERCHANT_TOKEN_FILE takes precedence\n')
  }
  return warned(token, io)
}

/**
 * {@link tokenFrom}, or else the request's own token, or else the token that is typed.
 *
 * @throws CommandError there is none, and no terminal to ask at
 */
export async function requiredToken (values: TokenValues, io: Io, request?: SignatureRequest): Promise<string> {
  const token = await tokenFrom(values, io, request)
  if (token !== undefined) return token
  if (request?.merchantToken) return toText(request.merchantToken)
  const { promptForToken } = await import('./prompt.js')
  return warned(await promptForToken(io), io)
}
