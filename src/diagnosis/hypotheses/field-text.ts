import { toOptional } from '../../scheme/text.js'

/** The text of any field, also of one that the request does not sign: empty if it has none. */
export function fieldText (value: unknown): string {
  try {
    return toOptional(value)
  } catch {
    return ''
  }
}
