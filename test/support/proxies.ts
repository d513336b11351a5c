import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from './free-port.js'
import { lacking, pathOf } from './installed.js'
import { temporaryFolder } from './scope.js'
import { start, type Scope, type Server } from './server.js'

interface Kind {
  command: string
  /** Adds settings to a documented configuration, so that the proxy runs in its own folder and in the foreground. */
  file: (configuration: string) => string
  args: (file: string, folder: string) => string[]
}

const kinds = {
  nginx: {
    command: 'nginx',
    file: configuration => `
daemon off;
pid nginx.pid;
error_log stderr;
events {}
http {
access_log off;
client_body_temp_path body;
proxy_temp_path proxy;
fastcgi_temp_path fastcgi;
uwsgi_temp_path uwsgi;
scgi_temp_path scgi;
${configuration}
}`,
    args: (file, folder) => ['-p', folder, '-e', 'stderr', '-c', file]
  },
  haproxy: {
    command: 'haproxy',
    file: configuration => configuration,
    args: file => ['-db', '-f', file]
  },
  caddy: {
    command: 'caddy',
    file: configuration => `{\nadmin off\n}\n${configuration}`,
    args: file => ['run', '--adapter', 'caddyfile', '--config', file]
  }
} satisfies Record<string, Kind>

export type ProxyName = keyof typeof kinds

/** Value for a test's `skip`: the reason why a proxy cannot run, or false. */
export const without = (name: ProxyName): string | false => lacking(kinds[name].command)

/**
 * Starts a proxy with a configuration from a document, and resolves when it accepts connections.
 *
 * @param ports - replace documented ports, such as 3001. The proxy itself listens on a free port
 */
export async function startProxy (
  t: Scope, name: ProxyName, configuration: string, ports: Record<number, number>
): Promise<Server & { port: number }> {
  const { command, file, args } = kinds[name] as Kind
  const folder = temporaryFolder(t, `${name}-`)
  chmodSync(folder, 0o755) // their workers have other users
  mkdirSync(join(folder, 'work'))
  const port = await freePort()
  const text = configuration.replace(/\b\d{4}\b/g, number =>
    String(/^808\d$/.test(number) ? port : ports[Number(number)] ?? number))
  const path = join(folder, 'configuration')
  writeFileSync(path, file(text))
  const proxy = start(t, pathOf(command) ?? command, args(path, folder), {
    cwd: folder, env: { PATH: process.env.PATH, HOME: folder }
  })
  t.teardown(async () => { // and its workers, which would survive the main process
    proxy.process.kill('SIGTERM')
    await proxy.ended
  })
  let isOver = false
  proxy.ended.then(() => { isOver = true })
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(() => true, () => false)
    socket.destroy()
    if (isOpen) return { ...proxy, port }
    if (isOver) throw new Error(`${name} ended:\n${proxy.output()}`)
    await setTimeout(10)
  }
}
