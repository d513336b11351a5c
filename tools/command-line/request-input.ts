import { fields, type SignatureRequest } from '../../src/scheme/request.js'
import { unexpectedArgument } from '../../src/command-line/arguments.js'
import { CommandError, type Io } from '../../src/command-line/command.js'
import { nameOf, readText } from './read-text.js'
import { requestIn } from '../request-text/request-text.js'
import { signedRequestsIn } from '../request-text/signed-requests.js'
import { schemeFor, schemeOptions, variantOf, withValue } from './scheme-input.js'

const flagOf = (field: string): string => field.replace(/[A-Z]+/g, capitals => `-${capitals.toLowerCase()}`)

/** Field of each flag: all fields of a request (specification 2.1) except the token. */
const fieldOfFlag = Object.fromEntries(fields.filter(field => field !== 'merchantToken').map(field => [flagOf(field), field]))

/** Options of `parse` with the fields of a request. */
export const fieldOptions: Readonly<Record<string, { type: 'string' }>> = withValue(...Object.keys(fieldOfFlag))

/** Options of `parse` for a command that reads a request and uses its variant and token. */
export const inputOptions = {
  ...fieldOptions, ...schemeOptions, ...withValue('request'), json: { type: 'boolean' }
} as const

const flags = Object.keys(fieldOptions).map(flag => `--${flag}`)

/** Section of `--help` about the request. */
export const requestHelp = `The request, as one of
  --request FILE              a file: JSON, a curl command, a form, what PHP, Python, JavaScript, Ruby, Java,
                              Go or PowerShell print, or a log with one of these
  -                           the same from standard input; a pipe is read without it too, unless flags give the
                              account number, sid and time stamp
  --amount 100.00 --sid …     a flag for each field; it overrides the file:
${flags.join(' ').replace(/(.{1,86})(?: |$)/g, `${' '.repeat(30)}$1\n`)}`

/** Returns the fields that flags give, as text. */
export function fieldsIn (values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fieldOfFlag).flatMap(([flag, field]) => {
    const value = values[flag]
    return value === undefined ? [] : [[field, value as string]]
  }))
}

/** Reads the request from a file, or from standard input if the path is `-`. */
export async function readRequest (path: string, io: Io, isOther = false): Promise<SignatureRequest> {
  return requestIn(await readText(path, io), nameOf(path), isOther) as SignatureRequest
}

type RequestValues = Readonly<Record<string, unknown>> & { readonly request?: string | undefined }

interface Arguments {
  readonly values: RequestValues & Parameters<typeof variantOf>[0]
  readonly positionals: readonly string[]
}

/**
 * Returns the path of the request; undefined if flags describe it. Standard input is read for `-`. A pipe is also
 * read if the flags lack a required field. Otherwise it is not: in a script's loop, standard input may belong to the
 * loop, or never end.
 */
function pathFrom (values: RequestValues, positionals: readonly string[], { stdin }: Io): string | undefined {
  const surplus = positionals.find(positional => positional !== '-')
  if (surplus !== undefined) throw unexpectedArgument(surplus, inputOptions)
  if (positionals.length > 0 && values.request !== undefined) {
    throw new CommandError('pass either --request or -, not both')
  }
  const flags = fieldsIn(values)
  const { sid, clientTimeStamp, merchantAccountNumber = flags.accountNumber } = flags
  const isWhole = [sid, clientTimeStamp, merchantAccountNumber].every(field => field !== undefined)
  const path = values.request ?? (positionals.length > 0 || (!isWhole && !stdin.isTTY) ? '-' : undefined)
  if (path === undefined && Object.keys(flags).length === 0) {
    throw new CommandError('no request: pass --request FILE or flags such as --amount, or pipe one in')
  }
  return path
}

/** Returns a request with the fields of the flags, which take precedence. */
function withFlags (request: object, values: RequestValues): SignatureRequest {
  const flags = fieldsIn(values)
  // merchantAccountNumber takes precedence over accountNumber, but a flag takes precedence over the file.
  const { merchantAccountNumber: ofFile, ...others } = request as Partial<SignatureRequest>
  return { ...flags.accountNumber === undefined ? request : others, ...flags } as SignatureRequest
}

/**
 * Returns the request that the arguments describe.
 *
 * @param positionals - `-` or nothing
 * @throws CommandError there is no request, or the file cannot be read
 */
async function requestFrom (
  values: RequestValues, positionals: readonly string[], io: Io
): Promise<SignatureRequest> {
  const path = pathFrom(values, positionals, io)
  return withFlags(path === undefined ? {} : await readRequest(path, io), values)
}

/**
 * Returns the request that the arguments describe, with the variant and the token for it.
 *
 * @param tokenOf - returns the token without a file of merchants
 * @throws CommandError the arguments are invalid, or no merchant has the account
 */
export async function inputFrom<Token> (
  { values, positionals }: Arguments, io: Io, tokenOf: (request: SignatureRequest) => Promise<Token>
) {
  const given = variantOf(values, io)
  const request = await requestFrom(values, positionals, io)
  return { request, ...await schemeFor(given, values, io, request, tokenOf) }
}

/**
 * Returns the requests with their signatures: the request of the arguments with `--signature`, or those of a file that
 * contains signatures too.
 *
 * @throws CommandError there is no request with a signature, or the file cannot be read
 */
export async function signedRequestsFrom (
  values: RequestValues & { readonly signature?: string | undefined }, positionals: readonly string[], io: Io
) {
  if (values.signature !== undefined) {
    return [{ request: await requestFrom(values, positionals, io), signatures: [values.signature] }]
  }
  const path = pathFrom(values, positionals, io)
  const text = path === undefined ? '' : await readText(path, io)
  const signed = signedRequestsIn(text)
  if (signed.length === 0) {
    const place = path === undefined ? '' : `: ${nameOf(path)} has no request with a signature beside it`
    throw new CommandError(`missing --signature SIGNATURE${place}`)
  }
  return signed.map(({ request, ...call }) => ({ request: withFlags(request, values), ...call }))
}
