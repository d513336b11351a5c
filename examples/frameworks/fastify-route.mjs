// fastify-route.mjs
/** Fastify plugin, also for NestJS on Fastify: passes the requests of a path to a handler, and its responses on. */
export async function signingRoute (app, { handler, path = '/api/generate-signature' }) {
  app.removeAllContentTypeParsers() // in this plugin: the handler gets the bytes that the client sent
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.route({
    method: ['POST', 'OPTIONS'], // OPTIONS for CORS_ORIGIN
    url: path,
    handler: async request => {
      const { method, headers, body } = request
      return await handler(new Request('http://localhost/api/generate-signature', { method, headers, body }), request)
    }
  })
}
