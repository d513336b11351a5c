import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { fieldNames, type SignatureRequest } from '../../src/scheme/request.js'
import { reasonOf } from '../../src/text/read-file.js'
import { formsOfRequests, requestIn } from '../request-text/request-text.js'
import { signedRequestsIn, type Signed } from '../request-text/signed-requests.js'
import { CommandError, text, type Io } from './command.js'
import { schemeOptions } from './token-input.js'

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
      if (length > maxLength * 2 ** 20) throw new CommandError(`${name} is longer than ${maxLength} MiB`)
    }
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(`${name} cannot be read (${reasonOf(error)})`)
  }
  const bytes = Buffer.concat(chunks)
  let values = 0
  for (const byte of bytes) if (separators.has(byte)) values++
  if (values > maxValues) throw new CommandError(`${name} has more than ${maxValues} values or lines: pass a part of it`)
  // ASCII in UTF-16 has zeros in every other byte, and is UTF-8 without a byte order mark.
  const isUtf16 = /^(?:fffe|feff|00(?!00)..|(?!00)..00)/.test(bytes.toString('hex', 0, 2))
  if (isUtf16 || !isUtf8(bytes)) throw new CommandError(`${name} is not UTF-8 text${isUtf16 ? ', but UTF-16' : ''}`)
  return bytes.toString().replace(/^\ufeff/, '')
}

const flagOf = (field: string): string => field.replace(/[A-Z]+/g, capitals => `-${capitals.toLowerCase()}`)

/** Options with the fields of a request (specification 2.1), except the token. */
export const fieldOptions = Object.fromEntries(fieldNames.filter(field => field !== 'merchantToken')
  .map(field => [flagOf(field), text('TEXT', `the field ${field}`)])) as Record<'amount', ReturnType<typeof text>>

/** Options of a command that reads a request and uses its variant and token. */
export const inputOptions = {
  request: text('FILE', `the request: ${formsOfRequests};\n` +
    '- is standard input, which is also read without it, unless flags give the account\nnumber, sid and time stamp'),
  ...fieldOptions,
  ...schemeOptions
}

type Values = Readonly<Record<string, string | boolean | undefined>> & { readonly request?: string | undefined }

/** Returns the fields that flags give, as text. */
export const fieldsIn = (values: Readonly<Record<string, unknown>>): Record<string, string> => Object.fromEntries(
  fieldNames.flatMap(field => typeof values[flagOf(field)] === 'string' ? [[field, values[flagOf(field)] as string]] : []))

/** Reads the request from a file, or from standard input if the path is `-`. */
export const readRequest = async (path: string, io: Io, isOther = false): Promise<SignatureRequest> =>
  requestIn(await readText(path, io), nameOf(path), isOther) as SignatureRequest

/**
 * Returns the path of the request; undefined if flags describe it. Standard input is read for `-`, and for a pipe if
 * the flags lack a required field. Otherwise it is not: in a script's loop, standard input may belong to the loop, or
 * never end.
 */
function pathFrom (values: Values, { stdin }: Io): string | undefined {
  const { sid, clientTimeStamp, accountNumber, merchantAccountNumber = accountNumber, ...flags } = fieldsIn(values)
  const required = [sid, clientTimeStamp, merchantAccountNumber].filter(field => field !== undefined)
  const path = values.request ?? (required.length < 3 && !stdin.isTTY ? '-' : undefined)
  if (path === undefined && required.length === 0 && Object.keys(flags).length === 0) {
    throw new CommandError('no request: pass --request FILE or flags such as --amount, or pipe one in')
  }
  return path
}

/** Returns a request with the fields of the flags, which take precedence. */
function withFlags (request: object, values: Values): SignatureRequest {
  const flags = fieldsIn(values)
  // merchantAccountNumber takes precedence over accountNumber, but a flag takes precedence over the file.
  const { merchantAccountNumber: ofFile, ...others } = request as Partial<SignatureRequest>
  return { ...flags.accountNumber === undefined ? request : others, ...flags } as SignatureRequest
}

/**
 * Returns the request that the arguments describe.
 *
 * @throws CommandError there is no request, or the file cannot be read
 */
export async function requestFrom (values: Values, io: Io): Promise<SignatureRequest> {
  const path = pathFrom(values, io)
  return withFlags(path === undefined ? {} : await readRequest(path, io), values)
}

/**
 * Returns the requests with their signatures: the request of the arguments with `--signature`, or those of a file that
 * contains signatures too.
 *
 * @throws CommandError there is no request with a signature, or the file cannot be read
 */
export async function signedRequestsFrom (values: Values, io: Io): Promise<Signed[]> {
  if (typeof values.signature === 'string') {
    return [{ request: await requestFrom(values, io), signatures: [values.signature] }]
  }
  const path = pathFrom(values, io)
  const signed = signedRequestsIn(path === undefined ? '' : await readText(path, io))
  if (signed.length === 0) {
    const place = path === undefined ? '' : `: ${nameOf(path)} has no request with a signature beside it`
    throw new CommandError(`missing --signature SIGNATURE${place}`)
  }
  return signed.map(({ request, ...call }) => ({ request: withFlags(request, values), ...call }))
}
