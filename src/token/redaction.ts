/** Shorter secrets are left alone: with "info" or "1" gone the log would be unreadable. In UTF-16 code units. */
const minLength = 8

/** How many tokens are remembered, so that a file that changes all the time does not slow the log down for ever. */
const maxSecrets = 10

/** JSON's escapes, without the quotes. */
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1)

/**
 * Returns the forms in which a secret may stand in a line: as it is, in a JSON string, or in JSON in a JSON string.
 * The most escaped form is first, or the rest of its escapes would break the line. Most tokens have a single form.
 */
const formsOf = (secret: string): string[] => [...new Set([escaped(escaped(secret)), escaped(secret), secret])]

/** Returns the source of a pattern, for the flag u, of this very text. */
const literally = (text: string): string => text.replace(/[^\w-]/gu, character => `\\u{${character.codePointAt(0)?.toString(16)}}`)

/**
 * Returns a pattern of a secret in a URL, of which any characters may be percent-encoded: in upper or lower case, as
 * `%2F` and `%2f`, and more than once, as `%252F`.
 */
function encodedForm (secret: string): RegExp {
  const characters = Array.from(secret.toWellFormed(), character => {
    const bytes = Buffer.from(character).toString('hex').replace(/[a-f]/g, digit => `[${digit}${digit.toUpperCase()}]`)
    const encoded = bytes.replace(/(?:\[..\]|\d){2}/g, '%(?:25)*$&')
    return `(?:${encoded}|${literally(escaped(character))}|${literally(character)})`
  })
  return new RegExp(characters.join(''), 'gu')
}

function isJson (text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Removes known secrets from whatever is about to be logged, as the last line of defence. */
export class Redaction {
  #secrets: string[] = []
  #forms: string[] = []
  #encodedForms: RegExp[] = []

  /** From now on `secret` is taken out, as are the ones before it. */
  hide (secret: string): void {
    if (secret.length < minLength) return
    this.#secrets = [secret, ...this.#secrets.filter(other => other !== secret)].slice(0, maxSecrets)
    this.#forms = this.#secrets.flatMap(formsOf)
    this.#encodedForms = this.#secrets.map(encodedForm)
  }

  /** Any text, with `[redacted]` where a secret was. */
  redact (text: string): string {
    let rest = text
    for (const form of this.#forms) {
      if (rest.includes(form)) rest = rest.replaceAll(form, '[redacted]')
    }
    if (!rest.includes('%')) return rest
    return this.#encodedForms.reduce((rest, form) => rest.replace(form, '[redacted]'), rest)
  }

  /** Like {@link redact}, for a line of JSON, which stays one: a token of digits might have been in a number. */
  redactLine (line: string): string {
    const rest = this.redact(line)
    return rest === line || isJson(rest) ? rest : '{"level":50,"msg":"[redacted]"}\n'
  }
}
