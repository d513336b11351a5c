import fp from 'fastify-plugin'
import type { Authorize } from '../../src/signing/backend.js'
import type { LineOutput } from '../../src/telemetry/line-writer.js'
import auditTrail from './audit-trail.js'
import exposureWarnings from './exposure-warnings.js'
import gracefulShutdown from './graceful-shutdown.js'
import metrics from './metrics.js'
import overload from './overload.js'
import readiness from './readiness.js'

type OperationOptions = { output: LineOutput, authorize: Authorize | undefined }

/**
 * Registers what operators use. Readiness comes first, because others add checks to it.
 * `output` is the destination of the log, and of the audit without AUDIT_FILE; `authorize` is the option of the app.
 */
export default fp<OperationOptions>(async function operation (app, { output, authorize }) {
  app.register(readiness)
  app.register(gracefulShutdown)
  app.register(overload)
  app.register(metrics, { output })
  app.register(auditTrail, { output })
  app.register(exposureWarnings, { authorize })
}, { name: 'operation', dependencies: ['env', 'connections', 'http'], fastify: '5.x' })
