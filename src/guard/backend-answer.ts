import { duplicateKeys } from './duplicate-keys.js'

const yesWords = new Set(['true', 'yes', 'allow', 'allowed', 'ok', 'created', 'accepted', '1'])
const noWords = new Set(['false', 'no', 'deny', 'denied', '0'])

/** Members of a JSON object whose value is a verdict. Case-insensitive, like all names here. */
const verdicts = new Set(['allow', 'allowed', 'authorized', 'approved', 'permitted', 'decision', 'ok', 'success', 'result'])

/** Members that refuse, unless {@link isNone} is true for their value. */
const objections = new Set(['error', 'errors', 'deny', 'denied'])

/** Members that may contain the verdict. */
const wrappers = new Set(['data', 'result'])

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns true for a word for yes, false for a word for no, and undefined for any other value. */
function readWord (value: unknown): boolean | undefined {
  const word = typeof value === 'object' ? '' : String(value).trim().toLowerCase()
  return yesWords.has(word) ? true : noWords.has(word) ? false : undefined
}

const isNone = (value: unknown): boolean =>
  value === null || value === false || value === '' || (Array.isArray(value) && value.length === 0)

/** Returns one entry for each verdict and objection in a JSON value. A loop, as recursion could exhaust the stack. */
function readVerdicts (value: unknown): Array<boolean | undefined> {
  if (!isObject(value)) return [readWord(value)]
  const found: Array<boolean | undefined> = []
  const objects: object[] = [value]
  for (const object of objects) {
    for (const [key, member] of Object.entries(object)) {
      const name = key.toLowerCase()
      if (wrappers.has(name) && isObject(member)) objects.push(member)
      else if (verdicts.has(name)) found.push(readWord(member))
      else if (objections.has(name) && !isNone(member)) found.push(false)
    }
  }
  return found
}

/** Returns the value of a JSON text, or the text itself if it is not JSON. A byte order mark is ignored. */
function parse (text: string): unknown {
  try {
    return JSON.parse(text.trim())
  } catch {
    return text
  }
}

/**
 * Reads the body of a 200 response of the merchant's backend by the rule in `docs/authorization.md`. The
 * `Content-Type` does not matter, because some backends send JSON as text/html.
 *
 * @returns true for a yes, false for a no, otherwise a description of the body for the log
 */
export function verdictIn (text: string): boolean | string {
  const value = parse(text)
  if (isObject(value) && duplicateKeys(text).length > 0) return 'a body with duplicate keys'
  const found = readVerdicts(value)
  const [isYes, isNo] = [found.includes(true), found.includes(false)]
  if (isYes && isNo) return 'a body that says both yes and no'
  if (isNo) return false
  return (isYes && !found.includes(undefined)) || 'a body that says neither yes nor no'
}

/** Returns the text for the client, or a default if the `error` of a refusal is not a text. */
export const refusalText = (error: unknown): string =>
  typeof error === 'string' && error !== '' ? error : 'Refused by the merchant'

/** Returns the text for the client that the body of a refusal contains. */
export const refusalIn = (text: string): string => refusalText(((parse(text) ?? {}) as { error?: unknown }).error)
