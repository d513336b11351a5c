import type { IncomingMessage } from 'node:http'
import fp from 'fastify-plugin'

/** Number of waiting chunks that are merged into one. */
const mergedChunks = 64

/** Size of a body that may stay in chunks of one byte, in bytes. */
const smallBody = 512

/**
 * Merges the chunks of a body while nothing reads it. Node.js keeps a Buffer of about 300 bytes for each chunk, and a
 * chunk can be one byte. Back-pressure is unchanged: Node.js stops reading when `highWaterMark` bytes wait.
 */
export function mergeSmallChunks (request: IncomingMessage): void {
  const { headers, push, _read } = request
  // Most bodies are small, and their few chunks need no merging.
  if (headers['transfer-encoding'] === undefined && !(Number(headers['content-length']) > smallBody)) return
  let waiting: Buffer[] = []
  let length = 0

  function pass (): void {
    request.push = push
    request._read = _read
    for (const chunk of waiting) push.call(request, chunk)
  }
  request._read = size => {
    pass()
    request._read(size)
  }
  request.push = (chunk: Buffer | null) => {
    if (chunk === null || request.readableFlowing !== null) { // the body has ended, or has a reader
      pass()
      return request.push(chunk)
    }
    length += chunk.length
    waiting.push(chunk)
    if (waiting.length === mergedChunks) waiting = [Buffer.concat(waiting)]
    return length < request.readableHighWaterMark
  }
}

/** Limits the memory of unread bodies, for every request of the server, before any hook runs. */
export default fp(async function smallChunks (app) {
  app.server.prependListener('request', mergeSmallChunks)
}, { name: 'small-chunks', dependencies: ['pipelining'] }) // pipelining requires that Fastify's listener is the first one
