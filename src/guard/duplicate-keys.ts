/** In JSON only a key has a colon after it; what else a text holds between these tokens is of no interest here. */
const token = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{[}\],]/g

/** An object or an array that has not ended yet. */
interface Open {
  /** The key or the index of what comes in it. */
  place: string | number
  readonly keys: Set<string>
}

/**
 * The keys that an object of a JSON text has twice, each with its place: `callers.1.operations`. JSON.parse takes the
 * last of them without a word.
 *
 * @param text - what JSON.parse accepts
 */
export function duplicateKeys (text: string): string[] {
  const found: string[] = []
  const open: Open[] = []
  for (const [all, string = '', colon] of text.matchAll(token)) {
    const inner = open.at(-1) as Open // there is one around each comma and each key
    if (all === '{' || all === '[') open.push({ place: all === '[' ? 0 : '', keys: new Set() })
    else if (all === '}' || all === ']') open.pop()
    else if (all === ',' && typeof inner.place === 'number') inner.place++
    else if (colon !== undefined) {
      const key = JSON.parse(string) as string // "a" and "\u0061" are one
      inner.place = key
      if (inner.keys.has(key)) found.push(open.map(({ place }) => place).join('.'))
      inner.keys.add(key)
    }
  }
  return found
}
