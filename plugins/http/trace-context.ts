import type { IncomingMessage } from 'node:http'

/** Version 00 of W3C Trace Context: version, trace id, parent id, flags; neither of the ids is all zeros. */
const pattern = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

type Traced = Pick<IncomingMessage, 'headers'>

function match ({ headers: { traceparent } }: Traced): RegExpExecArray | null {
  return typeof traceparent === 'string' ? pattern.exec(traceparent) : null
}

/** The `traceparent` that a request came with, to be sent on; undefined if it has none, or one that is not valid. */
export const traceParentOf = (request: Traced): string | undefined => match(request)?.[0]

/**
 * What a log line says of it, under the name that OpenTelemetry gives it in JSON. Nothing at all rather than undefined:
 * that would take away the one that OpenTelemetry's instrumentation of pino has put there.
 */
export function traceFieldsOf (request: Traced): { trace_id?: string } {
  const id = match(request)?.[1]
  return id === undefined ? {} : { trace_id: id }
}
