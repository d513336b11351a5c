/** Returns the index of the quote that ends a string. */
function endOfString (text: string, start: number): number {
  let end = start
  let escapes = 0
  do {
    end = text.indexOf('"', end + 1)
    for (escapes = 0; text[end - escapes - 1] === '\\';) escapes++
  } while (escapes % 2 === 1)
  return end
}

/** True at the code of a structural character, and of the quote before a string. */
const isToken: readonly boolean[] = Array.from({ length: 128 }, (_, code) => '"{}[]:,'.includes(String.fromCharCode(code)))

/**
 * Visits the brackets, braces, commas, colons and strings of a JSON text.
 *
 * @param text - a text that JSON.parse accepts
 * @param visit - called with a character, or the first quote of a string, its index, and the index of the last quote;
 * the scan ends if it returns false
 * @param from - index at which the scan begins, outside of a string
 * @param until - index at which the scan ends, or after the string there
 * @returns the index at which the scan continues
 */
export function scanJson (
  text: string, visit: (character: string, start: number, end: number) => boolean, from = 0, until = text.length
): number {
  let at = from
  for (; at < until; at++) {
    if (isToken[text.charCodeAt(at)] !== true) continue
    const character = text[at] as string
    const start = at
    if (character === '"') at = endOfString(text, at)
    if (!visit(character, start, at)) return text.length
  }
  return at
}

/**
 * True if a JSON text has more than `max` arrays, objects and commas. The time to parse a text grows with their number.
 *
 * {@link scanJson} would take several times as long for a text of short strings or of escaped quotes.
 */
export function hasMoreValues (text: string, max: number): boolean {
  if (text.length <= max) return false
  let count = 0
  let isInString = false
  for (let at = 0; at < text.length && count <= max; at++) {
    const character = text.charCodeAt(at)
    if (character === 0x22) isInString = !isInString // "
    else if (isInString) at += Number(character === 0x5c) // the character after \
    else if (character === 0x2c || character === 0x5b || character === 0x7b) count++ // , [ {
  }
  return count > max
}

/** Returns the number of keys in the outermost object of a text that JSON.parse accepts, duplicates included. */
export function keyCount (text: string): number {
  let depth = 0
  let count = 0
  scanJson(text, character => {
    if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') depth--
    else if (character === ':' && depth === 1) count++
    return true
  })
  return count
}
