import { isUtf8 } from 'node:buffer'
import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { firstDuplicate, parseJson, UnreadableError } from './json.js'

/** Returns the code of an error of the file system, for EACCES with the remedy; the message of another error. */
export function reasonOf (error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return code === 'EACCES' ? `EACCES: chown or chmod the file or its folder for user ID ${process.geteuid?.()}` : code ?? message
}

/** Length limit of a JSON file, in bytes: 10,000 merchants are 2 MB. */
const maxJsonLength = 8 * 2 ** 20

/** Returns the bytes of a file. The parameters and errors are those of {@link readTextFile}. */
async function readBytes (path: string, maxLength: number, mayBePipe: boolean): Promise<Buffer> {
  const stats = await stat(path)
  const isPipe = !stats.isFile() && !stats.isDirectory() // the reading of a folder fails
  if (isPipe && !mayBePipe) throw new UnreadableError('it is a pipe or a device: use a regular file')
  const file = await open(path, mayBePipe ? 'r' : constants.O_NONBLOCK) // it may be a pipe by now
  const bytes = await buffer(file.createReadStream({ end: maxLength, highWaterMark: 2 ** 20 }))
  if (bytes.length > maxLength) throw new UnreadableError(`the file is longer than ${maxLength} bytes`)
  return bytes
}

function textOf (bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new UnreadableError('the file is not UTF-8 text')
  return bytes.toString()
}

/**
 * Returns the text of a file in UTF-8.
 *
 * @param mayBePipe - true for a command, whose shell may pass a pipe: `<(…)`. The service would wait for its writer.
 * @throws UnreadableError, or the error of the file system
 */
export async function readTextFile (path: string, maxLength: number, mayBePipe = false): Promise<string> {
  return textOf(await readBytes(path, maxLength, mayBePipe))
}

/**
 * Reads a JSON file in UTF-8, whose objects have each key once. The error for another format contains no value of the
 * file, which may be a secret.
 *
 * @param before - the bytes in use. A file with these bytes is not parsed: that stops the event loop.
 * @returns undefined for the bytes in use
 * @throws UnreadableError, or the error of the file system
 */
export async function readJsonFile (path: string, before?: Buffer, mayBePipe = false):
Promise<{ bytes: Buffer, value: unknown } | undefined> {
  const bytes = await readBytes(path, maxJsonLength, mayBePipe)
  if (before?.equals(bytes)) return undefined
  const text = textOf(bytes).replace(/^\ufeff/, '') // some editors write a byte order mark
  const value = parseJson(text, 'the file')
  const duplicate = firstDuplicate(text)
  if (duplicate !== undefined) throw new UnreadableError(`an object of the file has ${JSON.stringify(duplicate.slice(0, 40))} twice`)
  return { bytes, value }
}
