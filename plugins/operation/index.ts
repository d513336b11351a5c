import fp from 'fastify-plugin'
import type { Authorize } from '../../src/signing/backend.js'
import type { LineOutput } from '../../src/signing/options.js'
import auditTrail from './audit-trail.js'
import exposureWarnings from './exposure-warnings.js'
import gracefulShutdown from './graceful-shutdown.js'
import metrics from './metrics.js'
import overload from './overload.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Each check returns the reason for which the service is not ready, or an empty text. */
    readinessChecks: Array<() => string>
    /** Returns the reason of the first check that fails; an empty text if the service is ready for new requests. */
    unreadiness (): string
  }
}

/** Readiness, for load balancers. Other plugins add checks. */
const readiness = fp(async function readiness (app) {
  app.decorate('readinessChecks', [])
  app.decorate('unreadiness', () => app.readinessChecks.map(check => check()).find(reason => reason !== '') ?? '')
}, { name: 'readiness', fastify: '5.x' })

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
