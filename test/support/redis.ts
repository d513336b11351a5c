import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { start, type Scope } from './server.js'

/** For a test's `skip`: why it cannot run Redis; false if it can. */
export const withoutRedis = spawnSync('redis-server', ['--version']).status !== 0 && 'redis-server is not installed'

export interface RedisServer {
  /** For REDIS_URL. It stands for a Unix socket: while Redis is down nobody else can take its place, as with a port. */
  url: string
  /** Starts it, empty, and resolves when it accepts connections. */
  start: () => Promise<void>
  /** What it is sent, such as SIGKILL; resolves when the process is gone, if that is what the signal does. */
  kill: (signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT') => Promise<void>
  /** Sends a command by a connection of its own. */
  command: (name: string, ...args: Array<string | number>) => Promise<unknown>
}

/** A real Redis, not yet running, that keeps nothing on disk and ends with the test. */
export function redisServer (t: Scope, password = ''): RedisServer {
  const folder = mkdtempSync(join(tmpdir(), 'redis-')) // not the test's own, whose path may be too long for a socket
  t.teardown(() => rmSync(folder, { recursive: true }))
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
    async command (name, ...args) {
      const client = new Redis({ path, password })
      try {
        return await client.call(name, ...args)
      } finally {
        client.disconnect()
        await once(client, 'end')
      }
    }
  }
}
