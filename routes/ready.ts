import createError from '@fastify/error'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { quietLogLevel } from '../src/service/configuration.js'
import { ErrorResponse, ReadyResponse } from './schemas.js'

const NotReadyError = createError<[reason: string]>('ERR_NOT_READY', '%s', 503)

/** Readiness: whether a load balancer should send requests here. As with liveness only failures are logged. */
const readyRoute: FastifyPluginAsyncTypebox = async function (app) {
  app.get('/ready', {
    logLevel: quietLogLevel(app.config),
    schema: { response: { 200: ReadyResponse, 503: ErrorResponse } }
  }, (request): ReadyResponse => {
    const reason = app.unreadiness()
    if (reason === '') return { ok: true }
    request.log.warn({ reason }, 'not ready')
    throw new NotReadyError(reason)
  })
}

export default readyRoute
