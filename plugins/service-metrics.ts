import fp from 'fastify-plugin'
import type { LineOutput } from '../src/service/line-writer.js'
import { version } from '../src/service/version.js'

export interface ServiceMetricsOptions {
  /** What the log is written to. */
  output: LineOutput
}

/** Which version runs, and whether its log arrives. */
export default fp<ServiceMetricsOptions>(async function serviceMetrics ({ metrics, signer }, { output }) {
  if (metrics === undefined) return
  const { Counter, Gauge } = await import('prom-client')
  metrics.registerMetric(new Gauge({
    name: 'payment_signature_build_info',
    help: 'Always 1; the labels say what runs',
    labelNames: ['version', 'variant', 'node_version'],
    registers: [],
    collect () { this.set({ version, variant: signer.variant, node_version: process.version }, 1) }
  }))
  metrics.registerMetric(new Counter({
    name: 'payment_signature_log_lines_lost_total',
    help: 'Lines of the log and the audit that standard output did not take',
    registers: [],
    collect () {
      this.reset()
      this.inc(output.lost)
    }
  }))
}, { name: 'service-metrics', dependencies: ['merchant-token'] })
