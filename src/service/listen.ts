import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Server } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** The addresses to listen on. For `localhost` every one it stands for: clients pick 127.0.0.1 or ::1 as they like. */
export async function addressesOf (host: string): Promise<string[]> {
  if (host !== 'localhost') return [host]
  const found = await lookup(host, { all: true })
  return [...new Set(found.map(({ address }) => address))]
}

/** Hands its connections over to `main`, which then treats them as its own. */
function secondListener (main: Server): Server {
  const listener = createServer({ allowHalfOpen: true, noDelay: true }, socket => {
    main.emit('connection', socket)
  })
  main.once('close', () => listener.close())
  return listener
}

/**
 * Listens on all `addresses` at one port, and returns the URLs.
 *
 * An address that this machine lacks is left out, unless all are.
 *
 * @param port - 0 for any free port
 * @param variable - where the port was configured, for the message
 * @param secondListeners - gets the listeners of all addresses but the first
 * @throws that an address cannot be listened on, with the system's error as `cause`
 */
export async function listenAt (
  main: Server, addresses: string[], port: number, variable: string, secondListeners: Server[] = []
): Promise<string[]> {
  const urls: string[] = []
  let lacking: unknown
  for (const host of addresses) {
    const server = urls.length === 0 ? main : secondListener(main)
    server.listen({ host, port })
    try {
      await once(server, 'listening')
    } catch (error) {
      lacking = new Error(`${(error as Error).message}; see HOST and ${variable}`, { cause: error })
      if ((error as NodeJS.ErrnoException).code !== 'EADDRNOTAVAIL') throw lacking
      continue
    }
    const { address, family, port: bound } = server.address() as AddressInfo
    if (server !== main) secondListeners.push(server)
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
export async function listen (app: FastifyInstance, addresses: string[], port: number): Promise<string[]> {
  await app.ready()
  return listenAt(app.server, addresses, port, 'PORT', app.secondListeners)
}
