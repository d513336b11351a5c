import Fastify, { type FastifyInstance } from 'fastify'
import { limitConnections } from '../http/connections.js'
import http, { responseHeaders } from '../http/index.js'
import probes from '../../routes/probes.js'
import { quietLogLevel } from '../../src/settings/environment.js'
import { maxAdminConnections } from '../../src/process/connection-limit.js'
import { listen } from '../../src/process/listen.js'
import { serverOptions } from '../http/server-options.js'

/**
 * Serves metrics and probes at ADMIN_PORT until the service closes. Returns the URL of the metrics; undefined if
 * ADMIN_PORT is empty. A separate port hides the metrics from the service's clients without a proxy, and
 * probes do not wait behind other requests.
 *
 * @param app - ready but not listening yet, so that a failure stops the start before requests arrive
 * @throws Error an address cannot be listened on, with the system's error as `cause`
 */
export async function serveAdmin (app: FastifyInstance): Promise<string | undefined> {
  const { config, metrics } = app
  if (metrics === undefined) return undefined
  const admin = Fastify({
    ...serverOptions((text, length) => app.merchantToken.redactStart(text, length), () => false),
    keepAliveTimeout: 5000, // short, because no load balancer reuses these connections
    loggerInstance: app.log
  })
  // The probes are served here but report the state of the main service.
  admin.decorate('config', config)
  admin.decorate('backgroundFaults', app.backgroundFaults)
  admin.decorate('variant', { getter: () => app.variant })
  admin.decorate('unreadiness', () => app.unreadiness() || (app.server.listening ? '' : 'starting'))
  limitConnections(admin, 'ADMIN_PORT', maxAdminConnections)
  admin.register(responseHeaders)
  admin.register(http)
  admin.register(probes)
  let collecting: Promise<string> | undefined
  admin.register(async function metricsRoute (admin) { // loaded after the list of the routes for a 405
    admin.get('/metrics', { logLevel: quietLogLevel(config) }, async (_request, reply) => {
      // Requests that arrive meanwhile get the same text: many at a time would delay the probes.
      collecting ??= metrics.metrics().finally(() => { collecting = undefined })
      return reply.type(metrics.contentType).send(await collecting)
    })
  })
  app.server.once('close', () => {
    admin.server.closeAllConnections()
    admin.close()
  })
  return `${await listen(admin, config.ADMIN_HOST, Number(config.ADMIN_PORT), 'ADMIN_HOST and ADMIN_PORT')}/metrics`
}
