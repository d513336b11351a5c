import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ConfigurationError } from '../settings/environment.js'
import { UnreadableError } from '../text/json.js'
import { readTextFile, reasonOf } from '../text/read-file.js'

/** Length limit of a token file, in bytes. */
const maxLength = 65_536

const isPath = (text: string): boolean => /^\.{0,2}\//.test(text)

/** Returns a path for a message. Any other text is not shown: it may be the token, if a user confuses the settings. */
export const shownPath = (path: string): string => isPath(path) ? `"${path}"` : 'a path that is not shown (it has no / or ./ before it)'

/** Returns the reason why a file cannot be read, for a message. */
function faultOf (cause: NodeJS.ErrnoException, path: string): string {
  if (cause instanceof UnreadableError) return `which cannot be used: ${cause.message}`
  if (cause.code === 'EISDIR') {
    return 'which is a folder; Docker makes one if the mounted file does not exist on the host: create the file, ' +
      'remove the folder, start again'
  }
  if (isPath(path)) return `which cannot be read (${reasonOf(cause)})`
  return `which cannot be read (${reasonOf(cause)}): it must be the path of a file, such as ./token; what was given is not shown, ` +
    'since it may be the secret itself'
}

/**
 * Returns the content of a file with a token or an API key, without one trailing newline. Keeps spaces: they may belong
 * to the token.
 *
 * @param setting - name of the option or variable that has the path, for the message
 * @param folder - folder that the path is relative to. Default: the working directory.
 * @throws ConfigurationError `ERR_TOKEN`: the path is empty; the file cannot be read, is empty, too long or not UTF-8
 */
export async function readTokenFile (path: string, setting: string, folder = '', mayBePipe = false): Promise<string> {
  if (path === '') throw new ConfigurationError(`${setting} is empty: it must be the path of a file, such as ./token`, 'ERR_TOKEN')
  const place = `${setting} is ${shownPath(path)}`
  const text = await readTextFile(resolve(folder, path), maxLength, mayBePipe).then(content => content.replace(/\n$/, ''), cause => {
    throw new ConfigurationError(`${place}, ${faultOf(cause, path)}`, 'ERR_TOKEN', { cause })
  })
  if (text === '') throw new ConfigurationError(`${place}, which is empty`, 'ERR_TOKEN')
  return text
}

/** Returns true if every user of the machine may read a file; false if the file does not exist. */
export async function isReadableByAll (path: string): Promise<boolean> {
  const mode = await stat(path).then(stats => stats.mode, () => 0)
  return (mode & 0o004) !== 0
}
