import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream'

/**
 * Calls `done` once a request is complete, and drops the rest of its body. After an earlier response, a proxy that
 * keeps the connection would send the next request into the rest of the body. Unread bytes would also reset the
 * connection, and the client could lose the response. A request that is not complete in time gets 408, and `done` is
 * not called.
 */
export function whenComplete (request: IncomingMessage, done: () => void): void {
  if (request.complete !== false) return done() // undefined for an injected request
  finished(request.resume(), error => { if (!error) done() })
}
