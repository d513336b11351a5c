import { codePoint, isInvisible } from '../text/characters.js'
import { developmentToken } from './key-check-value.js'

/** Length below which every token can be guessed, in characters. */
const minCharacters = 16

/** Number of different characters that random text of {@link minCharacters} exceeds, even if it has only digits. */
const minDistinct = 6

const quoted = /^(["'`]).*\1$|^[“”„].*[“”]$|^[‘’‚].*[‘’]$|^«.*»$/su

const variable = /\$\{[^{}]*\}|\{\{[^{}]*\}\}|\$\([^()]*\)|^\$\w+$|^%\w+%$/u

const bracketed = /^(?:<.*>|\[.*\])$/su

/** Matches letters that form only words of examples, as in "your-merchant-token-here" and "Secret123!". */
const exampleWords = new RegExp(`^(?:${[
  'access', 'api', 'bar', 'change', 'default', 'demo', 'dev', 'development', 'dummy', 'example', 'fake',
  'fixme', 'foo', 'goes', 'here', 'in', 'insert', 'it', 'key', 'local', 'me', 'merchant', 'my', 'now', 'only', 'pass',
  'password', 'paste', 'payment', 'placeholder', 'please', 'prod', 'production', 'put', 'replace', 'sample', 'secret', 'set',
  'some', 'test', 'testing', 'the', 'this', 'to', 'todo', 'token', 'tbd', 'value', 'with', 'x', 'your'
].join('|')})+$`)

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '')

/**
 * Returns a predicate for each likely mistake in a token. A predicate completes "the merchant token …", and contains at
 * most the code point of an invisible character of the token.
 */
export function tokenWarnings (text: string): string[] {
  if (text === developmentToken) return [] // the service logs a warning of its own for it

  const characters = [...text]
  const edge = [...characters.slice(0, 1), ...characters.slice(-1)].find(character => character === ' ' || isInvisible(character))
  const inside = characters.slice(1, -1).find(isInvisible)
  const warnings: string[] = []
  if (quoted.test(text)) warnings.push('is in quotes, which are signed as part of it')
  if (edge !== undefined) {
    warnings.push(`begins or ends with ${codePoint(edge)}, white space or invisible, which is signed as part of it`)
  }
  if (inside !== undefined) warnings.push(`has an invisible or unusual character inside, ${codePoint(inside)}`)
  if (text.includes('\ufffd')) warnings.push('has U+FFFD inside, as text that was not UTF-8 gets it')
  if (variable.test(text)) warnings.push('looks like a variable that nobody has expanded')
  else if (bracketed.test(text) || exampleWords.test(lettersOf(text))) warnings.push('looks like a placeholder')
  if (characters.length < minCharacters) {
    warnings.push(`has fewer than ${minCharacters} characters, and can be guessed from a single signature`)
  }
  if (new Set(characters).size < minDistinct) {
    warnings.push(`has fewer than ${minDistinct} different characters, and can be guessed from a single signature`)
  }
  return warnings
}
