import { createHmac, getHashes, hash } from 'node:crypto'

/** Names of the available algorithms. A browser has fewer than Node.js. */
export const available: ReadonlySet<string> = new Set(getHashes())

const encoder = new TextEncoder()

/** Returns a text that {@link digestOf} hashes as these bytes: bytes from 0x80 on are lone surrogates. */
export const asBytes = (bytes: string): string =>
  bytes.replace(/[\x80-\xff]/g, byte => String.fromCharCode(0xdc00 + byte.charCodeAt(0)))

const withBytes = (text: string): Uint8Array => Uint8Array.from(text.split(/([\udc80-\udcff])/).flatMap((piece, index) =>
  index % 2 === 1 ? [piece.charCodeAt(0) & 0xff] : [...encoder.encode(piece)]))

/** Returns the digest of a text in UTF-8, or of bytes, in lowercase hexadecimal digits. */
export const digestOf = (algorithm: string, data: string | Uint8Array): string =>
  hash(algorithm, typeof data === 'string' && !data.isWellFormed() ? withBytes(data) : data, 'hex')

export const hmacOf = (algorithm: string, key: string, data: string | Uint8Array): string =>
  createHmac(algorithm, key).update(data).digest('hex')
