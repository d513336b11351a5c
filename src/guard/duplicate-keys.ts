import { scanJson } from './json-text.js'

/** An object or an array that has not ended yet. */
interface Open {
  /** The current key or index. */
  place: string | number
  readonly keys: Set<string>
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
  const open: Open[] = []
  let string = ''
  let found: string | undefined
  scanJson(text, (character, start, end) => {
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
  })
  return found
}
