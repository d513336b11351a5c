/** Length of a sample of a text, in UTF-16 code units. */
const sampleLength = 4

/** Distance of the samples of a text. A secret of 16 characters or more contains a whole sample. */
const stride = 13

/** Returns the sample at an index as a number. Characters above U+00FF share numbers with others. */
const sampleAt = (text: string, at: number): number =>
  text.charCodeAt(at) | text.charCodeAt(at + 1) << 8 | text.charCodeAt(at + 2) << 16 | text.charCodeAt(at + 3) << 24

/**
 * Finds many secrets in a text. Only a few samples of the text are looked up, so the time hardly depends on the number
 * of secrets.
 */
export class SecretScanner {
  readonly #bySample = new Map<number, string[]>()

  /** @param secret - a text of at least 16 characters */
  add (secret: string): void {
    const end = secret.slice(1 - sampleLength - stride) // many tokens have the same beginning
    for (let at = 0; at < stride; at++) {
      const sample = sampleAt(end, at)
      this.#bySample.get(sample)?.push(secret) ?? this.#bySample.set(sample, [secret])
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
