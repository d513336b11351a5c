import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Returns a port of 127.0.0.1 that was free a moment ago, for a program that cannot choose a port. The port is below
 * the range of outgoing connections, which could use the port while the program is down.
 */
export async function freePort (): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_768)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(() => true, () => false)
    server.close()
    if (isFree) {
      await once(server, 'close')
      return port
    }
  }
}
