import { SigningError } from './errors.js'

/** Whether a field counts as left out: absent, null or an empty text. */
export const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ''

/** Each level makes String() slower, and at some depth it overflows the stack; nothing real nests at all. */
const maxDepth = 100

function isDeeper (value: unknown, levels: number): boolean {
  return Array.isArray(value) && (levels === 0 || value.some(item => isDeeper(item, levels - 1)))
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
