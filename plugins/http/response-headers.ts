import fp from 'fastify-plugin'

/**
 * Headers that make a browser treat a response only as data. Responses outside hooks have them too. Each header costs
 * time on each response, so only those that matter for JSON are here: Cross-Origin-Resource-Policy has no effect on
 * requests with CORS, and Strict-Transport-Security is up to the server that terminates TLS.
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
  app.addHook('onRequest', ({ id, raw }, reply, done) => {
    if (raw.socket.destroyed) return // Node.js still parses what it has read before the connection was cut
    reply.headers(securityHeaders).header('x-request-id', id)
    done()
  })
}, { name: 'response-headers', fastify: '5.x' })
