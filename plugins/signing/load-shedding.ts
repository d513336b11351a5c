import fp from 'fastify-plugin'
import { RefusedError } from '../../src/service/refused-error.js'

export interface LoadSheddingOptions {
  /** Whether requests have to wait for so long that new ones had better go elsewhere; never, if not given. */
  isOverloaded?: () => boolean
}

/** When to try again, in seconds: by then the load has been measured anew. */
const retryAfter = 2

/** Refuses signing while overloaded, before the body is read. Liveness and readiness are always answered. */
export default fp<LoadSheddingOptions>(async function loadShedding (app, { isOverloaded }) {
  if (isOverloaded === undefined) return

  app.addHook('onRequest', (_request, _reply, done) => {
    done(isOverloaded()
      ? new RefusedError(503, 'Service Unavailable: overloaded, try again later', { 'retry-after': retryAfter })
      : undefined)
  })
}, { name: 'load-shedding' })
