import { isUtf8 } from 'node:buffer'
import { fastify, LogController, type FastifyReply } from 'fastify'
import { applyRefusal, toRefusedError, RefusedError } from '../src/http/refusals.js'
import { bodyLimit } from '../src/http/json-body.js'
import { securityHeaders, serverOptions } from '../src/http/server-options.js'
import { openStdout } from '../src/log.js'
import { Redactor } from '../src/merchants/redactor.js'
import { isRequest } from '../src/scheme/request.js'
import { VariantA } from '../src/scheme/variants.js'

/*
 * The least code for the signing route without guards, as a measure for the service in `bench.js`: the same server,
 * scheme and errors, and for everything else one function.
 */

const path = '/api/generate-signature'

const headers = {
  ...securityHeaders,
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Retry-After, X-Request-Id, Error-Code'
}

/** Returns an app with the signing route, variant A, that logs a line for each request. */
export function minimal ({ MERCHANT_TOKEN = '', LOG_LEVEL: level = 'info' }: NodeJS.ProcessEnv) {
  const redactor = new Redactor()
  redactor.hide(MERCHANT_TOKEN)
  const app = fastify({
    ...serverOptions,
    logController: new LogController({ disableRequestLogging: true }),
    logger: { level, stream: openStdout(), hooks: { streamWrite: line => redactor.redact(line) } }
  })
  app.setReplySerializer(payload => JSON.stringify(payload))
  app.decorateRequest('refusal', null)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id)
    done()
  })

  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer', bodyLimit }, (request, body, done) => {
    const { 'content-encoding': encoding, 'content-type': type = '' } = request.headers
    const isOther = type !== 'application/json' && /;\s*charset\s*=\s*(?!"?utf-?8"?\s*(?:;|$))/i.test(type)
    if (encoding !== undefined || isOther) return done(new RefusedError('content-type'))
    if (!isUtf8(body)) return done(new RefusedError('body-invalid'))
    parse(request, body.toString(), done)
  })
  app.setErrorHandler((error, request, reply) => {
    if (!reply.raw.headersSent) reply.send(applyRefusal(toRefusedError(error, reply.statusCode), request, reply))
  })
  if (level !== 'silent') {
    app.addHook('onResponse', (request, reply, done) => {
      const { method, id: requestId, raw: { socket: { remoteAddress: clientAddress } } } = request
      const responseTime = Math.round(reply.elapsedTime * 1000) / 1000
      const code = request.refusal?.code
      app.log.info({ requestId, method, path, statusCode: reply.statusCode, responseTime, clientAddress, code }, 'request completed')
      done()
    })
  }

  const variant = new VariantA(MERCHANT_TOKEN)
  let waiting: Array<[FastifyReply, string]> = []
  /** Sends the responses of a turn of the event loop together. */
  function flush (): void {
    const now = waiting
    waiting = []
    for (const [reply, signature] of now) reply.send({ signature })
  }
  app.post(path, ({ body }, reply) => {
    if (!isRequest(body)) throw new RefusedError('body-invalid')
    const signature = variant.sign(variant.read(body))
    if (waiting.push([reply, signature]) === 1) setImmediate(flush)
  })
  return app
}
