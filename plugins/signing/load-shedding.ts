import fp from 'fastify-plugin'
import type { Registry } from 'prom-client'
import { RefusedError } from '../../src/service/refused-error.js'

export interface LoadSheddingOptions {
  /** Whether requests have to wait for so long that they had better go elsewhere; never, if not given. */
  isOverloaded?: () => boolean
}

/** When to try again, in seconds: by then the load has been measured anew. */
const retryAfter = 2

async function counterIn (registry: Registry): Promise<() => void> {
  const { Counter } = await import('prom-client')
  const name = 'payment_signature_shed_requests_total'
  const counter = registry.getSingleMetric(name) as InstanceType<typeof Counter> | undefined ?? new Counter({
    name,
    help: 'Requests for a signature that were refused because of overload.',
    registers: [registry]
  })
  return () => counter.inc()
}

/** Refuses signing while overloaded, before the body is read. Liveness and readiness are always answered. */
export default fp<LoadSheddingOptions & { metrics?: Registry | undefined }>(async function loadShedding (app, options) {
  const { isOverloaded, metrics } = options
  if (isOverloaded === undefined) return
  const count = metrics === undefined ? () => {} : await counterIn(metrics)

  app.addHook('onRequest', (_request, _reply, done) => {
    if (!isOverloaded()) return done()
    count()
    done(new RefusedError(503, 'Service Unavailable: overloaded, try again later', { 'retry-after': retryAfter }))
  })
}, { name: 'load-shedding' })
