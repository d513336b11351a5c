/** Error for a text in the wrong format. The message is one line without a secret. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError'
}

/**
 * Parses JSON. The error contains the position, and nothing of the text, which may contain a token.
 *
 * @param name - name of the text, for the message
 *
 * @throws UnreadableError
 */
export function parseJson (text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const [, position] = /at position (\d+)/.exec((error as Error).message) ?? []
    if (position === undefined) throw new UnreadableError(`${name} is not JSON`)
    const before = text.slice(0, Number(position)).split('\n')
    throw new UnreadableError(`${name} is not JSON: see line ${before.length}, column ${before.at(-1)!.length + 1}`)
  }
}

export function isJson (text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
