import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { ConfigurationError } from './environment.js'
import { variables } from './settings.js'

const names = new Set<string>(variables.map(({ name }) => name))

/** Returns the names of the service's variables whose unquoted value is cut at a `#` directly behind a character. */
const cutIn = (text: string): string[] => text.split('\n')
  .flatMap(line => /^\s*(?:export\s+)?(\w+)\s*=\s*(?!["'`])[^#]*[^\s#]#/.exec(line)?.[1] ?? [])
  .filter(name => names.has(name))

/**
 * Reads `.env` in the working directory, if it exists.
 *
 * @returns the variables, and a warning for each value that is cut, without the value: it may be a token
 * @throws ConfigurationError the file cannot be read, or is not UTF-8 text without a byte order mark
 */
export function readEnvFile (): { given: NodeJS.Dict<string>, warnings: string[] } {
  let bytes: Buffer
  try {
    bytes = readFileSync('.env')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { given: {}, warnings: [] }
    throw new ConfigurationError(`.env cannot be read: ${(error as Error).message}`)
  }
  if (bytes.includes(0)) throw new ConfigurationError('.env is UTF-16 text, as PowerShell writes it, or binary: save it as UTF-8')
  const text = bytes.toString()
  if (text.startsWith('\ufeff')) {
    throw new ConfigurationError('.env begins with a byte order mark, which hides its first variable: save it without')
  }
  const warnings = cutIn(text).map(name =>
    `.env: the value of ${name} ends before a "#", which begins a comment: put the value in single quotes`)
  return { given: parseEnv(text), warnings }
}
