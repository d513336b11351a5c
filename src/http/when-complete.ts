import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream'

/**
 * Calls `done` once a request is complete. A response before that would let a proxy that keeps the connection send the
 * next request into the rest of the body; and a reset, because of unread bytes, would destroy it. The rest is read and
 * dropped. A request that is not complete in time gets 408 instead, and `done` is not called.
 */
export function whenComplete (request: IncomingMessage, done: () => void): void {
  if (request.complete !== false) return done() // undefined for an injected request
  finished(request.resume(), error => { if (!error) done() })
}
