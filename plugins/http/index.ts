import fp from 'fastify-plugin'
import errorHandler from './error-handler.js'
import notFound from './not-found.js'
import pipelining from './pipelining.js'
import protocolErrors from './protocol-errors.js'

export { default as connections } from './connections.js'
export { default as responseHeaders } from './response-headers.js'

/** Registers what every server of this package adds to Fastify's HTTP: errors as JSON, and limits of connections. */
export default fp(async function http (app) {
  app.register(errorHandler)
  app.register(protocolErrors)
  app.register(pipelining)
  app.register(notFound)
}, { name: 'http', fastify: '5.x' })
