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

/** Version 00 of W3C Trace Context: version, trace ID, parent ID, flags. An ID of only zeros is invalid. */
const pattern = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

type Traced = Pick<IncomingMessage, 'headers'>

function match ({ headers: { traceparent } }: Traced): RegExpExecArray | null {
  return typeof traceparent === 'string' ? pattern.exec(traceparent) : null
}

/** Returns the valid `traceparent` of a request, for requests to the backend; otherwise undefined. */
export const traceParentOf = (request: Traced): string | undefined => match(request)?.[0]

/**
 * Returns the trace ID for a log line, under OpenTelemetry's name in JSON. Without a trace the object is empty: a
 * member that is undefined would remove the trace ID that OpenTelemetry's instrumentation of pino adds.
 */
export function traceFieldsOf (request: Traced): { trace_id?: string } {
  const id = match(request)?.[1]
  return id === undefined ? {} : { trace_id: id }
}
