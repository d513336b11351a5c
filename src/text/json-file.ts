import { readFile, stat } from 'node:fs/promises'

/** Size limit of a file, in bytes: 10,000 merchants are 2 MB. */
const maxSize = 8 * 2 ** 20

/**
 * Reads a JSON file in UTF-8. The error for another format contains nothing of the file, which may be a secret.
 *
 * @param flag - flag with which the file is opened
 */
export async function readJsonFile (path: string, flag?: number): Promise<{ text: string, value: unknown }> {
  if ((await stat(path)).size > maxSize) throw new UnreadableError(`the file is larger than ${maxSize} bytes`)
  const text = (await readFile(path, { encoding: 'utf8', flag })).replace(/^\ufeff/, '') // some editors write a byte order mark
  return { text, value: parseJson(text, 'the file') }
}

/** Error for a text in the wrong format. The message is one line without a secret. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError'
}

/**
 * Parses JSON. The error contains the position, and nothing of the text, which may contain a token.
 *
 * @param name - name of the text, for the message
 *
 * @throws UnreadableError
 */
export function parseJson (text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const [, position] = /at position (\d+)/.exec((error as Error).message) ?? []
    if (position === undefined) throw new UnreadableError(`${name} is not JSON`)
    const before = text.slice(0, Number(position)).split('\n')
    throw new UnreadableError(`${name} is not JSON: see line ${before.length}, column ${before.at(-1)!.length + 1}`)
  }
}

export function isJson (text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
