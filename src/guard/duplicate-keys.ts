import { scanJson } from './json-text.js'

/** An object or an array that has not ended yet. */
interface Open {
  /** The current key or index. */
  place: string | number
  readonly keys: Set<string>
}

/**
 * Searches like {@link firstDuplicate}, in slices. Yields undefined after each slice, and in the end the path.
 *
 * @param sliceLength - length of the text that is searched at a time
 */
export function * duplicatesIn (
  text: string, sliceLength: number, fields?: readonly string[]
): Generator<string | undefined> {
  const open: Open[] = []
  let string = ''
  let found: string | undefined
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
  for (let at = 0; at < text.length && found === undefined;) {
    at = scanJson(text, visit, at, at + sliceLength)
    yield found
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
