/** Error for a text in the wrong format. The message is one line without a secret. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError'
}

/** True for a text with which JSON can begin. */
function isBeginning (text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    const { message } = error as Error
    return message.startsWith('Unexpected end') || message.includes(`at position ${text.length}`)
  }
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
  } catch {
    let [good, bad] = [0, text.length + 1] // lengths; the message of V8 has a position for some faults only
    while (bad - good > 1) {
      const middle = (good + bad) >> 1
      if (isBeginning(text.slice(0, middle))) good = middle
      else bad = middle
    }
    const before = text.slice(0, good).split('\n')
    throw new UnreadableError(`${name} is not JSON: see line ${before.length}, column ${before.at(-1)!.length + 1}`)
  }
}

/** Returns the index of the quote that ends a string of a JSON text. */
function endOfString (text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text[end - escapes - 1] === '\\') escapes++
    if (escapes % 2 === 0) return end
  }
  return text.length
}

/**
 * Returns the first key that an object of a JSON text has twice, or undefined. JSON.parse keeps only the last value.
 *
 * @param text - a text that JSON.parse accepts
 * @param names - looks only for these keys, in the outermost object. Default: all keys of all objects.
 */
export function firstDuplicate (text: string, names?: readonly string[]): string | undefined {
  const open: Array<Set<string> | undefined> = [] // the keys of each object that has not ended
  let [start, end] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') {
      start = at
      at = end = endOfString(text, at)
    } else if (character === '{' || character === '[') open.push(undefined)
    else if (character === '}' || character === ']') open.pop()
    else if (character === ':' && (names === undefined || open.length === 1)) {
      const quoted = text.slice(start, end + 1)
      const key: string = quoted.includes('\\') ? JSON.parse(quoted) : quoted.slice(1, -1) // "a" is also "\u0061"
      const keys = open[open.length - 1] ??= new Set()
      if (keys.has(key) && names?.includes(key) !== false) return key
      keys.add(key)
    }
  }
  return undefined
}

/** True for a text that is JSON. */
export function isJson (text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
