import type { Pause } from '../text/slices.js'

/** Length of a sample of a text, in UTF-16 code units. */
const sampleLength = 4

/** Distance of the samples of a text. A secret of 16 characters or more contains a whole sample. */
const stride = 13

/** Returns the sample at an index as a number. Characters above U+00FF share numbers with others. */
const sampleAt = (text: string, at: number): number =>
  text.charCodeAt(at) | text.charCodeAt(at + 1) << 8 | text.charCodeAt(at + 2) << 16 | text.charCodeAt(at + 3) << 24

/** Values of hexadecimal digits by their codes; -1 for all other codes. */
const digits = Array.from({ length: 256 }, (_, code) => '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase()))

/** Returns the byte of two hexadecimal digits; a negative number without them. */
const byteAt = (bytes: Buffer, at: number): number => digits[bytes[at]!]! << 4 | digits[bytes[at + 1]!]!

/** Holds the bytes of a text while it is decoded, and a few more, so that reading digits cannot leave it. */
let scratch = Buffer.alloc(4096)

/** Returns a text with a `%` with the bytes of percent-encoded characters, also of those encoded twice, as `%252F`. */
export function percentDecoded (text: string): string {
  if (text.length + 8 > scratch.length) scratch = Buffer.alloc(text.length + 8)
  const bytes = scratch
  const end = bytes.write(text, 'latin1')
  bytes.fill(0, end, end + 8)
  let length = text.indexOf('%')
  for (let at = length; at < end; at++) {
    let byte = bytes[at]!
    if (byte === 0x25) {
      while (byteAt(bytes, at + 1) === 0x25 && byteAt(bytes, at + 3) >= 0) at += 2
      const decoded = byteAt(bytes, at + 1)
      if (decoded >= 0) {
        byte = decoded
        at += 2
      }
    }
    bytes[length++] = byte
  }
  return bytes.toString('latin1', 0, length)
}

/**
 * Finds many secrets in a text. Only a few samples of the text are looked up, so the time hardly depends on the number
 * of secrets.
 */
export class SecretScanner {
  readonly #bySample = new Map<number, string[]>()

  /**
   * @param secrets - texts of at least 16 characters
   * @param pause - awaited after each secret
   */
  async add (secrets: readonly string[], pause: Pause): Promise<void> {
    for (const secret of secrets) {
      await pause()
      const end = secret.slice(1 - sampleLength - stride) // many tokens have the same beginning
      for (let at = 0; at < stride; at++) {
        const sample = sampleAt(end, at)
        const others = this.#bySample.get(sample)
        if (others === undefined) this.#bySample.set(sample, [secret])
        else others.push(secret)
      }
    }
  }

  /** Returns the secrets that a text contains, the longest first. */
  secretsIn (text: string): string[] {
    const found: string[] = []
    for (let at = 0; at + sampleLength <= text.length; at += stride) {
      const secrets = this.#bySample.get(sampleAt(text, at))
      if (secrets !== undefined) found.push(...secrets.filter(secret => text.includes(secret)))
    }
    return found.sort((one, other) => other.length - one.length)
  }
}
