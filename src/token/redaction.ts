import { isJson } from '../text/json-file.js'
import { pause } from '../text/slices.js'

/** Length of the shortest redacted secret, in UTF-16 code units. A log without "info" or "1" would be unreadable. */
const minLength = 8

/** Number of remembered tokens. The limit keeps a file that changes all the time from slowing the log down. */
const maxSecrets = 10

/** Returns a text with JSON's escapes, without the quotes. */
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1)

/**
 * Returns the forms that a secret may have in a line: plain, in a JSON string, or in JSON in a JSON string. The most
 * escaped form comes first: otherwise the rest of its escapes would break the line. Most tokens have a single form.
 */
const formsOf = (secret: string): string[] => [...new Set([escaped(escaped(secret)), escaped(secret), secret])]

/** Returns the source of a pattern, for the flag u, that matches exactly this text. */
const literally = (text: string): string => text.replace(/[^\w-]/gu, character => `\\u{${character.codePointAt(0)?.toString(16)}}`)

/**
 * Returns a pattern that matches a secret in a URL, where any character may be percent-encoded: in upper or lower case,
 * as `%2F` and `%2f`, and more than once, as `%252F`.
 */
function encodedForm (secret: string): RegExp {
  const characters = Array.from(secret.toWellFormed(), character => {
    const bytes = Buffer.from(character).toString('hex').replace(/[a-f]/g, digit => `[${digit}${digit.toUpperCase()}]`)
    const encoded = bytes.replace(/(?:\[..\]|\d){2}/g, '%(?:25)*$&')
    return `(?:${encoded}|${literally(escaped(character))}|${literally(character)})`
  })
  return new RegExp(characters.join(''), 'gu')
}

/** Returns the length of the longest form of a secret: each byte percent-encoded, or with JSON's escapes. */
const longestFormOf = (secret: string): number =>
  Math.max(3 * Buffer.byteLength(secret), escaped(escaped(secret)).length)

/** True for a secret of 16 characters or more with one form in JSON, whose characters are single bytes in a URL. */
const isCommon = (secret: string): boolean => /^[ !#$&-[\]-~]{16,}$/.test(secret)

/**
 * Returns a text with the bytes of percent-encoded characters, also of those encoded more than once, as `%252F`. The
 * legacy function ignores invalid encodings; decodeURIComponent would throw, which a stranger could cause, and is slow.
 */
const percentDecoded = (text: string): string => unescape(text.replace(/%(?:25)+/g, '%'))

/** Removes known secrets from log lines, as the last line of defence. */
export class Redaction {
  #secrets: string[] = []
  #scanner = new SecretScanner()
  #forms: string[] = []
  #encodedForms: RegExp[] = []
  /** Length of the longest form of all secrets, in UTF-16 code units. */
  #longest = 0
  #longestOfAll = 0

  /** Adds a secret to the redacted ones. A secret that is too short is ignored. */
  hide (secret: string): void {
    if (secret.length < minLength) return
    this.#secrets = [secret, ...this.#secrets.filter(other => other !== secret)].slice(0, maxSecrets)
    this.#update()
  }

  /**
   * Replaces all secrets. There may be thousands of 16 or more ASCII characters without `"`, `%` and
   * `\\`. Each of the others takes as long as a single secret.
   */
  async hideAll (secrets: readonly string[]): Promise<void> {
    const scanner = new SecretScanner()
    const others: string[] = []
    let longest = 0
    for (const secret of secrets) {
      await pause()
      longest = Math.max(longest, longestFormOf(secret))
      if (isCommon(secret)) scanner.add(secret)
      else if (secret.length >= minLength) others.push(secret)
    }
    this.#scanner = scanner
    this.#longestOfAll = longest
    this.#secrets = others
    this.#update()
  }

  #update (): void {
    this.#forms = this.#secrets.flatMap(formsOf)
    this.#encodedForms = this.#secrets.map(encodedForm)
    this.#longest = Math.max(this.#longestOfAll, ...this.#secrets.map(longestFormOf))
  }

  /** Returns a text with `[redacted]` in place of each secret. */
  redact (text: string): string {
    let rest = text
    for (const form of this.#forms) {
      if (rest.includes(form)) rest = rest.replaceAll(form, '[redacted]')
    }
    for (const secret of this.#scanner.secretsIn(rest)) rest = rest.replaceAll(secret, '[redacted]')
    if (!rest.includes('%')) return rest
    for (const secret of this.#scanner.secretsIn(percentDecoded(rest))) rest = rest.replace(encodedForm(secret), '[redacted]')
    return this.#encodedForms.reduce((rest, form) => rest.replace(form, '[redacted]'), rest)
  }

  /**
   * Returns at most the first `length` UTF-16 code units of a text, with `[redacted]` in place of each secret. The text
   * is cut before the search, because a client chooses its length and thousands of secrets may be searched in it. The
   * search needs a margin that is dropped afterwards: a secret across the cut leaves its beginning there.
   */
  redactStart (text: string, length: number): string {
    const end = length + 2 * this.#longest
    const start = this.redact(text.slice(0, end))
    const safe = text.length <= end ? start.length : Math.max(0, start.length - this.#longest)
    return start.slice(0, Math.min(length, safe)).toWellFormed()
  }

  /**
   * Redacts a line of JSON. If the result is no JSON, because a token of digits was part of a number, the whole line is
   * replaced.
   */
  redactLine (line: string): string {
    const rest = this.redact(line)
    return rest === line || isJson(rest) ? rest : '{"level":50,"msg":"[redacted]"}\n'
  }
}

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
class SecretScanner {
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
