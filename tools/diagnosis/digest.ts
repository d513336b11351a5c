import { createHmac, getHashes, hash } from 'node:crypto'

/** The algorithms that there are here: a browser has fewer than Node.js. */
export const available: ReadonlySet<string> = new Set(getHashes())

/** The digest of a text in UTF-8, or of bytes, as lowercase hexadecimal digits. */
export const digestOf = (algorithm: string, data: string | Uint8Array): string => hash(algorithm, data, 'hex')

export const hmacOf = (algorithm: string, key: string, data: string | Uint8Array): string =>
  createHmac(algorithm, key).update(data).digest('hex')
