import fp from 'fastify-plugin'
import type { LineOutput } from '../src/service/line-writer.js'
import { version } from '../src/service/version.js'

interface ServiceMetricsOptions {
  /** What the log is written to. */
  output: LineOutput
}

/** Metrics of what the service counts anyway, read when they are asked for. */
export default fp<ServiceMetricsOptions>(async function serviceMetrics (app, { output }) {
  const { metrics, signer, auditTrail, connections, backgroundFaults } = app
  if (metrics === undefined) return
  const { Counter, Gauge } = await import('prom-client')
  const registers = [metrics]

  const counter = (name: string, help: string, total: () => number) => new Counter({
    name,
    help,
    registers,
    collect () {
      this.reset()
      this.inc(total())
    }
  })
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({ name, help, registers, collect () { this.set(value()) } })

  new Gauge({
    name: 'payment_signature_build_info',
    help: 'Always 1; the labels say what runs.',
    labelNames: ['version', 'variant', 'node_version'],
    registers
  }).set({ version, variant: signer.variant, node_version: process.version }, 1)
  counter('payment_signature_log_lines_lost_total', 'Lines of the log and the audit that standard output did not take.',
    () => output.lost)
  gauge('payment_signature_connections', 'Open connections to PORT.', () => connections.open)
  gauge('payment_signature_connections_max', 'How many connections to PORT may be open.', () => connections.max)
  counter('payment_signature_connections_refused_total', 'Connections to PORT that were ended at once, too many being open.',
    () => connections.refused)
  counter('payment_signature_background_faults_total', 'Faults of timers, of accepting connections, or of a library.',
    () => backgroundFaults.count)
  gauge('payment_signature_event_loop_delay_seconds', 'How late the event loop was over the last second, on average.',
    () => app.eventLoopDelay() / 1000)
  if (auditTrail === undefined) return
  gauge('payment_signature_audit_up', 'Whether decisions can be recorded (1) or not (0).', () => Number(auditTrail.isUp))
}, { name: 'service-metrics', dependencies: ['merchant-token', 'background-faults', 'connection-limit', 'overload'] })
