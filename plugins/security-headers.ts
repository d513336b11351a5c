import fp from 'fastify-plugin'

/**
 * What tells a browser to treat an answer as data and nothing else. Constant, so that answers which pass no hook can
 * carry them too. Cross-Origin-Resource-Policy leaves it to CORS_ORIGIN who may read; Strict-Transport-Security is for
 * whoever has the TLS.
 */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'cross-origin'
} as const

/** Registered before CORS, whose preflight answers end the hooks. */
export default fp(async function addSecurityHeaders (app) {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(securityHeaders)
    done()
  })
}, { name: 'security-headers' })
