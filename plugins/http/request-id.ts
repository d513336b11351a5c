import type { IncomingMessage } from 'node:http'

const plain = /^[A-Za-z0-9._-]{1,64}$/

let count = 0

/** The X-Request-Id of a proxy if it is short and plain, since it goes into the log; otherwise a number of our own. */
export function requestIdOf ({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id']
  if (typeof given === 'string' && plain.test(given)) return given
  count = (count + 1) % Number.MAX_SAFE_INTEGER
  return `req-${count.toString(36)}`
}
