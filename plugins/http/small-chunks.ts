import type { IncomingMessage, ServerResponse } from 'node:http'
import fp from 'fastify-plugin'

/** Number of waiting chunks that are merged into one. */
const mergedChunks = 64

/**
 * Merges the chunks of a body that wait for a reader. Node.js keeps a Buffer of about 300 bytes for each, and a chunk
 * can be one byte. Back-pressure is unchanged: Node.js stops reading when `highWaterMark` bytes wait.
 */
export function mergeSmallChunks (request: IncomingMessage, response: ServerResponse): void {
  const { push } = request
  let count = 0
  request.push = chunk => {
    const hasRoom = push.call(request, chunk)
    if (chunk === null || request.readableFlowing !== null) return hasRoom // the body has ended, or has a reader
    count++
    if (count % mergedChunks === 0) request.unshift(request.read())
    // Node.js discards the body of a request that had its response only if nothing was read of it.
    if (count === mergedChunks) response.once('finish', () => request.resume())
    return hasRoom
  }
}

/** Limits the memory of unread bodies, for every request of the server, before any hook runs. */
export default fp(async function smallChunks (app) {
  app.server.prependListener('request', mergeSmallChunks)
}, { name: 'small-chunks', dependencies: ['pipelining'] }) // which takes the first listener for Fastify's
