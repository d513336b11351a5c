import { once } from 'node:events'
import { Redis } from 'ioredis'
import { lacking } from './installed.js'
import { temporaryFolder } from './scope.js'
import { start, type Scope, type Server } from './server.js'

/** Value for a test's `skip`: the reason why Redis cannot run, or false. */
export const withoutRedis = lacking('redis-server')

/**
 * Returns a Redis that is not started yet and stores no data on disk. It ends with the test.
 *
 * @param listen - arguments of redis-server
 * @param where - options of a connection
 */
export function redisServer (t: Scope, listen: string[], where: { port: number } | { path: string, password: string }) {
  const folder = temporaryFolder(t, 'redis-')
  let server: Server
  return {
    /** Resolves when it accepts connections. */
    async start () {
      server = start(t, 'redis-server', [...listen, '--dir', folder, '--save', ''], { cwd: folder, env: process.env })
      await server.says(/ready to accept connections/i)
    },
    async kill () {
      server.process.kill('SIGKILL')
      await server.ended
    },
    /** Sends a command on a new connection. */
    async command (name: string, ...args: string[]): Promise<unknown> {
      const client = new Redis(where)
      try {
        return await client.call(name, ...args)
      } finally {
        client.disconnect()
        await once(client, 'end')
      }
    }
  }
}
