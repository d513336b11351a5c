/** An object or an array that has not ended yet. */
interface Open {
  /** The current key or index. */
  place: string | number
  readonly keys: Set<string>
}

/** True at the code of a structural character, and of the quote before a string. */
const isToken: readonly boolean[] = Array.from({ length: 128 }, (_, code) => '"{}[]:,'.includes(String.fromCharCode(code)))

/** Returns the index of the quote that ends a string. */
function endOfString (text: string, start: number): number {
  let end = start
  let escapes: number
  do {
    end = text.indexOf('"', end + 1)
    for (escapes = 0; text[end - escapes - 1] === '\\';) escapes++
  } while (escapes % 2 === 1)
  return end
}

/**
 * Searches like {@link firstDuplicate}, in slices. Yields undefined between two slices, and the path in the end.
 *
 * @param sliceLength - length of the text that is searched at a time
 */
export function * duplicatesIn (
  text: string, sliceLength: number, fields?: readonly string[]
): Generator<string | undefined> {
  const open: Open[] = []
  let [quote, endQuote] = [0, 0]
  let sliceEnd = sliceLength
  for (let at = 0; at < text.length; at++) {
    if (at >= sliceEnd) {
      yield undefined
      sliceEnd = at + sliceLength
    }
    if (isToken[text.charCodeAt(at)] !== true) continue
    const character = text[at]
    const inner = open.at(-1) as Open // exists at each comma and each colon
    if (character === '"') {
      quote = at
      at = endQuote = endOfString(text, at)
    } else if (character === '{' || character === '[') open.push({ place: character === '[' ? 0 : '', keys: new Set() })
    else if (character === '}' || character === ']') open.pop()
    else if (character === ':') {
      if (fields !== undefined && open.length > 1) continue
      const string = text.slice(quote, endQuote + 1)
      const key: string = string.includes('\\') ? JSON.parse(string) : string.slice(1, -1) // "a" is also "\u0061"
      inner.place = key
      if (inner.keys.has(key) && fields?.includes(key) !== false) return yield open.map(({ place }) => place).join('.')
      inner.keys.add(key)
    } else if (typeof inner.place === 'number') inner.place++
  }
}

/**
 * Returns the path of the first duplicate key in a JSON text, such as `callers.1.operations`, or undefined. JSON.parse
 * keeps only the last value of a duplicate key.
 *
 * Only one path is built: the paths of all duplicates together can be a thousand times as long as the text.
 *
 * @param text - a text that JSON.parse accepts
 * @param fields - looks only for these keys, in the outermost object. Default: all keys of all objects.
 */
export function firstDuplicate (text: string, fields?: readonly string[]): string | undefined {
  const [found] = duplicatesIn(text, text.length, fields)
  return found
}

/** True if a JSON text has more than `max` arrays, objects and commas: the time to parse it grows with their number. */
export function hasMoreValues (text: string, max: number): boolean {
  if (text.length <= max) return false
  let count = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === 0x22) isInString = !isInString // "
    else if (isInString) at += Number(character === 0x5c) // the character after \
    else if (character === 0x2c || character === 0x5b || character === 0x7b) count++ // , [ {
  }
  return count > max
}
