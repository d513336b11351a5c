import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { substitute } from './documentation.js'
import { freePort } from './free-port.js'
import { proxied } from './documented.js'
import { startProxy } from './proxies.js'
import type { Scope } from './server.js'

/**
 * HAProxy as the documentation configures it, but for quicker checks, and a header that says which server answered. It
 * finds both down at first.
 */
export async function startHaproxy (t: Scope, ports: Record<number, number>, changes: Record<string, string> = {}) {
  const statsPort = await freePort()
  const configuration = substitute(proxied.two.haproxy, {
    ...changes,
    'defaults\n': `global\n    stats socket ipv4@127.0.0.1:${statsPort}\n\ndefaults\n`,
    'server inter 1s': 'server inter 100ms',
    'option redispatch': 'http-response set-header x-server %s\n    option redispatch'
  })
  const proxy = await startProxy(t, 'haproxy', configuration, ports)
  /** A server's line of HAProxy's statistics. */
  async function stats (server: string): Promise<Record<string, string>> {
    const socket = connect(statsPort, '127.0.0.1')
    socket.write('show stat\n')
    const [names = [], ...lines] = (await text(socket)).split('\n').map(line => line.split(','))
    const line = lines.find(([backend, name]) => backend === 'payment_signature' && name === server) ?? []
    return Object.fromEntries(line.map((value, index) => [names[index] ?? '', value]))
  }

  /** Resolves once it has said of a server, for that time, that it is up or down. */
  const says = (server: string, state: 'UP' | 'DOWN', times: number) =>
    proxy.says(new RegExp(`(?:Server payment_signature/${server} is ${state}[^]*){${times}}`))

  return { port: proxy.port, stats, says }
}
