import fp from 'fastify-plugin'
import type { Registry } from 'prom-client'
import { version } from '../../src/text/program.js'
import type { LineOutput } from '../../src/signing/options.js'
import { gaugeIn, infoIn, totalIn } from '../../src/telemetry/prometheus.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Registry of the metrics; undefined without ADMIN_PORT. Labels must come from closed sets. */
    metrics?: Registry
  }
}

/** Buckets in seconds: from a signature to a request whose body arrives just before the time-out. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const methods = new Set(['GET', 'HEAD', 'POST', 'OPTIONS'])

/** Gauges with the suffix of counters, which promtool refuses; sums of other gauges (prometheus/client_js#283). */
const misnamed = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']

/**
 * Creates the registry with metrics of the process, of the service and of all requests. Does nothing without
 * ADMIN_PORT. Later plugins add their own metrics. `output` is the destination of the log. `fastify-metrics` would
 * replace only the histogram.
 */
export default fp<{ output: LineOutput }>(async function metrics (app, { output }) {
  const { config, connections, backgroundFaults } = app
  if (config.ADMIN_PORT === '') return
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

  await totalIn(registry, 'payment_signature_log_lines_lost_total',
    'Lines of the log and the audit that could not be written to standard output.', () => output.lost)
  await totalIn(registry, 'payment_signature_connections_refused_total',
    'Connections to PORT that were ended, because too many were open.', () => connections.ended.count)
  await totalIn(registry, 'payment_signature_background_faults_total',
    'Faults of timers, of accepting connections, or of a library.', () => backgroundFaults.count)
  await gaugeIn(registry, 'payment_signature_connections', 'Open connections to PORT.', () => connections.open.size)
  await gaugeIn(registry, 'payment_signature_connections_max', 'Maximum number of open connections to PORT.', () => connections.max)
  await gaugeIn(registry, 'payment_signature_event_loop_delay_seconds',
    'Mean delay of the event loop over the last second.', () => app.eventLoopDelay() / 1000)
  await infoIn(registry, 'payment_signature_build_info', 'Always 1; the labels have the versions and the variant.',
    ['version', 'variant', 'node_version'], () => ({ version, variant: app.variant, node_version: process.version }))
}, { name: 'metrics', dependencies: ['env', 'connections', 'overload'], fastify: '5.x' })
