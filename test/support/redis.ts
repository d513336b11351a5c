import { once } from 'node:events'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { lacking } from './installed.js'
import { temporaryFolder } from './scope.js'
import { start, type Scope } from './server.js'

/** Value for a test's `skip`: the reason why Redis cannot run, or false. */
export const withoutRedis = lacking('redis-server')

/** Sends one command, and ends the connection. */
export async function callOnce (client: Redis, name: string, args: Array<string | number>): Promise<unknown> {
  try {
    return await client.call(name, ...args)
  } finally {
    client.disconnect()
    await once(client, 'end')
  }
}

interface RedisServer {
  /** Value for REDIS_URL. Names a Unix socket: another process could take a port while Redis is down. */
  url: string
  /** Starts Redis without data, and resolves when it accepts connections. */
  start: () => Promise<void>
  /** Sends a signal. Resolves after the end of the process for SIGKILL. */
  kill: (signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT') => Promise<void>
  /** Sends a command on a new connection. */
  command: (name: string, ...args: Array<string | number>) => Promise<unknown>
}

/** Returns a Redis that is not started yet and stores no data on disk. It ends with the test. */
export function redisServer (t: Scope, password = ''): RedisServer {
  const folder = temporaryFolder(t, 'redis-')
  const path = join(folder, 'redis.sock')
  const args = ['--port', '0', '--unixsocket', path, '--dir', folder, '--save', '', '--requirepass', password]
  let server: ReturnType<typeof start> | undefined

  return {
    url: `redis://${password === '' ? '' : `:${password}@`}localhost/?path=${path}`,
    async start () {
      server = start(t, 'redis-server', args, { cwd: folder, env: process.env })
      await server.says(/ready to accept connections/i)
    },
    async kill (signal) {
      server?.process.kill(signal)
      if (signal === 'SIGKILL') await server?.ended
    },
    command: (name, ...args) => callOnce(new Redis({ path, password }), name, args)
  }
}
