import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
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

/** Returns the addresses of a host. For `localhost`, these are all: some clients use 127.0.0.1, others ::1. */
export async function addressesOf (host: string): Promise<string[]> {
  if (host !== 'localhost') return [host]
  const found = await lookup(host, { all: true })
  return [...new Set(found.map(({ address }) => address))]
}

/** Returns a listener that passes its connections to the app's server, and accepts none while that server is full. */
function secondListener ({ server: main, secondListeners }: FastifyInstance): Server {
  const listener = createServer({ noDelay: true }, socket => {
    main.emit('connection', socket)
  })
  Object.defineProperty(listener, 'maxConnections', { get: () => main.maxConnections })
  listener.on('drop', connection => main.emit('drop', connection))
  main.once('close', () => listener.close())
  listener.once('listening', () => secondListeners?.push(listener))
  return listener
}

/**
 * Listens on all addresses at one port, and returns the URLs. Leaves out an address that this machine lacks, unless it
 * lacks all of them. Later faults, such as a connection that cannot be accepted, go to `app.backgroundFaults`.
 *
 * Fastify's `listen` creates a second server for a second address, which lacks the service's responses to requests that
 * Node.js refuses, and logs a line for each address. Here one HTTP server has the connections of all addresses.
 *
 * @param port - 0 for any free port
 * @param reusePort - true: other processes of the same user may listen at the port too; the kernel distributes the
 *   connections
 * @param variables - the variables that configure host and port, for the message
 * @throws Error the app cannot start; or an address cannot be listened on, with the system's error as `cause`
 */
export async function listen (
  app: FastifyInstance, addresses: string[], port: number, reusePort = false,
  variables = reusePort ? 'HOST, PORT and REUSE_PORT' : 'HOST and PORT'
): Promise<string[]> {
  await app.ready()
  const urls: string[] = []
  let lacking: unknown
  for (const host of addresses) {
    const server: Server = urls.length === 0 ? app.server : secondListener(app)
    const where = { host, port, backlog, reusePort } // reusePort is missing in @types/node 20
    server.listen(where)
    try {
      await once(server, 'listening')
    } catch (error) {
      lacking = new Error(`${(error as Error).message}; see ${variables}`, { cause: error })
      if ((error as NodeJS.ErrnoException).code !== 'EADDRNOTAVAIL') throw lacking
      continue
    }
    server.on('error', error => app.backgroundFaults.report(error))
    const { address, family, port: bound } = server.address() as AddressInfo
    urls.push(`http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`)
    port = bound
  }
  if (urls.length === 0) throw lacking
  return urls
}
