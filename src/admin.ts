import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { answer as answerSocket, refusalOf } from '../plugins/http/protocol-errors.js'
import { securityHeaders } from '../plugins/http/security-headers.js'
import { listenAt } from './service/listen.js'

function answer (response: ServerResponse, statusCode: number, type: string, body: string, allow?: string): void {
  response.writeHead(statusCode, {
    ...securityHeaders,
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    ...(allow === undefined ? {} : { allow })
  }).end(body)
}

function refuse (response: ServerResponse, statusCode: number, message: string, allow?: string): void {
  answer(response, statusCode, 'application/json; charset=utf-8', JSON.stringify({ error: message }), allow)
}

/** `GET /metrics` in Prometheus' text format, and nothing else. */
function createAdminServer (registry: Registry, log: FastifyBaseLogger): Server {
  async function handle ({ method = '', url = '' }: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path] = url.split('?')
    if (path !== '/metrics') return refuse(response, 404, `Not Found: ${method} ${path}`)
    if (method !== 'GET' && method !== 'HEAD') {
      return refuse(response, 405, `Method Not Allowed: ${method} ${path}`, 'GET, HEAD')
    }
    try {
      answer(response, 200, registry.contentType, await registry.metrics())
    } catch (err) {
      log.error({ err }, 'metrics cannot be collected')
      refuse(response, 500, 'Internal Server Error')
    }
  }
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, handle) // milliseconds
  return server.on('clientError', (error, socket) => answerSocket(socket, ...refusalOf(error), {}))
}

/**
 * Listens at ADMIN_PORT until the service closes, and returns the URLs of the metrics; none if ADMIN_PORT is empty. It
 * is apart from the service, so that whoever may ask for signatures cannot read the metrics, and no proxy has to hide
 * them.
 *
 * @param app - ready, and not yet listening: metrics that cannot be served should stop the start before requests come
 * @throws that an address cannot be listened on, with the system's error as `cause`
 */
export async function serveMetrics (app: FastifyInstance, addresses: string[]): Promise<string[]> {
  if (app.metrics === null) return []
  const admin = createAdminServer(app.metrics, app.log)
  app.server.once('close', () => {
    admin.close()
    admin.closeAllConnections()
  })
  const urls = await listenAt(admin, addresses, Number(app.config.ADMIN_PORT), 'ADMIN_PORT')
  return urls.map(url => `${url}/metrics`)
}
