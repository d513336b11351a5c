import type { Socket } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { trustedProxies } from '../../src/settings/environment.js'
import { connectionLimitOf } from '../../src/process/connection-limit.js'
import { ThrottledLog } from '../../src/telemetry/log-limits.js'
import { lastResponseOn } from './protocol-errors.js'

declare module 'fastify' {
  interface FastifyInstance {
    connections: Connections
    /** Faults outside requests: of timers, of accepting connections, or of a library. */
    backgroundFaults: ThrottledLog<unknown>
    /** True for the address of a reverse proxy in TRUST_PROXY, whose X-Forwarded-* headers are trusted. */
    trustsProxy (address: string, hop: number): boolean
  }
}

/** Connections of a server: the open ones, their maximum number, and those that were ended because of it. */
interface Connections {
  readonly open: Set<Socket>
  max: number
  readonly ended: ThrottledLog
}

/**
 * Ends the oldest idle connection if too many are open, so that idle connections keep nobody away. Ends the new
 * connection if all others have a request in progress: a proxy then tries another instance. An ended connection gets no
 * response, which would cost the resources that the limit saves.
 *
 * @param port - name of the port in the log
 */
export function limitConnections ({ server, log }: FastifyInstance, port: string, max: number): Connections {
  const connections = {
    open: new Set<Socket>(),
    max,
    ended: new ThrottledLog(times =>
      log.warn({ times, max: connections.max }, `connections to ${port} ended, too many are open`))
  }
  const { open, ended } = connections
  server.on('connection', socket => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    if (open.size <= connections.max) return
    for (const one of open) {
      if (lastResponseOn(one)?.writableFinished === false) continue // the new one, the last of the set, is idle
      open.delete(one)
      one.destroy()
      return ended.report()
    }
  })
  return connections
}

/**
 * Applies KEEP_ALIVE_TIMEOUT, AUTHORIZE_TIMEOUT and TRUST_PROXY, and warns about other addresses that forward requests.
 * Limits the number of connections to what memory and open files allow.
 */
export default fp(async function connections (app) {
  const { config, server } = app
  app.decorate('connections', limitConnections(app, 'PORT', connectionLimitOf(config)))
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
}, { name: 'connections', dependencies: ['env'], fastify: '5.x' })
