import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import type { SignatureRequest } from '../../src/scheme/request.js'
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
  throw new CommandError('no request: pass --request FILE, or fields such as amount=100.00, or pipe one in')
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
    throw new CommandError(`missing --signature SIGNATURE${place}`)
  }
  return signed.map(({ request, ...call }) => ({ request: withFields(request, given.fields), ...call }))
}
