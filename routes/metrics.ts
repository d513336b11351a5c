import type { FastifyPluginAsync } from 'fastify'
import type { Registry } from 'prom-client'

export interface MetricsOptions {
  registry: Registry
}

/** The metrics in Prometheus' text format. */
const metrics: FastifyPluginAsync<MetricsOptions> = async function (app, { registry }) {
  app.get('/metrics', { logLevel: 'warn' }, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()))
}

export default metrics
