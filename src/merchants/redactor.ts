/** Returns a text with JSON's escapes, without the quotes. */
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1)

/** Returns the forms that a token may have in a line: plain, in JSON, in JSON inside JSON, and in a URL. */
function formsOf (token: string): string[] {
  if (token.length < 8) return [] // hiding each "info" or "1" would make a log unreadable
  const encoded = encodeURIComponent(token.toWellFormed())
  const lowerCase = encoded.replace(/%../g, byte => byte.toLowerCase())
  // The most escaped form comes first: otherwise the rest of its escapes would break the line.
  return [...new Set([escaped(escaped(token)), escaped(token), encoded, lowerCase, token])]
}

/** Hides tokens in lines of the log and the audit, as the last line of defence: no code logs a body. */
export class Redactor {
  #tokens: string[] = []
  #forms: string[] = []

  /** Hides a token from now on, and the token before it: log lines about it may come late. */
  hide (token: string): void {
    this.#tokens = [token, ...this.#tokens].slice(0, 2)
    // Longer forms first, because they may contain shorter ones.
    this.#forms = this.#tokens.flatMap(formsOf).sort((one, other) => other.length - one.length)
  }

  redact (line: string): string {
    let text = line
    for (const form of this.#forms) text = text.replaceAll(form, '[redacted]')
    return text
  }
}
