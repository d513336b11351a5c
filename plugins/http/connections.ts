import type { Socket } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import fp from 'fastify-plugin'
import { trustedProxies } from '../../src/settings/environment.js'
import { connectionLimitOf } from '../../src/process/connection-limit.js'
import { ThrottledLog } from '../../src/telemetry/throttled-log.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Connections: the open ones, their maximum number, and the refused ones. */
    connections: { readonly open: Set<Socket>, readonly max: number, readonly refused: ThrottledLog }
    /** Faults outside requests: of timers, of accepting connections, or of a library. */
    backgroundFaults: ThrottledLog<unknown>
    /** True for the address of a reverse proxy in TRUST_PROXY, whose X-Forwarded-* headers are trusted. */
    trustsProxy (address: string, hop: number): boolean
  }
}

/**
 * Applies KEEP_ALIVE_TIMEOUT, AUTHORIZE_TIMEOUT and TRUST_PROXY, and warns about other addresses that forward requests.
 * Limits the number of connections. Connections beyond the limit end immediately, without a response, which would cost
 * the resources that the limit saves. Proxies then try another instance, because the request cannot have been read.
 */
export default fp(async function connections (app) {
  const { config, server } = app
  const max = connectionLimitOf(config)
  const open = new Set<Socket>()
  const refused = new ThrottledLog(times => app.log.warn({ times, max }, 'connections to PORT refused, too many are open'))
  app.decorate('connections', { open, max, refused })
  app.decorate('backgroundFaults', new ThrottledLog<unknown>((times, err) =>
    app.log.error({ err, times }, 'fault in background work, going on')))
  app.decorate('trustsProxy', proxyAddr.compile(trustedProxies(config.TRUST_PROXY)))
  const untrusted = new ThrottledLog<unknown>((times, ip) => app.log.warn({ times, ip },
    'X-Forwarded-For comes from an address outside TRUST_PROXY, and is ignored: add the address if it is your proxy'), 60_000)
  app.addHook('onRequest', ({ headers, socket }, _reply, done) => {
    const isGiven = headers['x-forwarded-for'] !== undefined
    if (isGiven && !app.trustsProxy(String(socket.remoteAddress), 0)) untrusted.report(socket.remoteAddress)
    done()
  })
  server.keepAliveTimeout = config.KEEP_ALIVE_TIMEOUT
  // The time-out for idle sockets must not close a connection that waits for the backend's decision.
  server.timeout = Math.max(server.timeout, config.AUTHORIZE_TIMEOUT + 10_000)

  // Node.js forgets the address when the client closes the connection. Reading the address keeps it for the log.
  server.on('connection', ({ remoteAddress }) => remoteAddress)

  server.maxConnections = max
  server.on('connection', socket => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  server.on('drop', () => refused.report())
}, { name: 'connections', dependencies: ['env'], fastify: '5.x' })
