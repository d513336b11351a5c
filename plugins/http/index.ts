import fp from 'fastify-plugin'
import pipelining from './pipelining.js'
import protocolErrors from './protocol-errors.js'
import { errorHandler, notFound } from './responses.js'

export { default as connections } from './connections.js'
export { responseHeaders } from './responses.js'

/** Registers what every server of this package adds to Fastify's HTTP: errors as JSON, and limits of connections. */
export default fp(async function http (app) {
  app.register(errorHandler)
  app.register(protocolErrors)
  app.register(pipelining)
  app.register(notFound)
}, { name: 'http', fastify: '5.x' })
