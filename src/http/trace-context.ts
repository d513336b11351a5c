import type { IncomingMessage } from 'node:http'

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
