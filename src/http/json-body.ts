import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { RefusedError } from './refusals.js'

/** Matches a content type with another charset than UTF-8. */
const otherCharset = /;\s*charset\s*=\s*(?!"?utf-?8"?\s*(?:;|$))/i

/** Length limit of a body, in bytes. */
export const bodyLimit = 102_400

/** Limit of the small chunks of a body: Node.js needs about 300 bytes for each, and a chunk can be one byte. */
export const maxChunks = 1000

/** Calls a function once a body has more chunks than the limit, of less than 1 KiB on average. */
export function limitChunks (body: Readable, act: () => void): void {
  let [chunks, length] = [0, 0]
  body.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (++chunks <= maxChunks || length >= chunks * 1024) return
    chunks = -Infinity // only once
    act()
  })
}

/**
 * Parses request bodies, which must be JSON in UTF-8 of at most 100 KiB. Fastify would replace bytes that are not UTF-8
 * with U+FFFD, and the signed text would differ from the sent text. Its parser refuses `__proto__` and
 * `constructor.prototype`.
 *
 * @param onText - receives the text of a body that was parsed
 */
export function acceptJson (app: FastifyInstance, onText: (request: FastifyRequest, text: string) => void): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()

  app.addHook('preParsing', (_request, _reply, payload, done) => {
    payload.on('error', () => {}) // after a refusal nobody else listens, and the error would end the process
    payload.pause() // the listener would let it flow before Fastify reads it
    limitChunks(payload as Readable, () =>
      payload.emit('error', new RefusedError('body-invalid', 'Request body comes in too many small chunks')))
    done(null, payload)
  })

  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer', bodyLimit }, (request, body, done) => {
    const { 'content-encoding': encoding, 'content-type': type = '' } = request.headers
    const refuse = (what: string) => done(new RefusedError('content-type', `Unsupported Media Type: send the body ${what}`))
    if (encoding !== undefined) return refuse('without Content-Encoding')
    if (otherCharset.test(type)) return refuse('in UTF-8')
    if (!isUtf8(body)) return done(new RefusedError('body-invalid', 'Request body is not valid UTF-8'))
    const text = body.toString()
    if (text === '[object Object]') {
      return done(new RefusedError('body-invalid', 'Request body is "[object Object]": serialize the object as JSON'))
    }
    parse(request, text, (error, value) => {
      if (!error) onText(request, text)
      done(error, value)
    })
  })
}
