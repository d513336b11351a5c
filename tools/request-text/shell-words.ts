import { unescaped } from './unescaped.js'
import { UnreadableError } from '../../src/command-line/parse-json.js'

export interface ShellWord {
  readonly text: string
  /** It has a `$VARIABLE`, `$(command)` or `` `command` `` in it, which only a shell can fill in. */
  readonly expands: boolean
}

const pieces = new RegExp([
  /\\\r?\n/, // a line that goes on
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
 * The words of the first command in a text, as a POSIX shell with bash's `$'…'` reads them; it ends at a line end that
 * no backslash precedes, or at a pipe and the like.
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
    if (piece === undefined) continue // a line that goes on
    word ??= { text: '', expands: false }
    word.text += piece
    if (expansion !== undefined || (double !== undefined && /(?<!\\)(?:\\\\)*(?:`|\$[\w({])/.test(double))) word.expands = true
  }
  if (word !== undefined) words.push(word)
  return words
}
