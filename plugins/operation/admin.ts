import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import http from '../http/index.js'
import { lastResponseOn } from '../http/protocol-errors.js'
import responseHeaders from '../http/response-headers.js'
import probes from '../../routes/probes.js'
import { quietLogLevel } from '../../src/settings/environment.js'
import { maxAdminConnections } from '../../src/process/connection-limit.js'
import { listen } from '../../src/process/listen.js'
import { serverOptions } from '../http/server-options.js'
import { ThrottledLog } from '../../src/telemetry/throttled-log.js'

/**
 * Ends the oldest idle connection if more than {@link maxAdminConnections} are open, so that idle connections cannot
 * block probes. The new connection ends if all others have a request in progress.
 */
function limitConnections ({ server, log }: FastifyInstance): void {
  const open = new Set<Socket>()
  const ended = new ThrottledLog(times =>
    log.warn({ times, max: maxAdminConnections }, 'connections to ADMIN_PORT ended, too many are open'))
  server.on('connection', socket => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    if (open.size <= maxAdminConnections) return
    const idle = [...open].find(one => lastResponseOn(one)?.writableFinished !== false)! // the new one is idle
    open.delete(idle)
    idle.destroy()
    ended.report()
  })
}

/**
 * Serves metrics and probes at ADMIN_PORT until the service closes. Returns the URL of the metrics; undefined if
 * ADMIN_PORT is empty. A separate port hides the metrics from the service's clients without a proxy, and probes do not wait behind
 * other requests.
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
  limitConnections(admin)
  admin.register(responseHeaders)
  admin.register(http)
  admin.register(probes)
  admin.get('/metrics', { logLevel: quietLogLevel(config) }, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.metrics()))
  app.server.once('close', () => {
    admin.server.closeAllConnections()
    admin.close()
  })
  return `${await listen(admin, config.ADMIN_HOST, Number(config.ADMIN_PORT), 'ADMIN_HOST and ADMIN_PORT')}/metrics`
}
