/** The characters of Windows-1252 for the bytes 0x80 to 0x9f. Node.js 20 decodes these bytes as Latin-1. */
const windows1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

const allBytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)

type Page = readonly [name: string, characters: string]

const latin1 = String.fromCharCode(...allBytes)

/** Code pages with one byte for each character: their names, and their characters in the order of the bytes. */
export const codePages: readonly Page[] = [
  ['Windows-1252', latin1.slice(0, 0x80) + windows1252 + latin1.slice(0xa0)],
  ...['Windows-1256', 'ISO-8859-6'].map((name): Page => [name, new TextDecoder(name).decode(allBytes)])
]

/** Returns the text that a code page reads from bytes. */
export const fromPage = (bytes: string, page: string): string => bytes.replace(/[^]/g, byte => page.charAt(byte.charCodeAt(0)))

/** Returns the bytes of a text in a code page. A character that it lacks becomes ?. */
export const inPage = (text: string, page: string): string => text.replace(/[^\0-\x7f]/gu, character => {
  const byte = page.indexOf(character)
  return byte === -1 ? '?' : String.fromCharCode(byte)
})

/** True if a code page has all characters of a text. */
export const isInPage = (text: string, page: string): boolean => [...text].every(character => page.includes(character))
