import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Registry } from 'prom-client'
import { outcomes } from '../src/guards/recorder.js'
import { operations } from '../src/scheme/request.js'
import type { Environment } from '../src/settings/environment.js'
import { version } from '../src/version.js'

/** Buckets in seconds: from a signature, or a backend on the same machine, to a time-out. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Metrics of the process, for all apps: their collectors have no end. */
let ofProcess: Registry | undefined

/** Returns the metrics of an app, and a registry that also has those of the process. */
async function createMetrics (app: FastifyInstance) {
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await import('prom-client') // slow to load
  const registry = new Registry()
  const registers = [registry]
  if (ofProcess === undefined) collectDefaultMetrics({ register: ofProcess = new Registry() })
  for (const { name } of ofProcess.getMetricsAsArray()) registry.registerMetric(ofProcess.getSingleMetric(name)!)
  return {
    registry,
    info: new Gauge({
      name: 'payment_signature_info',
      help: 'Always 1; the labels have the version, the variant and the key check value of the token.',
      labelNames: ['version', 'variant', 'key_check_value'],
      registers,
      collect () {
        this.reset()
        const { variant, keyCheckValue } = app.merchants
        this.set({ version, variant, key_check_value: keyCheckValue }, 1)
      }
    }),
    logLost: new Counter({
      name: 'payment_signature_log_lines_lost_total',
      help: 'Lines of the log that standard output did not take.',
      registers
    }),
    requests: new Histogram({
      name: 'payment_signature_request_duration_seconds',
      help: 'From the arrival of the headers to the end of a response that was sent. Route (none): unknown path or wrong method.',
      labelNames: ['route', 'status_code'],
      buckets,
      registers
    }),
    decisions: new Counter({
      name: 'payment_signature_decisions_total',
      help: 'Decisions about requests for a signature.',
      labelNames: ['variant', 'operation', 'outcome'],
      registers
    }),
    authorize: new Histogram({
      name: 'payment_signature_authorize_duration_seconds',
      help: 'Time from the call of authorize to its decision, its failure or the time-out.',
      labelNames: ['result'],
      buckets: buckets.slice(1),
      registers
    }),
    auditLost: new Counter({
      name: 'payment_signature_audit_lines_lost_total', help: 'Decisions that could not be recorded.', registers
    }),
    dropped: new Counter({
      name: 'payment_signature_connections_refused_total', help: 'Connections that were refused: too many were open.', registers
    }),
    unusable: new Gauge({
      name: 'payment_signature_file_unusable',
      help: '1 from the reading of a file that cannot be used until one that can.',
      labelNames: ['setting'],
      registers
    }),
    /** Only for an app with a Redis: without one, the value 0 would be an outage. */
    redisUp: () => new Gauge({
      name: 'payment_signature_rate_limit_redis_up',
      help: '1 if the Redis of the rate limit is available, otherwise 0.',
      registers
    })
  }
}

export type Metrics = Awaited<ReturnType<typeof createMetrics>>

/**
 * Starts the counters at 0: rates need the first value of a series. A request that was not read has the variants of the
 * file of merchants, whose reload can change them.
 */
function startDecisions ({ decisions }: Metrics, { MERCHANTS_FILE, VARIANT }: Environment): void {
  const operationsOf = { A: [...operations, 'clearCache', 'unknown'], B: ['purchase'], 'A,B': ['unknown'] }
  for (const variant of MERCHANTS_FILE === '' ? [VARIANT] : ['A', 'B', 'A,B'] as const) {
    for (const operation of operationsOf[variant]) {
      for (const outcome of new Set(['signed', 'refused', ...Object.values(outcomes)])) {
        decisions.inc({ variant, operation, outcome }, 0)
      }
    }
  }
}

/** Creates the metrics of the decisions, of the process and of all requests. Does nothing without ADMIN_PORT. */
export default fp(async function metricsPlugin (app) {
  const metrics = app.config.ADMIN_PORT === 0 ? undefined : await createMetrics(app)
  app.decorate('metrics', metrics)
  if (metrics === undefined) return
  app.addHook('onReady', async () => startDecisions(metrics, app.config))
  app.addHook('onResponse', (request, reply, done) => {
    const labels = { route: request.routeOptions.url ?? '(none)', status_code: reply.statusCode }
    metrics.requests.observe(labels, reply.elapsedTime / 1000)
    done()
  })
}, { name: 'metrics', dependencies: ['env'], fastify: '5.x' })
