import { SigningError } from './errors.js'

/** Whether a field counts as left out: absent, null or an empty text. */
export const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ''

/** At some depth a conversion overflows the stack. Values of real requests have no arrays. */
const maxDepth = 100

function isDeeper (value: unknown, levels: number): boolean {
  if (!Array.isArray(value)) return false
  if (levels === 0) return true
  for (const item of value) if (isDeeper(item, levels - 1)) return true
  return false
}

/**
 * A value of a decoded JSON body as text: what JavaScript's `String` makes of it (specification 4.1 step 1, and 4.3).
 * `100.00` sent as a number becomes `100`.
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
 * An absent or null value, and a value whose text is empty, `undefined` or `null`, gives an empty text; anything else
 * its text (specification 4.3, "toOptional").
 *
 * @throws SigningError `ERR_NOT_TEXT`
 */
export function toOptional (value: unknown): string {
  const text = toText(value ?? '')
  return text === 'undefined' || text === 'null' ? '' : text
}
// DI are characters that are drawn as nothing, such as U+200B and U+00AD; Zs without U+0020 are the other spaces.
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{DI}\p{Zl}\p{Zp}\u2800]|(?! )\p{Zs}/u

/** True for a character that is drawn as nothing, and for every space but U+0020. */
export const isInvisible = (character: string): boolean => invisible.test(character)

const escapeOf = (character: string): string => `\\u{${character.codePointAt(0)!.toString(16)}}`

/** Returns a text for a terminal, with `\u{…}` for each invisible character: control characters are commands there. */
export const visible = (text: string): string =>
  [...text].map(character => isInvisible(character) ? escapeOf(character) : character).join('')

/** A character's code point as Unicode writes it: `U+00A0`. */
export const codePoint = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`

/**
 * A text in quotes, as JSON has it, with everything that nobody would see, that looks like part of the character before
 * it, or that a terminal would act on, as an escape.
 */
export function quote (text: string): string {
  const characters = [...JSON.stringify(text)]
  return characters.map(character =>
    isInvisible(character) || /\p{M}/u.test(character) ? `\\u{${codePoint(character).slice(2)}}` : character).join('')
}
