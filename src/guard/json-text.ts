const quote = '"'.charCodeAt(0)
const backslash = '\\'.charCodeAt(0)

/** Index of the quote that ends a string, or the text's length. */
function endOfString (text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = text.indexOf('"', at)
    if (at === -1) return text.length
    let escapes = at
    while (text.charCodeAt(escapes - 1) === backslash) escapes--
    if ((at - escapes) % 2 === 0) return at
  }
}

/**
 * Visits the brackets, braces, commas and colons of a JSON text, and each string, which may be a key.
 *
 * @param visit - gets the character, a quote for a string, with the indexes of its first and last character; returns
 * true to stop
 */
export function scanJson (text: string, visit: (character: string, start: number, end: number) => boolean): void {
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote: {
        const end = endOfString(text, at)
        if (visit('"', at, end)) return
        at = end
        break
      }
      case 0x2c: case 0x3a: case 0x5b: case 0x5d: case 0x7b: case 0x7d:
        if (visit(text[at] as string, at, at)) return
    }
  }
}

/** True if a JSON text has more than `max` arrays, objects and commas. With these the time to parse a text grows. */
export function hasMoreValues (text: string, max: number): boolean {
  if (text.length <= max) return false
  let count = 0
  scanJson(text, character => {
    if (character === '[' || character === '{' || character === ',') count++
    return count > max
  })
  return count > max
}
