import { isUtf8 } from 'node:buffer'
import createError from '@fastify/error'
import fp from 'fastify-plugin'

const NotUtf8Error = createError('ERR_BODY_NOT_UTF8', 'Request body is not valid UTF-8', 400)

const EncodedError = createError('ERR_BODY_ENCODED',
  'Unsupported Media Type: send the body without Content-Encoding', 415)

/**
 * Request bodies are JSON in UTF-8 and nothing else. Other types and compression are refused with 415; bytes that are
 * not UTF-8 with 400, where Fastify would replace them with U+FFFD and we would sign a text that nobody sent.
 */
export default fp(async function jsonBody (app) {
  const parseJson = app.getDefaultJsonParser('error', 'error') // refuses __proto__ and constructor.prototype

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (request.headers['content-encoding'] !== undefined) done(new EncodedError())
    else if (!isUtf8(body)) done(new NotUtf8Error())
    else parseJson(request, body.toString(), done)
  })
}, { name: 'json-body' })
