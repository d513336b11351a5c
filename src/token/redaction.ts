/** Shorter secrets are left alone: with "info" or "1" gone the log would be unreadable. In UTF-16 code units. */
const minLength = 8

/** How many tokens are remembered, so that a file that changes all the time does not slow the log down for ever. */
const maxSecrets = 10

/** JSON's escapes, without the quotes. */
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1)

/**
 * Returns the forms in which a secret may stand in a line: as it is, in a JSON string, and in JSON within a JSON string.
 * The most escaped form comes first, or the rest of its escapes would break the line. Most tokens have a single form.
 */
function formsOf (secret: string): string[] {
  const once = escaped(secret)
  return [...new Set([escaped(once), once, secret])]
}

/** Matches `text` in a regular expression with the flag u. */
const literally = (text: string): string => Array.from(text, character => `\\u{${character.codePointAt(0)?.toString(16)}}`).join('')

/** Matches a byte that is percent-encoded once or more often, in upper or lower case: `%2F`, `%2f`, `%252f`. */
const percentEncoded = (byte: number): string =>
  `%(?:25)*${byte.toString(16).padStart(2, '0').replace(/[a-f]/g, digit => `[${digit}${digit.toUpperCase()}]`)}`

/** Matches a secret in a URL, with any of its characters percent-encoded. */
function encodedForm (secret: string): RegExp {
  const characters = Array.from(secret.toWellFormed(), character =>
    `(?:${Array.from(Buffer.from(character), percentEncoded).join('')}|${literally(escaped(character))}|${literally(character)})`)
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
  add (secret: string): void {
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
