import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** True for the names and addresses of this machine, as they stand in a URL. */
export const isLoopback = (hostname: string): boolean =>
  /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)

/**
 * How many connections may wait to be accepted; the kernel's own limit (`net.core.somaxconn`) may be lower. Node.js
 * accepts one in each turn of the event loop, and whoever finds the queue full tries again only after a second, so it
 * has to hold what comes while the process is busy. Node.js' own default is 511.
 */
const backlog = 4096

/** The addresses to listen on. For `localhost` every one it stands for: clients pick 127.0.0.1 or ::1 as they like. */
export async function addressesOf (host: string): Promise<string[]> {
  if (host !== 'localhost') return [host]
  const found = await lookup(host, { all: true })
  return [...new Set(found.map(({ address }) => address))]
}

/** Hands its connections over to `main`, which then treats them as its own, and takes none while `main` takes none. */
function secondListener (main: Server): Server {
  const listener = createServer({ allowHalfOpen: true, noDelay: true }, socket => {
    main.emit('connection', socket)
  })
  Object.defineProperty(listener, 'maxConnections', { get: () => main.maxConnections })
  listener.on('drop', connection => main.emit('drop', connection))
  main.once('close', () => listener.close())
  return listener
}

interface ListenOptions {
  /** 0 for any free port. */
  port: number
  /** Whether other processes of the same user may listen at it too; the kernel then chooses one for each connection. */
  reusePort?: boolean
  /** Where host and port were configured, for the message. */
  variables: string
  /** Gets what goes wrong later: that a connection cannot be accepted. */
  onFault: (error: Error) => void
  /** Gets the listeners of all addresses but the first. */
  secondListeners?: Server[]
}

/**
 * Listens on all `addresses` at one port, and returns the URLs.
 *
 * An address that this machine lacks is left out, unless all are.
 *
 * @throws that an address cannot be listened on, with the system's error as `cause`
 */
export async function listenAt (main: Server, addresses: string[], options: ListenOptions): Promise<string[]> {
  const { variables, onFault, secondListeners, reusePort = false } = options
  let { port } = options
  const urls: string[] = []
  let lacking: unknown
  for (const host of addresses) {
    const server = urls.length === 0 ? main : secondListener(main)
    const where = { host, port, backlog, reusePort } // of which @types/node 20 does not know the last
    server.listen(where)
    try {
      await once(server, 'listening')
    } catch (error) {
      lacking = new Error(`${(error as Error).message}; see ${variables}`, { cause: error })
      if ((error as NodeJS.ErrnoException).code !== 'EADDRNOTAVAIL') throw lacking
      continue
    }
    server.on('error', onFault)
    const { address, family, port: bound } = server.address() as AddressInfo
    if (server !== main) secondListeners?.push(server)
    urls.push(`http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`)
    port = bound
  }
  if (urls.length === 0) throw lacking
  return urls
}

/**
 * {@link listenAt} for the service.
 *
 * Fastify's own `listen` would do, but for a second address it makes a second server without our responses to what Node
 * refuses, and it logs a line for each address. Here one HTTP server takes the connections of all of them.
 *
 * @throws what the app's start throws; or that an address cannot be listened on, with the system's error as `cause`
 */
export async function listen (
  app: FastifyInstance, addresses: string[], port: number, reusePort = false
): Promise<string[]> {
  await app.ready()
  return listenAt(app.server, addresses, {
    port,
    reusePort,
    variables: reusePort ? 'HOST, PORT and REUSE_PORT' : 'HOST and PORT',
    onFault: error => app.backgroundFaults.report(error),
    secondListeners: app.secondListeners
  })
}
