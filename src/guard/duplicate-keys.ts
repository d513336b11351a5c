import type { Pause } from '../text/slices.js'
import { scanJson } from './json-text.js'

/** Length of text that is searched without a pause, in UTF-16 code units. It takes a millisecond. */
const sliceLength = 65_536

/** An object or an array that has not ended yet. */
interface Open {
  /** The current key or index. */
  place: string | number
  readonly keys: Set<string>
}

/**
 * Returns a function that continues a search for duplicate keys up to an index of the text. The function returns the
 * path of the first duplicate key, or undefined if it has found none yet.
 */
function searchIn (text: string, fields?: readonly string[]): (until: number) => string | undefined {
  const open: Open[] = []
  let string = ''
  let found: string | undefined
  let at = 0
  function visit (character: string, start: number, end: number): boolean {
    const inner = open.at(-1) as Open // exists at each comma and each colon
    if (character === '"') string = text.slice(start, end + 1)
    else if (character === '{' || character === '[') open.push({ place: character === '[' ? 0 : '', keys: new Set() })
    else if (character === '}' || character === ']') open.pop()
    else if (character === ':') {
      const key: string = string.includes('\\') ? JSON.parse(string) : string.slice(1, -1) // "a" is also "\u0061"
      inner.place = key
      const isSought = fields === undefined || (open.length === 1 && fields.includes(key))
      if (isSought && inner.keys.has(key)) found = open.map(({ place }) => place).join('.')
      inner.keys.add(key)
    } else if (typeof inner.place === 'number') inner.place++
    return found === undefined
  }
  return until => {
    at = scanJson(text, visit, at, until)
    return found
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
  return searchIn(text, fields)(text.length)
}

/**
 * Like {@link firstDuplicate}, for a long text.
 *
 * @param pause - awaited often
 */
export async function firstDuplicateInSlices (text: string, pause: Pause): Promise<string | undefined> {
  const search = searchIn(text)
  let found: string | undefined
  for (let at = 0; at < text.length && found === undefined; at += sliceLength) {
    found = search(at + sliceLength)
    await pause()
  }
  return found
}
