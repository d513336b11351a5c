import type { Counter, Gauge, Registry } from 'prom-client'

/** Returns the metric of a name in a registry. Creates only a missing one: an app may register the plugin twice. */
async function metricIn<Metric> (
  registry: Registry, name: string, make: (client: typeof import('prom-client'), registers: [Registry]) => Metric
): Promise<Metric> {
  const client = await import('prom-client') // slow to load
  return registry.getSingleMetric(name) as Metric | undefined ?? make(client, [registry])
}

/** Returns the counter of a name in a registry. Creates it if it is missing. */
export const counterIn = <Label extends string>(
  registry: Registry, name: string, help: string, labelNames: Label[]
): Promise<Counter<Label>> =>
    metricIn(registry, name, ({ Counter }, registers) => new Counter({ name, help, labelNames, registers }))

/** Exposes a count that exists elsewhere as a counter. `total` is called for each scrape. */
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

/** Returns the gauge of a name in a registry. Creates it if it is missing. `value` is called for each scrape. */
export const gaugeIn = (registry: Registry, name: string, help: string, value?: () => number): Promise<Gauge> =>
  metricIn(registry, name, ({ Gauge }, registers) =>
    new Gauge({ name, help, registers, ...value && { collect () { this.set(value()) } } }))

/** Creates a gauge that is always 1 and has its information in labels. `labels` is called for each scrape. */
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

/** Buckets in seconds: from a backend on the same machine to one that needs the whole time-out. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Registers the metrics of authorize. */
export async function authorizeMetrics (registry: Registry) {
  const results = await counterIn(registry, 'payment_signature_authorize_decisions_total',
    'Decisions of authorize. Unavailable: authorize was called without a decision. Shed: authorize was not called.', ['result'])
  for (const result of ['allowed', 'refused', 'unavailable', 'shed']) results.inc({ result }, 0)
  const name = 'payment_signature_authorize_duration_seconds'
  const help = 'Time from the call of authorize to its decision, its failure or the time-out.'
  return {
    results,
    durations: await metricIn(registry, name, ({ Histogram }, registers) =>
      new Histogram({ name, help, buckets, registers })),
    inFlight: await gaugeIn(registry, 'payment_signature_authorize_in_flight', 'Requests that wait for authorize.')
  }
}
