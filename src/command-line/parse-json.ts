/** A text is not what it has to be. The message is a line for people that says what to do, and holds no secret. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError'
}

/**
 * Parses JSON; the error names the place and nothing of the text, which may hold a token.
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
