let turn: Promise<void> | undefined

/**
 * Resolves at the end of the turn of the event loop, for all responses of the turn, which are then written together.
 * Separate writes would wake up a sleeping client or proxy each time: an interrupt to another core, which on virtual
 * machines costs more than the response. A single request does not wait for others.
 */
export const endOfTurn = (): Promise<void> => (turn ??= new Promise(resolve => setImmediate(() => {
  turn = undefined
  resolve()
})))
