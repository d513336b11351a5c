/** Shorter secrets are left alone: with "info" or "1" gone the log would be unreadable. In UTF-16 code units. */
const minLength = 8

/** How many tokens are remembered, so that a file that changes all the time does not slow the log down for ever. */
const maxSecrets = 10

/** JSON's escapes, without the quotes. */
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1)

/**
 * The ways in which a secret may stand in a line: as it is, in a JSON string, in JSON in a JSON string, in a path. The
 * most escaped first, or what is left of its escapes would break the line. For most tokens they are all the same.
 */
function formsOf (secret: string): string[] {
  const once = escaped(secret)
  return [...new Set([escaped(once), once, encodeURIComponent(secret.toWellFormed()), secret])]
}

function isJson (text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** A last line of defence: takes known secrets out of whatever is about to be written. */
export class Redaction {
  #secrets: string[] = []
  #forms: string[] = []

  /** From now on `secret` is taken out, as are the ones before it. */
  add (secret: string): void {
    if (secret.length < minLength) return
    this.#secrets = [secret, ...this.#secrets.filter(other => other !== secret)].slice(0, maxSecrets)
    this.#forms = this.#secrets.flatMap(formsOf)
  }

  /** Any text, with `[redacted]` where a secret was. */
  redact (text: string): string {
    let rest = text
    for (const form of this.#forms) {
      if (rest.includes(form)) rest = rest.replaceAll(form, '[redacted]')
    }
    return rest
  }

  /** Like {@link redact}, for a line of JSON, which stays one: a token of digits might have been in a number. */
  redactLine (line: string): string {
    const rest = this.redact(line)
    return rest === line || isJson(rest) ? rest : '{"level":50,"msg":"[redacted]"}\n'
  }
}
