/** The characters of Windows-1252 for the bytes 0x80 to 0x9f. Node.js 20 decodes these bytes as Latin-1. */
const windows1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

const names = [
  'Windows-1256', 'ISO-8859-6', 'Windows-1250', 'Windows-1251', 'Windows-1253', 'Windows-1254', 'Windows-1255', 'Windows-1257', 'Windows-1258',
  'ISO-8859-2', 'ISO-8859-5', 'ISO-8859-7', 'ISO-8859-8', 'ISO-8859-15', 'KOI8-R', 'IBM866', 'macintosh'
]

const allBytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)

type Page = readonly [name: string, characters: string]

let pages: readonly Page[] | undefined

/** Returns the names of code pages with one byte for each character, and their characters in the order of the bytes. */
export function codePages (): readonly Page[] {
  if (pages !== undefined) return pages
  const latin1 = String.fromCharCode(...allBytes)
  pages = [
    ['Windows-1252', latin1.slice(0, 0x80) + windows1252 + latin1.slice(0xa0)],
    ...names.map((name): Page => [name, new TextDecoder(name).decode(allBytes)])
  ]
  return pages
}

/** Returns the text that a code page reads from bytes. */
export const fromPage = (bytes: string, page: string): string => bytes.replace(/[^]/g, byte => page.charAt(byte.charCodeAt(0)))

/** Returns the bytes of a text in a code page. A character that it lacks becomes ?. */
export const inPage = (text: string, page: string): string => text.replace(/[^\0-\x7f]/gu, character => {
  const byte = page.indexOf(character)
  return byte === -1 ? '?' : String.fromCharCode(byte)
})

/** True if a code page has all characters of a text. */
export const isInPage = (text: string, page: string): boolean => [...text].every(character => page.includes(character))
