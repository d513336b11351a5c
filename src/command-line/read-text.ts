import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { CommandError, type Io } from './command.js'

/** What a path is called in a message; `-` is standard input. */
export const nameOf = (path: string): string => path === '-' ? 'standard input' : path

async function bytesOf (path: string, { stdin }: Io): Promise<Buffer> {
  if (path !== '-') return readFile(path)
  const chunks: Buffer[] = []
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

/**
 * A text file, or standard input if the path is `-`, without a byte order mark.
 *
 * @throws CommandError it cannot be read, or is not UTF-8
 */
export async function readText (path: string, io: Io): Promise<string> {
  const name = nameOf(path)
  let bytes: Buffer
  try {
    bytes = await bytesOf(path, io)
  } catch (error) {
    throw new CommandError(`${name} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
  if (!isUtf8(bytes)) throw new CommandError(`${name} is not UTF-8 text`)
  return bytes.toString().replace(/^\ufeff/, '')
}
