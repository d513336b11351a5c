import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { CommandError, type Io } from '../../src/command-line/command.js'

/** Returns the name of a path for messages. The path `-` is standard input. Content in place of a path is not shown. */
export function nameOf (path: string): string {
  if (path === '') return 'the file with an empty name'
  if (/[={]/.test(path)) return 'the file, whose name is not shown (pass the path of a file)'
  return path === '-' ? 'standard input' : path
}

/** Length limit of an input, in mebibytes. */
const maxLength = 8

/** Limit of the commas, brackets, braces and lines of an input: the time and memory of a command grow with them. */
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
    throw new CommandError(`${name} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
  const bytes = Buffer.concat(chunks)
  let values = 0
  for (const byte of bytes) if (separators.has(byte)) values++
  if (values > maxValues) throw new CommandError(`${name} has more than ${maxValues} values or lines: pass a part of it`)
  // ASCII in UTF-16 has zeros in every other byte, and is UTF-8 without a byte order mark.
  if (/^(?:fffe|feff|00(?!00)..|(?!00)..00)/.test(bytes.toString('hex', 0, 2))) throw new CommandError(`${name} is UTF-16 text: convert it to UTF-8`)
  if (!isUtf8(bytes)) throw new CommandError(`${name} is not UTF-8 text`)
  return bytes.toString().replace(/^\ufeff/, '')
}
