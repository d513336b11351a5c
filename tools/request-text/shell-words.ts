import { UnreadableError } from '../../src/text/json-file.js'

const names: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', a: '\x07', e: '\x1b' }

/**
 * Resolves one level of backslash escapes, as in JSON, nginx's log and bash's `$'…'`. A sequence of `\xHH` is decoded
 * as UTF-8.
 */
export function unescaped (text: string): string {
  return text.replace(/((?:\\x[\da-f]{2})+)|\\u([\da-f]{4})|\\([^])/gi, (_all, bytes?: string, unit?: string, other = '') =>
    bytes !== undefined
      ? Buffer.from(bytes.replace(/\\x/gi, ''), 'hex').toString()
      : unit !== undefined ? String.fromCharCode(Number.parseInt(unit, 16)) : names[other] ?? other)
}

export interface ShellWord {
  readonly text: string
  /** True if the word contains a `$VARIABLE`, `$(command)` or `` `command` ``, which only a shell can expand. */
  readonly expands: boolean
}

const pieces = new RegExp([
  /\\\r?\n/, // a line continuation
  /(?<space>[ \t]+)/,
  /(?<end>[\r\n|;&<>])/,
  /\\(?<character>[^])/,
  /\$'(?<ansi>(?:\\[^]|[^'\\])*)'/,
  /'(?<single>[^']*)'/,
  /\$?"(?<double>(?:\\[^]|[^"\\])*)"/,
  /(?<expansion>`|\$[\w({])/,
  /(?<quote>["'])/,
  /(?<plain>[^])/
].map(({ source }) => source).join('|'), 'gy')

/**
 * Returns the words of the first command in a text, under the rules of a POSIX shell and of bash's `$'…'`. The command
 * ends at a line break without a backslash, or at an operator such as a pipe.
 *
 * @throws UnreadableError a quote has no end
 */
export function shellWords (text: string): ShellWord[] {
  const words: ShellWord[] = []
  let word: { text: string, expands: boolean } | undefined

  for (const { groups = {} } of text.trim().matchAll(pieces)) {
    const { space, end, character, ansi, single, double, expansion, quote, plain } = groups
    if (space !== undefined || end !== undefined) {
      if (word !== undefined) words.push(word)
      word = undefined
      if (end !== undefined) return words
      continue
    }
    if (quote !== undefined) throw new UnreadableError('the curl command has an unclosed quote')
    const piece = character ?? single ?? expansion ?? plain ??
      (ansi === undefined ? double?.replace(/\\(?:\r?\n|([$`"\\]))/g, '$1') : unescaped(ansi))
    if (piece === undefined) continue // a line continuation
    word ??= { text: '', expands: false }
    word.text += piece
    if (expansion !== undefined || (double !== undefined && /(?<!\\)(?:\\\\)*(?:`|\$[\w({])/.test(double))) word.expands = true
  }
  if (word !== undefined) words.push(word)
  return words
}
