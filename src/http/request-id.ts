import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const plain = /^[A-Za-z0-9._-]{1,64}$/

/** Prefix of this process' request IDs. It differs after each restart. */
const prefix = randomBytes(6).toString('hex')

let count = 0

const ownId = Symbol('request id')

interface Identified extends IncomingMessage {
  [ownId]?: string
}

/**
 * Returns the X-Request-Id of a trusted proxy if the id is short and plain, since the log contains it. Otherwise
 * returns a unique id.
 *
 * @param trusts - returns true for the address of a trusted proxy
 */
export function requestIdOf (request: IncomingMessage, trusts: (address: string, hop: number) => boolean): string {
  const { headers: { 'x-request-id': given }, socket } = request
  const isGiven = typeof given === 'string' && plain.test(given) && trusts(String(socket.remoteAddress), 0)
  const id = isGiven ? given : `${prefix}-${(++count).toString(36)}`
  ;(request as Identified)[ownId] = id
  return id
}

/** Returns the ID that {@link requestIdOf} assigned to a request. */
export const idOf = (request: IncomingMessage): string => (request as Identified)[ownId] as string
