import fp from 'fastify-plugin'

/** Lets idle connections live for KEEP_ALIVE_TIMEOUT, which is loaded when the server is already there. */
export default fp(async function keepAlive (app) {
  app.server.keepAliveTimeout = app.config.KEEP_ALIVE_TIMEOUT
}, { name: 'keep-alive', dependencies: ['env'] })
