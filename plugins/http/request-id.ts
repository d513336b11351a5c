import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const plain = /^[A-Za-z0-9._-]{1,64}$/

/** Tells this process' requests from those of every other, also of the same instance before a restart. */
const prefix = randomBytes(6).toString('hex')

let count = 0

const ownId = Symbol('request id')

interface Identified extends IncomingMessage {
  [ownId]?: string
}

/** Whether the X-Request-Id of a connection from `address` is believed. */
type Trusts = (address: string, hop: number) => boolean

/**
 * The X-Request-Id of a trusted proxy if it is short and plain, since it goes into the log; otherwise an id of our own,
 * which no other request has.
 */
export function requestIdOf (request: IncomingMessage, trusts: Trusts): string {
  const { headers: { 'x-request-id': given }, socket } = request
  const isGiven = typeof given === 'string' && plain.test(given) && trusts(String(socket.remoteAddress), 0)
  const id = isGiven ? given : `${prefix}-${(++count).toString(36)}`
  ;(request as Identified)[ownId] = id
  return id
}

/** The id that {@link requestIdOf} has given a request, for a response without Fastify's. */
export const idOf = (request: IncomingMessage): string => (request as Identified)[ownId] as string
