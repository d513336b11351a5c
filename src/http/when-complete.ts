import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream'

/**
 * Calls `done` once a request is complete. A response before that would let a proxy that keeps the connection send the
 * next request into the rest of the body; and a reset, because of unread bytes, would destroy it. The rest is read and
 * dropped, until `requestTimeout` at most. With `inject`, a request is complete.
 */
export function whenComplete (request: IncomingMessage, done: () => void): void {
  const { complete, headers } = request
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  if (complete !== false || !hasBody) return done()
  finished(request.resume(), () => done())
}
