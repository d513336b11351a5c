import { createHmac, hash } from 'node:crypto'

/** How a list of terms becomes a digest. */
export interface Computation {
  readonly separator: string
  /** Whether empty terms count when a separator stands between them. */
  readonly skipsEmpty: boolean
  readonly encoding: 'utf8' | 'utf16le' | 'latin1'
  /** Hashed once, or its hexadecimal digits once more. */
  readonly twice: boolean
  /** The key of an HMAC; a plain hash without. */
  readonly key: string | undefined
  /** Whether the token stays in the text; an HMAC may have it in the key only. */
  readonly tokenInText: boolean
}

/** The specification's (4.2). */
export const plain: Computation = {
  separator: '', skipsEmpty: false, encoding: 'utf8', twice: false, key: undefined, tokenInText: true
}

/** The digest of texts that stand for the terms of a part, as lowercase hexadecimal digits. */
export function digestOf (texts: readonly string[], computation: Computation, algorithm: string): string {
  const { separator, skipsEmpty, encoding, twice, key } = computation
  const text = (skipsEmpty ? texts.filter(Boolean) : texts).join(separator)
  const data = encoding === 'utf8' ? text : Buffer.from(text, encoding)
  const digest = key === undefined ? hash(algorithm, data, 'hex') : createHmac(algorithm, key).update(data).digest('hex')
  return twice ? hash(algorithm, digest, 'hex') : digest
}
