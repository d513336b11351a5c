import { isUtf8 } from 'node:buffer'
import { readFile, stat } from 'node:fs/promises'

/** A file that was to hold a token does not. The message completes the name of the setting: "… is PATH, which …". */
export class TokenFileError extends Error {
  override readonly name = 'TokenFileError'
}

/**
 * Returns the content of a file without one trailing newline. Spaces stay: they may belong to the token.
 *
 * @param flag - for opening the file
 * @throws TokenFileError the file cannot be read, is empty, or is not UTF-8
 */
export async function readTokenFile (path: string, flag?: number): Promise<string> {
  // Whoever mixed the settings up has put the token here.
  const isShown = /^\.{0,2}\//.test(path)
  const place = `is ${isShown ? `"${path}"` : 'a path without / or ./ before it'}`
  let bytes: Buffer
  try {
    bytes = await readFile(path, { flag })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new TokenFileError(isShown
      ? `${place}, which cannot be read (${code})`
      : `cannot be read (${code}): it must be the path of a file, such as ./token; what was given is not shown, ` +
        'since it may be the secret itself', { cause })
  }
  if (!isUtf8(bytes)) throw new TokenFileError(`${place}, which is not UTF-8 text`)
  const text = bytes.toString().replace(/\n$/, '')
  if (text === '') throw new TokenFileError(`${place}, which is empty`)
  return text
}

/** Whether every user of the machine may read a file; false if there is none. */
export async function isReadableByAll (path: string): Promise<boolean> {
  const mode = await stat(path).then(({ mode }) => mode, () => 0)
  return (mode & 0o004) !== 0
}
