import fp from 'fastify-plugin'
import type { Registry } from 'prom-client'
import { messages } from '../../src/service/messages.js'
import { counterIn } from '../../src/service/prometheus.js'
import { overloadError } from '../../src/service/refused-error.js'

export interface LoadSheddingOptions {
  /** Whether requests have to wait for so long that they had better go elsewhere; never, if not given. */
  isOverloaded?: () => boolean
}

/** Refuses signing while overloaded, before the body is read. Liveness and readiness are always answered. */
export default fp<LoadSheddingOptions & { metrics?: Registry | undefined }>(async function loadShedding (app, options) {
  const { isOverloaded, metrics } = options
  if (isOverloaded === undefined) return
  const shed = metrics && await counterIn(metrics, 'payment_signature_shed_requests_total',
    'Requests for a signature that were refused because of overload.', [])

  app.addHook('onRequest', (_request, _reply, done) => {
    if (!isOverloaded()) return done()
    shed?.inc()
    done(overloadError(messages.overloaded))
  })
}, { name: 'load-shedding' })
