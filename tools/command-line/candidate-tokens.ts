import { parseJson } from '../../src/command-line/parse-json.js'
import { CommandError } from '../../src/command-line/command.js'

/**
 * Tokens by name: a JSON object, or lines of NAME=TOKEN, where empty lines and those that begin with # do not count.
 *
 * @throws CommandError a line or member is something else; the message holds nothing of it
 * @throws UnreadableError it begins as JSON, and is none
 */
export function candidateTokens (text: string, name: string): Record<string, string> {
  if (!text.trimStart().startsWith('{')) {
    return Object.fromEntries(text.split(/\r?\n/).flatMap((line, index) => {
      if (line === '' || line.startsWith('#')) return []
      const [, key, token] = /^([^=]+)=(.+)$/s.exec(line) ?? []
      if (key === undefined || token === undefined) throw new CommandError(`${name}: line ${index + 1} is not NAME=TOKEN`)
      return [[key, token]]
    }))
  }
  const tokens = Object.entries(parseJson(text, name) as object)
  const fault = tokens.findIndex(([, token]) => typeof token !== 'string' || token === '')
  if (fault !== -1) throw new CommandError(`${name}: member ${fault + 1} must be a non-empty string`)
  return Object.fromEntries(tokens)
}
