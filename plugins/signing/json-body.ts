import { isUtf8 } from 'node:buffer'
import type { FastifyError } from 'fastify'
import fp from 'fastify-plugin'
import { RefusedError } from '../../src/service/refused-error.js'

const notJson = 'Body is not valid JSON but content-type is set to \'application/json\''

/**
 * Request bodies are JSON in UTF-8 and nothing else. Other types and compression are refused with 415; bytes that are
 * not UTF-8 with 400, where Fastify would replace them with U+FFFD and we would sign a text that nobody sent.
 *
 * Fastify's own parser makes JSON of them, and refuses `__proto__` and `constructor.prototype`.
 */
export default fp(async function jsonBody (app) {
  const parseJson = app.getDefaultJsonParser('error', 'error')

  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (request.headers['content-encoding'] !== undefined) {
      return done(new RefusedError(415, 'Unsupported Media Type: send the body without Content-Encoding'))
    }
    if (!isUtf8(body)) return done(new RefusedError(400, 'Request body is not valid UTF-8'))
    parseJson(request, body.toString(), (error, value) => {
      const isEmpty = (error as FastifyError | null)?.code === 'FST_ERR_CTP_EMPTY_JSON_BODY'
      // With older versions of Fastify the message cites the body, which may hold the token.
      done(error && !isEmpty ? new RefusedError(400, notJson) : error, value)
    })
  })
}, { name: 'json-body' })
