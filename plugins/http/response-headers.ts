import fp from 'fastify-plugin'

/**
 * What tells a browser to treat a response as data and nothing else. Constant, so that responses which pass no hook can
 * carry them too. No more than do something for JSON, since each costs time on each response: pages read it by CORS, on
 * which Cross-Origin-Resource-Policy has no say, and Strict-Transport-Security is for whoever has the TLS.
 */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'"
} as const

/**
 * Adds the {@link securityHeaders} and the request ID to every response. Registered before CORS, whose preflight
 * responses end the hooks.
 */
export default fp(async function responseHeaders (app) {
  app.addHook('onRequest', ({ id }, reply, done) => {
    reply.headers(securityHeaders).header('x-request-id', id)
    done()
  })
}, { name: 'response-headers' })
