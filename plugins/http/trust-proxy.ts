import proxyAddr from '@fastify/proxy-addr'
import fp from 'fastify-plugin'
import { trustedProxies } from '../../src/service/configuration.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether `address` is one of the reverse proxies in TRUST_PROXY, whose X-Forwarded-* headers are believed. */
    trustsProxy (address: string, hop: number): boolean
  }
}

export default fp(async function trustProxy (app) {
  // Node forgets the address of a connection that its client has closed, and the log asks for it after the response.
  // It remembers what has been asked for once.
  app.server.on('connection', ({ remoteAddress }) => remoteAddress)

  app.decorate('trustsProxy', proxyAddr.compile(trustedProxies(app.config.TRUST_PROXY)))
}, { name: 'trust-proxy', dependencies: ['env'] })
