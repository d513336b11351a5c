import type { FastifyPluginAsync } from 'fastify'
import type { Registry } from 'prom-client'
import type { quietLogLevel } from '../src/service/configuration.js'

interface MetricsRouteOptions {
  registry: Registry
  /** As of any route that is asked every few seconds. */
  logLevel: ReturnType<typeof quietLogLevel>
}

/** The metrics in Prometheus' text format. */
const metrics: FastifyPluginAsync<MetricsRouteOptions> = async function (app, { registry, logLevel }) {
  app.get('/metrics', { logLevel }, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()))
}

export default metrics
