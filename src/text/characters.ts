// DI: characters without a glyph, such as U+200B and U+00AD. Zs except U+0020: all other spaces.
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{DI}\p{Zl}\p{Zp}\u2800]|(?! )\p{Zs}/u

/** True for a character without a glyph, and for every space except U+0020. */
export const isInvisible = (character: string): boolean => invisible.test(character)

/** Returns the code point of a character in Unicode's notation, such as `U+00A0`. */
export const codePoint = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
