import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** True for a loopback name or address, as in `URL.hostname`. */
export const isLoopback = (hostname: string): boolean =>
  /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)

/**
 * Length of the queue of connections that wait to be accepted. The kernel's limit (`net.core.somaxconn`) may be lower.
 * Node.js accepts one connection in each turn of the event loop. A client that finds the queue full tries again only
 * after a second, so the queue must hold all that arrive while the process is busy. Node.js' default is 511.
 */
const backlog = 4096

/**
 * Listens on a host at a port, and returns the URL. Later faults, such as a connection that cannot be accepted, go to
 * `app.backgroundFaults`.
 *
 * @param port - 0 for any free port
 * @param variables - the variables that configure host and port, for the message
 * @throws Error the app cannot start; or the address cannot be listened on, with the system's error as `cause`
 */
export async function listen (
  app: FastifyInstance, host: string, port: number, variables = 'HOST and PORT'
): Promise<string> {
  await app.ready()
  const { server } = app
  server.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port, backlog })
  await once(server, 'listening').catch(cause => { throw new Error(`${cause.message}; see ${variables}`, { cause }) })
  server.on('error', error => app.backgroundFaults.report(error))
  const { address, family, port: bound } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`
}
