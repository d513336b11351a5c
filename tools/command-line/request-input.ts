import type { SignatureRequest } from '../../src/scheme/fields.js'
import { unexpectedArgument } from '../../src/command-line/arguments.js'
import { CommandError } from '../../src/command-line/command.js'
import type { Io } from '../../src/command-line/command.js'
import { fieldOptions, fieldsIn } from './request-flags.js'

/** For `parse`. */
export const requestOptions = { request: { type: 'string' }, ...fieldOptions } as const

const flags = Object.keys(fieldOptions).map(flag => `--${flag}`)

type RequestValues = Parameters<typeof fieldsIn>[0] & { readonly request?: string | undefined }

/** For `--help`. */
export const requestHelp = `The request, as one of
  --request FILE              a file: JSON, a curl command, or a log line with JSON in it
  -                           the same from standard input; a pipe is read without it too, unless flags give the
                              account number, sid and time stamp
  --amount 100.00 --sid …     a flag for each field; it overrides the file:
${flags.join(' ').replace(/(.{1,86})(?: |$)/g, `${' '.repeat(30)}$1\n`)}`

/** The request in a file, or on standard input if the path is `-`. */
export async function readRequest (path: string, io: Io): Promise<SignatureRequest> {
  // Loaded where they are needed, as all that most calls do without: it is the start-up that takes the time.
  const [{ requestIn }, { nameOf, readText }] = await Promise.all([import('../request-text/request-text.js'), import('../../src/command-line/read-text.js')])
  return requestIn(await readText(path, io), nameOf(path)) as SignatureRequest
}

/**
 * The request that the arguments stand for. Standard input that is no terminal is read if it is asked for, or if the
 * flags cannot be all: in a script's loop it may be the loop's own, or never end.
 *
 * @param positionals - `-` or nothing
 * @throws CommandError there is no request, or none that can be read
 */
export async function requestFrom (
  values: RequestValues, positionals: readonly string[], io: Io
): Promise<SignatureRequest> {
  const surplus = positionals.find(positional => positional !== '-')
  if (surplus !== undefined) throw unexpectedArgument(surplus, requestOptions)
  if (positionals.length > 0 && values.request !== undefined) {
    throw new CommandError('pass either --request or -, not both')
  }
  const flags = fieldsIn(values)
  const { sid, clientTimeStamp, merchantAccountNumber = flags.accountNumber } = flags
  const isWhole = [sid, clientTimeStamp, merchantAccountNumber].every(field => field !== undefined)
  const path = values.request ?? (positionals.length > 0 || (!isWhole && !io.stdin.isTTY) ? '-' : undefined)
  if (path === undefined && Object.keys(flags).length === 0) {
    throw new CommandError('no request: pass --request FILE or flags such as --amount, or pipe one in')
  }
  const request = path === undefined ? {} : await readRequest(path, io)
  // It takes precedence over accountNumber, and a flag over the file.
  const { merchantAccountNumber: ofFile, ...others } = request as Partial<SignatureRequest>
  return { ...flags.accountNumber === undefined ? request : others, ...flags } as SignatureRequest
}

/** @throws CommandError it was not given */
export function requiredSignature ({ signature }: { readonly signature?: string | undefined }): string {
  if (signature === undefined) throw new CommandError('missing --signature SIGNATURE')
  return signature
}
