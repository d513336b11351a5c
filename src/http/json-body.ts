import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { RefusedError } from './refusals.js'

/** Matches a content type with another charset than UTF-8. */
const otherCharset = /;\s*charset\s*=(?!\s*"?utf-?8"?\s*(?:;|$))/i

/** Length limit of a body, in bytes: real ones have less than 1 KiB. */
export const bodyLimit = 16_384

/**
 * Copies a body into one buffer, which grows: Node.js needs some 300 bytes for each chunk, and a chunk can be one byte.
 *
 * @param done - is called once
 */
function readBody (body: Readable, done: (error: Error | undefined, bytes: Buffer) => void): void {
  let buffer = Buffer.allocUnsafe(1024)
  let end = 0
  let isDone = false
  function finish (error?: Error): void {
    if (isDone) return
    isDone = true
    done(error, buffer.subarray(0, end))
  }
  body.on('data', (chunk: Buffer) => {
    const length = end + chunk.length
    if (isDone) return
    if (length > bodyLimit) return finish(new RefusedError('body-too-large'))
    if (length > buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, 2 * buffer.length))
      buffer.copy(larger, 0, 0, end)
      buffer = larger
    }
    end += chunk.copy(buffer, end)
  })
  body.on('end', finish)
  body.on('error', (error: Error & { statusCode?: number }) => {
    error.statusCode ??= 400 // as in Fastify
    finish(error)
  })
}

/**
 * Parses request bodies, which must be JSON in UTF-8. Fastify would replace bytes that are not UTF-8 with U+FFFD, and
 * the signed text would differ from the sent text. Its parser refuses `__proto__` and `constructor.prototype`.
 *
 * @param onText - receives the text of a body that was parsed
 */
export function acceptJson (app: FastifyInstance, onText?: (request: FastifyRequest, text: string) => void): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', (request: FastifyRequest, payload: Readable, done) => {
    payload.on('error', () => {}) // an error of a hook's stream after a refusal would end the process
    const { 'content-encoding': encoding, 'content-type': type = '' } = request.headers
    const refuse = (what: string) => done(new RefusedError('content-type', `Unsupported Media Type: send the body ${what}`))
    if (encoding !== undefined) return refuse('without Content-Encoding')
    if (otherCharset.test(type)) return refuse('in UTF-8')
    readBody(payload, (fault, bytes) => {
      if (fault !== undefined) return done(fault)
      if (!isUtf8(bytes)) return done(new RefusedError('body-invalid', 'Request body is not valid UTF-8'))
      const text = bytes.toString()
      if (text === '[object Object]') {
        return done(new RefusedError('body-invalid', 'Request body is "[object Object]": serialize the object as JSON'))
      }
      parse(request, text, (error, value) => {
        if (!error) onText?.(request, text)
        done(error, value)
      })
    })
  })
}
