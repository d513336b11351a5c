import fp from 'fastify-plugin'
import type { Registry } from 'prom-client'
import { stdout } from '../src/log.js'
import { version } from '../src/text/program.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Registry of the metrics; undefined without ADMIN_PORT. Labels must come from closed sets. */
    metrics?: Registry
  }
}

/** Buckets in seconds: from a signature to a request whose body arrives just before the time-out. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Metrics of the process, for all apps: their collectors have no end. */
let ofProcess: Registry | undefined

/** Creates the registry with metrics of the process and of all requests. Does nothing without ADMIN_PORT. */
export default fp(async function metrics (app) {
  if (app.config.ADMIN_PORT === '') return
  const { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } = await import('prom-client') // slow to load
  const registry = new Registry()
  app.decorate('metrics', registry)
  if (ofProcess === undefined) collectDefaultMetrics({ register: ofProcess = new Registry() })
  for (const { name } of ofProcess.getMetricsAsArray()) registry.registerMetric(ofProcess.getSingleMetric(name)!)
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'From the arrival of the headers to the end of the response. Route (none): unknown path or wrong method.',
    labelNames: ['route', 'status_code'],
    buckets,
    registers: [registry]
  })
  app.addHook('onResponse', (request, reply, done) => {
    durations.observe({ route: request.routeOptions.url ?? '(none)', status_code: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  })
  registry.registerMetric(new Gauge({
    name: 'payment_signature_info',
    help: 'Always 1; the labels have the version, the variant and the key check value of the token.',
    labelNames: ['version', 'variant', 'key_check_value'],
    registers: [],
    collect () {
      this.reset()
      const { variant, keyCheckValue } = app.identity
      this.set({ version, variant, key_check_value: keyCheckValue }, 1)
    }
  }))
  registry.registerMetric(new Counter({
    name: 'payment_signature_log_lines_lost_total',
    help: 'Lines of the log that standard output did not take.',
    registers: [],
    collect () {
      this.reset()
      this.inc(stdout.lost)
    }
  }))
}, { name: 'metrics', dependencies: ['env'], fastify: '5.x' })
