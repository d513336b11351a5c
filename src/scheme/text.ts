import { SigningError } from './errors.js'

/** True for a field that counts as absent: undefined, null or an empty text. */
export const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ''

/** Depth limit of arrays. The conversion of deeper arrays overflows the stack. Real requests have no arrays. */
const maxDepth = 100

function isDeeper (value: unknown, levels: number): boolean {
  if (!Array.isArray(value)) return false
  if (levels === 0) return true
  for (const item of value) if (isDeeper(item, levels - 1)) return true
  return false
}

/**
 * Converts a value of a decoded JSON body to text, like JavaScript's `String` (specification 4.1, step 1, and 4.3). The
 * number `100.00` becomes `100`.
 *
 * @throws SigningError `ERR_NOT_TEXT`: the value cannot be converted, or has arrays nested more than 100 levels deep
 */
export function toText (value: unknown): string {
  if (typeof value === 'string') return value
  if (isDeeper(value, maxDepth)) throw new SigningError('ERR_NOT_TEXT', `a value is nested more than ${maxDepth} levels deep`)
  try {
    return String(value)
  } catch (cause) {
    throw new SigningError('ERR_NOT_TEXT', (cause as Error).message, { cause })
  }
}

/**
 * Converts a value to text. Returns an empty text for an absent or null value, or one whose text is `undefined`
 * or `null` (specification 4.3, "toOptional").
 *
 * @throws SigningError `ERR_NOT_TEXT`
 */
export function toOptional (value: unknown): string {
  const text = toText(value ?? '')
  return text === 'undefined' || text === 'null' ? '' : text
}

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
