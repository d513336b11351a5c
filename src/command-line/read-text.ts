import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { CommandError, type Io } from './command.js'

/** Name of a path for messages. `-` is standard input. */
export const nameOf = (path: string): string => path === '-' ? 'standard input' : path

/**
 * Returns the text of a file, or of standard input if the path is `-`, without a byte order mark.
 *
 * @throws CommandError the file cannot be read, or is not UTF-8
 */
export async function readText (path: string, io: Io): Promise<string> {
  const name = nameOf(path)
  let bytes: Buffer
  try {
    bytes = path === '-' ? await buffer(io.stdin) : await readFile(path)
  } catch (error) {
    throw new CommandError(`${name} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
  if (!isUtf8(bytes)) throw new CommandError(`${name} is not UTF-8 text`)
  return bytes.toString().replace(/^\ufeff/, '')
}
