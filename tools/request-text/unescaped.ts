const names: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', a: '\x07', e: '\x1b' }

/**
 * A text without one level of backslash escapes, as JSON, nginx's log and bash's `$'…'` write them. A run of `\xHH` is
 * bytes of UTF-8.
 */
export function unescaped (text: string): string {
  return text.replace(/((?:\\x[\da-f]{2})+)|\\u([\da-f]{4})|\\([^])/gi, (_all, bytes?: string, unit?: string, other = '') =>
    bytes !== undefined
      ? Buffer.from(bytes.replace(/\\x/gi, ''), 'hex').toString()
      : unit !== undefined ? String.fromCharCode(Number.parseInt(unit, 16)) : names[other] ?? other)
}
