import Fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import errors from '../plugins/http/errors.js'
import notFound from '../plugins/http/not-found.js'
import protocolErrors from '../plugins/http/protocol-errors.js'
import requestId, { requestIdOf } from '../plugins/http/request-id.js'
import { RequestLog } from '../plugins/http/request-log.js'
import securityHeaders from '../plugins/http/security-headers.js'
import { serverOptions } from '../plugins/http/server-options.js'
import metrics from '../routes/metrics.js'
import { quietLogLevel } from './service/configuration.js'
import { listenAt } from './service/listen.js'

/**
 * Listens at ADMIN_PORT until the service closes, and returns the URLs of the metrics; none if ADMIN_PORT is empty. It
 * is apart from the service, so that whoever may ask for signatures cannot read the metrics, and no proxy has to hide
 * them.
 *
 * @param app - ready, and not yet listening: metrics that cannot be served should stop the start before requests come
 * @throws that an address cannot be listened on, with the system's error as `cause`
 */
export async function serveMetrics (app: FastifyInstance, addresses: string[]): Promise<string[]> {
  if (app.metrics === undefined) return []
  const admin = Fastify({
    ...serverOptions,
    loggerInstance: app.log,
    logController: new RequestLog(),
    genReqId: request => requestIdOf(request, () => false)
  })
  admin.register(securityHeaders)
  admin.register(requestId)
  admin.register(errors, { logRefusals: true })
  admin.register(protocolErrors)
  admin.register(notFound)
  admin.register(metrics, { registry: app.metrics, logLevel: quietLogLevel(app.config) })
  app.server.once('close', () => {
    admin.server.closeAllConnections()
    admin.close()
  })
  await admin.ready()
  const urls = await listenAt(admin.server, addresses, Number(app.config.ADMIN_PORT), 'ADMIN_PORT')
  return urls.map(url => `${url}/metrics`)
}
