import { isUtf8 } from 'node:buffer'
import createError from '@fastify/error'
import type { FastifyContentTypeParser } from 'fastify'
import { errorCodes } from 'fastify'
import fp from 'fastify-plugin'

const NotUtf8Error = createError('ERR_BODY_NOT_UTF8', 'Request body is not valid UTF-8', 400)

const EncodedError = createError('ERR_BODY_ENCODED',
  'Unsupported Media Type: send the body without Content-Encoding', 415)

export interface JsonBodyOptions {
  /** The largest body of any route, in bytes. Give it to the routes too: there Fastify checks that it can be used. */
  bodyLimit: number
}

/**
 * Request bodies are JSON in UTF-8 and nothing else. Other types and compression are refused with 415; bytes that are
 * not UTF-8 with 400, where Fastify would replace them with U+FFFD and we would sign a text that nobody sent.
 *
 * The bytes are collected here, which saves a copy of them; Fastify's own parser then makes JSON of them, and refuses
 * `__proto__` and `constructor.prototype`.
 */
export default fp<JsonBodyOptions>(async function jsonBody (app, { bodyLimit }) {
  const parseJson = app.getDefaultJsonParser('error', 'error')

  const collect: FastifyContentTypeParser = (request, payload, done) => {
    if (request.headers['content-encoding'] !== undefined) return done(new EncodedError())
    if (Number(request.headers['content-length']) > bodyLimit) return done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())

    let length = 0
    let chunks: Buffer[] = []
    payload.on('data', (chunk: Buffer) => {
      if (length > bodyLimit) return // refused already; the rest is read, or the answer would be lost to a reset
      length += chunk.length
      chunks.push(chunk)
      if (length <= bodyLimit) return
      chunks = []
      done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
    })
    payload.on('error', done)
    payload.on('end', () => {
      if (length > bodyLimit) return
      const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
      if (isUtf8(body)) parseJson(request, body.toString(), done)
      else done(new NotUtf8Error())
    })
  }

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', collect)
}, { name: 'json-body' })
