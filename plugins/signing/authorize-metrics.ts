import type { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** What authorize is measured by. */
export interface AuthorizeMetrics {
  results: Counter<'result'>
  durations: Histogram
  inFlight: Gauge
  openBreakers: Gauge
}

/** From a backend on the same machine to one that takes all of its time, in seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The metrics that a registry has already: an app may embed the plugin twice. */
const known = new WeakMap<Registry, AuthorizeMetrics>()

/** Registers the metrics of authorize. */
export async function authorizeMetrics (registry: Registry): Promise<AuthorizeMetrics> {
  const { Counter, Gauge, Histogram } = await import('prom-client')
  const registers = [registry]
  const metrics = known.get(registry) ?? {
    results: new Counter({
      name: 'payment_signature_authorize_decisions_total',
      help: 'What authorize decided. Unavailable: it was asked, and there was no decision. Shed: it was not asked.',
      labelNames: ['result'],
      registers
    }),
    durations: new Histogram({
      name: 'payment_signature_authorize_duration_seconds',
      help: 'From asking authorize until there was a decision, or none was waited for any longer.',
      buckets,
      registers
    }),
    inFlight: new Gauge({
      name: 'payment_signature_authorize_in_flight',
      help: 'Requests that wait for authorize.',
      registers
    }),
    openBreakers: new Gauge({
      name: 'payment_signature_authorize_breaker_open',
      help: 'Whether authorize does not answer and is asked only once a second (1), or for each request (0).',
      registers
    })
  }
  known.set(registry, metrics)
  for (const result of ['allowed', 'refused', 'unavailable', 'shed']) metrics.results.inc({ result }, 0)
  return metrics
}
