import type { Registry } from 'prom-client'
import { readerOf, type Variant } from '../scheme/variants.js'

/** Buckets in seconds, from a backend on the same machine to one that needs the whole time-out. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Outcomes of requests without a signature, by the status of the response. Metrics and audit use these names. */
export const outcomes: Readonly<Record<number, string>> = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'forbidden',
  413: 'invalid',
  415: 'invalid',
  429: 'rate_limited',
  500: 'failed',
  503: 'unavailable'
}

/** Returns the metrics of the signing routes of a registry, which share them. */
export async function metricsIn (registry: Registry) {
  const { Counter, Gauge, Histogram } = await import('prom-client') // slow to load
  const registers = [registry]
  const find = <Metric>(name: string, make: (name: string) => Metric): Metric =>
    registry.getSingleMetric(name) as Metric | undefined ?? make(name)
  return {
    decisions: find('payment_signature_decisions_total', name => new Counter({
      name, help: 'Decisions about requests for a signature.', labelNames: ['variant', 'operation', 'outcome'], registers
    })),
    authorize: find('payment_signature_authorize_duration_seconds', name => new Histogram({
      name,
      help: 'Time from the call of authorize to its decision, its failure or the time-out.',
      labelNames: ['result'],
      buckets,
      registers
    })),
    auditLost: find('payment_signature_audit_lines_lost_total', name => new Counter({
      name, help: 'Decisions that could not be recorded.', registers
    })),
    reloads: find('payment_signature_reloads_total', name => new Counter({
      name, help: 'Readings of a file that has changed, or cannot be used.', labelNames: ['setting', 'result'], registers
    })),
    unusable: find('payment_signature_file_unusable', name => new Gauge({
      name, help: '1 from the reading of a file that cannot be used until one that can.', labelNames: ['setting'], registers
    })),
    redisUp: () => find('payment_signature_rate_limit_redis_up', name => new Gauge({
      name, help: '1 if the Redis of the rate limit is available, otherwise 0.', registers
    }))
  }
}

export type Metrics = Awaited<ReturnType<typeof metricsIn>>

/** Starts the counters of a variant, or of both, at 0: rates need the first value of a series. */
export function startDecisions ({ decisions }: Metrics, variants: Variant | 'A,B'): void {
  const ofA = [...Object.keys(readerOf('A').operations), 'clear-cache', 'unknown']
  for (const variant of variants.split(',')) {
    for (const operation of variant === 'B' ? ['purchase'] : ofA) {
      for (const outcome of new Set(['signed', 'refused', ...Object.values(outcomes)])) {
        decisions.inc({ variant, operation, outcome }, 0)
      }
    }
  }
}
