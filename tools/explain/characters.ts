import { codePoint, isInvisible } from '../../src/text/characters.js'

/** Returns a text for a terminal, with `\u{…}` for each invisible character: terminals execute control characters. */
export const visible = (text: string): string =>
  [...text].map(character => isInvisible(character) ? `\\u{${character.codePointAt(0)!.toString(16)}}` : character).join('')

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
