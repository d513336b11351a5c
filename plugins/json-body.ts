import { isUtf8 } from 'node:buffer'
import createError from '@fastify/error'
import fp from 'fastify-plugin'

const NotUtf8Error = createError('ERR_BODY_NOT_UTF8', 'Request body is not valid UTF-8', 400)

/**
 * Request bodies are JSON in UTF-8 and nothing else: text/plain is refused with 415, and bytes that are not UTF-8 with
 * 400, where Fastify would replace them with U+FFFD and we would sign a text that nobody sent.
 */
export default fp(async function jsonBody (app) {
  const parseJson = app.getDefaultJsonParser('error', 'error') // refuses __proto__ and constructor.prototype

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (isUtf8(body)) parseJson(request, body.toString(), done)
    else done(new NotUtf8Error())
  })
}, { name: 'json-body' })
