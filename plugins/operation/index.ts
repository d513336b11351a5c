import fp from 'fastify-plugin'
import openapi from '../../routes/openapi.js'
import probes from '../../routes/probes.js'
import type { LineOutput } from '../../src/telemetry/line-writer.js'
import auditTrail from './audit-trail.js'
import gracefulShutdown from './graceful-shutdown.js'
import metrics from './metrics.js'
import overload from './overload.js'
import readiness from './readiness.js'

/**
 * Registers what operators use. Readiness comes first, because others add checks to it, and metrics before routes.
 * `output` is the destination of the log, and of the audit without AUDIT_FILE.
 */
export default fp<{ output: LineOutput }>(async function operation (app, { output }) {
  app.register(readiness)
  app.register(gracefulShutdown)
  app.register(overload)
  app.register(metrics, { output })
  app.register(auditTrail, { output })
  app.register(probes)
  app.register(openapi)
}, { name: 'operation', dependencies: ['env', 'connections', 'http'], fastify: '5.x' })
