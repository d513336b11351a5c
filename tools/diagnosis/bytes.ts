import { createHmac, getHashes, hash } from 'node:crypto'

// Bytes are binary strings, as in atob and btoa: browsers run this file too, and have no Buffer.

/** Returns the bytes of a text in base64 or base64url. Returns undefined for other texts. */
export function fromBase64 (text: string): string | undefined {
  const digits = text.replace(/={1,2}$/, '')
  if (!/^[A-Za-z0-9+/_-]{4,}$/.test(digits) || digits.length % 4 === 1) return undefined
  return atob(digits.replaceAll('-', '+').replaceAll('_', '/'))
}

const encoder = new TextEncoder()

/** Returns the UTF-8 bytes of a text. */
export const utf8 = (text: string): string => Array.from(encoder.encode(text), byte => String.fromCharCode(byte)).join('')

export const toHex = (bytes: string): string =>
  Array.from(bytes, byte => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')

export const fromHex = (digits: string): string =>
  digits.replace(/../g, pair => String.fromCharCode(Number.parseInt(pair, 16)))

/** Names of the available algorithms. A browser has fewer than Node.js. */
export const available: ReadonlySet<string> = new Set(getHashes())

/** Returns a text that {@link digestOf} hashes as these bytes: bytes from 0x80 on are lone surrogates. */
export const asBytes = (bytes: string): string =>
  bytes.replace(/[\x80-\xff]/g, byte => String.fromCharCode(0xdc00 + byte.charCodeAt(0)))

const withBytes = (text: string): Uint8Array => Uint8Array.from(text.split(/([\udc80-\udcff])/).flatMap((piece, index) =>
  index % 2 === 1 ? [piece.charCodeAt(0) & 0xff] : [...encoder.encode(piece)]))

const dataOf = (data: string | Uint8Array): string | Uint8Array =>
  typeof data === 'string' && !data.isWellFormed() ? withBytes(data) : data

/** Returns the digest of a text in UTF-8, or of bytes, in lowercase hexadecimal digits. */
export const digestOf = (algorithm: string, data: string | Uint8Array): string => hash(algorithm, dataOf(data), 'hex')

export const hmacOf = (algorithm: string, key: string, data: string): string =>
  createHmac(algorithm, dataOf(key)).update(dataOf(data)).digest('hex')

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Returns the text of UTF-8 bytes. */
export const fromUtf8 = (bytes: string): string => decoder.decode(Uint8Array.from(bytes, byte => byte.charCodeAt(0)))

/** Returns a text in HTML. Apostrophes stay: languages escape them differently. */
export const escapedHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** The characters of Windows-1252 for the bytes 0x80 to 0x9f. Node.js 20 decodes these bytes as Latin-1. */
const windows1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'
const allBytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
const latin1 = String.fromCharCode(...allBytes)

/** Code pages with one byte for each character: their names, and their characters in the order of the bytes. */
export const codePages: ReadonlyArray<readonly [name: string, characters: string]> = [
  ['Latin-1', latin1], ['Windows-1252', latin1.slice(0, 0x80) + windows1252 + latin1.slice(0xa0)],
  ...['Windows-1256', 'ISO-8859-6'].map(name => [name, new TextDecoder(name).decode(allBytes)] as const)
]

/** Returns the text that a code page reads from bytes. */
export const fromPage = (bytes: string, page: string): string =>
  bytes.replace(/[^]/g, byte => page.charAt(byte.charCodeAt(0)))

/** Returns the bytes of a text in a code page. A character that it lacks becomes ?. */
export const inPage = (text: string, page: string): string => text.replace(/[^\0-\x7f]/gu, character => {
  const byte = page.indexOf(character)
  return byte === -1 ? '?' : String.fromCharCode(byte)
})

/** True if a code page has all characters of a text. */
export const isInPage = (text: string, page: string): boolean => [...text].every(character => page.includes(character))
