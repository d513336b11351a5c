/** Length of a sample of a text, in UTF-16 code units. */
const sampleLength = 4

/** Distance of the samples of a text. A secret of 16 characters or more contains a whole sample. */
const stride = 13

/** Number of tables of samples. A table that grows is copied at once: 0.1 s for a million samples in one table. */
const tables = 256

/** Returns the sample at an index as a number. Characters above U+00FF share numbers with others. */
const sampleAt = (text: string, at: number): number =>
  text.charCodeAt(at) | text.charCodeAt(at + 1) << 8 | text.charCodeAt(at + 2) << 16 | text.charCodeAt(at + 3) << 24

/**
 * Finds many secrets in a text. Only a few samples of the text are looked up, so the time hardly depends on the number
 * of secrets.
 */
export class SecretScanner {
  /** The secrets of each sample. A list only where several secrets have it: a million lists slow garbage collection. */
  readonly #tables = Array.from({ length: tables }, () => new Map<number, string | string[]>())

  /** @param secret - a text of at least 16 characters */
  add (secret: string): void {
    const end = secret.slice(1 - sampleLength - stride) // many tokens have the same beginning
    for (let at = 0; at < stride; at++) {
      const sample = sampleAt(end, at)
      const bySample = this.#tableOf(sample)
      const others = bySample.get(sample)
      if (Array.isArray(others)) others.push(secret)
      else bySample.set(sample, others === undefined ? secret : [others, secret])
    }
  }

  /** Returns the secrets that a text contains, the longest first. */
  secretsIn (text: string): string[] {
    const found: string[] = []
    for (let at = 0; at + sampleLength <= text.length; at += stride) {
      const sample = sampleAt(text, at)
      const secrets = this.#tableOf(sample).get(sample)
      if (secrets !== undefined) found.push(...[secrets].flat().filter(secret => text.includes(secret)))
    }
    return found.sort((one, other) => other.length - one.length)
  }

  /** Returns the table of a sample. The highest byte of the product depends on all bytes of the sample. */
  #tableOf (sample: number): Map<number, string | string[]> {
    return this.#tables[Math.imul(sample, 0x9e3779b1) >>> 24]!
  }
}
