import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from './free-port.js'
import { lacking, pathOf } from './installed.js'
import { temporaryFolder } from './scope.js'
import { start, type Scope, type Server } from './server.js'

/** Adds settings to a configuration of deploy/, so that the proxy runs in its own folder and in the foreground. */
const files = {
  nginx: (configuration: string) => `
daemon off;
pid nginx.pid;
error_log stderr;
events { worker_connections 4096; }
http {
access_log off;
client_body_temp_path body;
proxy_temp_path proxy;
fastcgi_temp_path fastcgi;
uwsgi_temp_path uwsgi;
scgi_temp_path scgi;
${configuration}
}`,
  caddy: (configuration: string) => `{\nadmin off\n}\n${configuration}`,
  haproxy: (configuration: string) => configuration
}

const args = {
  nginx: ['-p', '.', '-e', 'stderr', '-c', 'configuration'],
  caddy: ['run', '--adapter', 'caddyfile', '--config', 'configuration'],
  haproxy: ['-db', '-f', 'configuration']
}

export type ProxyName = keyof typeof files

/** Value for a test's `skip`: the reason why a proxy cannot run, or false. */
export const without = (name: ProxyName): string | false => lacking(name)

/**
 * Starts a proxy with a configuration, and resolves when it accepts connections.
 *
 * @param ports - replace documented ports, such as 3001. The proxy itself listens on a free port
 */
export async function startProxy (
  t: Scope, name: ProxyName, configuration: string, ports: Record<number, number>
): Promise<Server & { port: number }> {
  const folder = temporaryFolder(t, `${name}-`)
  chmodSync(folder, 0o755) // their workers have other users
  const port = await freePort()
  const text = configuration.replace(/\b\d{4}\b/g, number =>
    String(/^808\d$/.test(number) ? port : ports[Number(number)] ?? number))
  writeFileSync(join(folder, 'configuration'), files[name](text))
  const env = { PATH: process.env.PATH, HOME: folder }
  const proxy = start(t, pathOf(name) ?? name, args[name], { cwd: folder, env })
  t.teardown(() => proxy.terminate()) // and its workers, which would survive the main process
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
