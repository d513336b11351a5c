import { readFile } from 'node:fs/promises'
import { parseJson } from './parse-json.js'

/**
 * Reads a JSON file in UTF-8. The error for another format contains nothing of the file, which may be a secret.
 *
 * @param flag - flag with which the file is opened
 */
export async function readJsonFile (path: string, flag?: number): Promise<{ text: string, value: unknown }> {
  const text = (await readFile(path, { encoding: 'utf8', flag })).replace(/^\ufeff/, '') // some editors write a byte order mark
  return { text, value: parseJson(text, 'the file') }
}
