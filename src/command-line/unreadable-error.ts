/** A text is not what it has to be. The message is a line for people that says what to do, and holds no secret. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError'
}
