// DI are characters that are drawn as nothing, such as U+200B and U+00AD; Zs without U+0020 are the other spaces.
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{DI}\p{Zl}\p{Zp}\u2800]|(?! )\p{Zs}/u

/** Whether nobody would see a character, or take it for a plain space. */
export const isInvisible = (character: string): boolean => invisible.test(character)

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
