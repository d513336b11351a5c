import { scanJson } from './json-text.js'

/** An object or an array that has not ended yet. */
interface Open {
  /** The current key or index. */
  place: string | number
  readonly keys: Set<string>
}

/**
 * Returns the path of each duplicate key in a JSON text, such as `callers.1.operations`. JSON.parse keeps only the last
 * value of a duplicate key.
 *
 * @param text - a text that JSON.parse accepts
 */
export function duplicateKeys (text: string): string[] {
  const found: string[] = []
  const open: Open[] = []
  let string = ''
  scanJson(text, (character, start, end) => {
    const inner = open.at(-1) as Open // exists at each comma and each colon
    if (character === '"') string = text.slice(start, end + 1)
    else if (character === '{' || character === '[') open.push({ place: character === '[' ? 0 : '', keys: new Set() })
    else if (character === '}' || character === ']') open.pop()
    else if (character === ':') {
      const key: string = string.includes('\\') ? JSON.parse(string) : string.slice(1, -1) // "a" is also "\u0061"
      inner.place = key
      if (inner.keys.has(key)) found.push(open.map(({ place }) => place).join('.'))
      inner.keys.add(key)
    } else if (typeof inner.place === 'number') inner.place++
  })
  return found
}
