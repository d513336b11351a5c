import { UnreadableError } from '../../src/text/json.js'

const isCommand = /^\s*(?:[$%#>]\s+)?curl(?:\.exe)?\s/

/** True for a curl command, with or without a prompt before it. */
export const isCurl = (text: string): boolean => isCommand.test(text)

const names: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

/** Resolves the backslash escapes of bash's `$'…'`. `\xHH` are bytes of UTF-8. */
const unescaped = (text: string): string =>
  text.replace(/((?:\\x[\da-f]{2})+)|\\u([\da-f]{4})|\\([^])/gi, (_all, bytes?: string, unit?: string, other = '') => {
    if (bytes !== undefined) return Buffer.from(bytes.replace(/\\x/gi, ''), 'hex').toString()
    return unit === undefined ? names[other] ?? other : String.fromCharCode(Number.parseInt(unit, 16))
  })

const flag = /(?<=\s)(?:--(?:data|data-raw|data-binary|data-ascii|json)(?:=|\s+)|-[sSkvifgLN46]*d\s*)(?:\\\r?\n\s*)?/g

/** A piece of a word under the rules of a POSIX shell and of bash's `$'…'`. */
const piece = new RegExp([
  /\$'(?<ansi>(?:\\[^]|[^'\\])*)'/, /'(?<single>[^']*)'/, /"(?<double>(?:\\[^]|[^"\\])*)"/,
  /\\(?<character>[^\n])/, /(?<plain>[^\s'"\\|;&<>]+)/
].map(({ source }) => source).join('|'), 'y')

/** Returns the word that begins at a place of a command. */
function wordAt (text: string, start: number): string {
  let word = ''
  piece.lastIndex = start
  for (let found = piece.exec(text); found !== null; found = piece.exec(text)) {
    const { ansi, single, double, character, plain } = found.groups!
    if (/(?<!\\)(?:\\\\)*(?:`|\$[\w({])/.test(double ?? plain ?? '')) {
      throw new UnreadableError('the body of the curl command contains a variable or a command, which only a shell ' +
        'can expand: use the expanded command instead')
    }
    word += single ?? character ?? plain ?? (ansi === undefined ? double!.replace(/\\([$`"\\])/g, '$1') : unescaped(ansi))
  }
  return word
}

/**
 * Returns the body that a curl command would send.
 *
 * @throws UnreadableError the command has no body, or the body depends on a file or the shell
 */
export function bodyOfCurl (text: string): string {
  const bodies = [...text.matchAll(flag)].map(({ 0: flag, index }) => wordAt(text, index + flag.length))
  if (bodies.join('') === '') {
    throw new UnreadableError('the curl command has no body: it needs -d, --data, --data-raw or --json')
  }
  if (bodies.some(body => body.startsWith('@'))) {
    throw new UnreadableError('the curl command reads its body from a file: use that file instead')
  }
  return bodies.join('&')
}
