// DI: characters without a glyph, such as U+200B and U+00AD. Zs except U+0020: all other spaces.
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{DI}\p{Zl}\p{Zp}\u2800]|(?! )\p{Zs}/u

/** True for a character without a glyph, and for every space except U+0020. */
export const isInvisible = (character: string): boolean => invisible.test(character)

/** Returns a text for a terminal, with `\u{…}` for each invisible character: terminals execute control characters. */
export const visible = (text: string): string =>
  [...text].map(character => isInvisible(character) ? `\\u{${character.codePointAt(0)!.toString(16)}}` : character).join('')

/** Returns the code point of a character in Unicode's notation, such as `U+00A0`. */
export const codePoint = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`

/**
 * Returns a text in quotes, as in JSON. Escapes invisible characters, combining marks, and control characters, which a
 * terminal would execute.
 */
export function quote (text: string): string {
  const characters = [...JSON.stringify(text)]
  return characters.map(character =>
    isInvisible(character) || /\p{M}/u.test(character) ? `\\u{${codePoint(character).slice(2)}}` : character).join('')
}

/** Returns a value as one line of JSON: null for undefined, and escapes for invisible characters. */
export function json (value: unknown): string {
  const text = JSON.stringify(value, (_key, member) => member === undefined ? null : member)
  const escaped = [...text].map(character => isInvisible(character)
    ? character.split('').map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
    : character)
  return `${escaped.join('')}\n`
}

/** Returns the first of some texts and the number of the others, such as `shop-1 and 2 more`. */
export const andMore = ([first, ...others]: readonly string[]): string =>
  `${first}${others.length === 0 ? '' : ` and ${others.length} more`}`
