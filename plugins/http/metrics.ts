import fp from 'fastify-plugin'
import type { Registry } from 'prom-client'

declare module 'fastify' {
  interface FastifyInstance {
    /** Where to register metrics; undefined if nobody asks for them. Labels must come from closed sets. */
    metrics?: Registry
  }
}

/** From a signature to a request whose body takes its whole time to arrive, in seconds. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const methods = new Set(['GET', 'HEAD', 'POST', 'OPTIONS'])

/** Gauges with the suffix of counters, which promtool refuses; the sums of others (prometheus/client_js#283). */
const misnamed = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']

interface MetricsOptions {
  isOn: boolean
}

/** Metrics of the process and of all requests that were routed, in a registry of this app's own. */
export default fp<MetricsOptions>(async function metrics (app, { isOn }) {
  if (!isOn) return
  const { Histogram, Registry, collectDefaultMetrics } = await import('prom-client')
  const registry = new Registry()
  app.decorate('metrics', registry)
  collectDefaultMetrics({ register: registry })
  for (const name of misnamed) registry.removeSingleMetric(name)

  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'From the arrival of the headers to the end of the response. Route (none): unknown path or wrong method.',
    labelNames: ['method', 'route', 'status_code'],
    buckets,
    registers: [registry]
  })
  app.addHook('onRoute', ({ method, url }) => { // an alert needs the series from the start
    if (method === 'POST') durations.zero({ method, route: url, status_code: 200 })
  })
  app.addHook('onResponse', (request, reply, done) => {
    durations.observe({
      method: methods.has(request.method) ? request.method : 'other',
      route: request.routeOptions.url ?? '(none)',
      status_code: reply.statusCode
    }, reply.elapsedTime / 1000)
    done()
  })
}, { name: 'metrics' })
