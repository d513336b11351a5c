import fp from 'fastify-plugin'
import type { GuardSettings } from './guard-options.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Result of the option `context`; null without the option. */
    signingContext: unknown
  }
}

/** Calls the option `context` before the body is read. */
export default fp<GuardSettings>(async function context (app, { context }) {
  app.decorateRequest('signingContext', null)
  if (context === undefined) return

  app.addHook('onRequest', async request => {
    request.signingContext = await context(request)
  })
}, { name: 'context' })
