import type { Counter, Gauge, Registry } from 'prom-client'
import type { ReloadResult } from './watched-file.js'

/** Returns the metric of a name in a registry, and makes it if there is none: an app may embed its user twice. */
async function metricIn<Metric> (
  registry: Registry, name: string, make: (client: typeof import('prom-client'), registers: [Registry]) => Metric
): Promise<Metric> {
  const client = await import('prom-client') // slow to load
  return registry.getSingleMetric(name) as Metric | undefined ?? make(client, [registry])
}

/** Returns the counter of a name in a registry, and makes it if there is none. */
export const counterIn = <Label extends string>(
  registry: Registry, name: string, help: string, labelNames: Label[]
): Promise<Counter<Label>> =>
    metricIn(registry, name, ({ Counter }, registers) => new Counter({ name, help, labelNames, registers }))

/** Makes a counter of events that are counted elsewhere. `total` is called for each scrape. */
export const totalIn = (registry: Registry, name: string, help: string, total: () => number): Promise<Counter> =>
  metricIn(registry, name, ({ Counter }, registers) => new Counter({
    name,
    help,
    registers,
    collect () {
      this.reset()
      this.inc(total())
    }
  }))

/** Returns the gauge of a name in a registry, and makes it if there is none. `value` is called for each scrape. */
export const gaugeIn = (registry: Registry, name: string, help: string, value?: () => number): Promise<Gauge> =>
  metricIn(registry, name, ({ Gauge }, registers) =>
    new Gauge({ name, help, registers, ...value && { collect () { this.set(value()) } } }))

/** Makes a gauge that is always 1. Its labels have the information, and are read for each scrape. */
export const infoIn = <Label extends string>(
  registry: Registry, name: string, help: string, labelNames: Label[], labels: () => Record<Label, string>
): Promise<Gauge<Label>> =>
    metricIn(registry, name, ({ Gauge }, registers) => new Gauge({
      name,
      help,
      labelNames,
      registers,
      collect () {
        this.reset()
        this.set(labels(), 1)
      }
    }))

/** From a backend on the same machine to one that takes all of its time, in seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Registers the metrics of authorize. */
export async function authorizeMetrics (registry: Registry) {
  const results = await counterIn(registry, 'payment_signature_authorize_decisions_total',
    'What authorize decided. Unavailable: it was asked, and there was no decision. Shed: it was not asked.', ['result'])
  for (const result of ['allowed', 'refused', 'unavailable', 'shed']) results.inc({ result }, 0)
  const name = 'payment_signature_authorize_duration_seconds'
  const help = 'From asking authorize until there was a decision, or none was waited for any longer.'
  return {
    results,
    durations: await metricIn(registry, name, ({ Histogram }, registers) =>
      new Histogram({ name, help, buckets, registers })),
    inFlight: await gaugeIn(registry, 'payment_signature_authorize_in_flight', 'Requests that wait for authorize.'),
    openBreakers: await gaugeIn(registry, 'payment_signature_authorize_breaker_open',
      'Whether authorize does not answer and is asked only once a second (1), or for each request (0).')
  }
}

/** Counts the readings of a file by what came of them; if nobody asks for metrics, it does nothing. */
export async function reloadCounter (
  registry: Registry | undefined, name: string, help: string
): Promise<(result: ReloadResult) => void> {
  if (registry === undefined) return () => {}
  const reloads = await counterIn(registry, name, help, ['result'])
  for (const result of ['replaced', 'unchanged', 'failed']) reloads.inc({ result }, 0)
  return result => reloads.inc({ result })
}
