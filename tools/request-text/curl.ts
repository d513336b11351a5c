import { shellWords, type ShellWord } from './shell-words.js'
import { UnreadableError } from '../../src/text/json-file.js'

const isCommand = /^\s*(?:[$%#>]\s+)?(?=curl(?:\.exe)?\s)/

/** True for a curl command, with or without a prompt before it. */
export const isCurl = (text: string): boolean => isCommand.test(text)

const dataFlag = /^--(?:data|data-raw|data-binary|data-ascii|json)(?:=(?<long>[^]*))?$|^-[sSkvifgLN46]*d(?<short>[^]*)$/

/** Yields the bodies: the word after each flag, or the rest of the flag's own word. */
function * bodies (words: readonly ShellWord[]): Generator<ShellWord & { readonly isRaw: boolean }> {
  for (const [index, { text, expands }] of words.entries()) {
    const { long, short } = dataFlag.exec(text)?.groups ?? {}
    if (!dataFlag.test(text)) continue
    const own = long ?? (short || undefined)
    const body = own === undefined ? words[index + 1] : { text: own, expands }
    if (body !== undefined) yield { ...body, isRaw: text.startsWith('--data-raw') }
  }
}

/**
 * Returns the body that a curl command would send.
 *
 * @throws UnreadableError the command has no body, or the body depends on a file or the shell
 */
export function bodyOfCurl (text: string): string {
  if (/\^["'\r\n]/.test(text)) {
    throw new UnreadableError('this curl command is quoted for Windows\' cmd, which is not supported: ' +
      'copy it as cURL (bash), or pass the JSON body')
  }
  const found = [...bodies(shellWords(text.replace(isCommand, '')))]
  if (found.length === 0) throw new UnreadableError('the curl command has no body: it needs -d, --data, --data-raw or --json')
  for (const { text, expands, isRaw } of found) {
    if (!isRaw && text.startsWith('@')) {
      throw new UnreadableError('the curl command reads its body from a file: use that file instead')
    }
    if (expands) {
      throw new UnreadableError('the body of the curl command contains a variable or a command, which only a shell can ' +
        'expand: use the expanded command instead')
    }
  }
  return found.map(({ text }) => text).join('&')
}
