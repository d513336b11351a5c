import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { substitute } from './documentation.js'
import { freePort } from './free-port.js'
import { proxied } from './documented.js'
import { startProxy } from './proxies.js'
import type { Scope } from './server.js'

/**
 * Starts HAProxy with the documented configuration, quicker checks, and a header that names the responding server. Both
 * servers are down at the start.
 */
export async function startHaproxy (t: Scope, ports: Record<number, number>, changes: Record<string, string> = {}) {
  const statsPort = await freePort()
  const configuration = substitute(proxied.haproxy, {
    ...changes,
    'defaults\n': `global\n    stats socket ipv4@127.0.0.1:${statsPort}\n\ndefaults\n`,
    'server inter 1s': 'server inter 100ms',
    'option redispatch': 'http-response set-header x-server %s\n    option redispatch'
  })
  const proxy = await startProxy(t, 'haproxy', configuration, ports)
  /** Returns the line of a server in HAProxy's statistics. */
  async function stats (server: string): Promise<Record<string, string>> {
    const socket = connect(statsPort, '127.0.0.1')
    socket.write('show stat\n')
    const [names = [], ...lines] = (await text(socket)).split('\n').map(line => line.split(','))
    const line = lines.find(([backend, name]) => backend === 'payment_signature' && name === server) ?? []
    return Object.fromEntries(line.map((value, index) => [names[index] ?? '', value]))
  }

  /** Resolves once HAProxy has reported a server as up or down for a period. */
  const says = (server: string, state: 'UP' | 'DOWN', times: number) =>
    proxy.says(new RegExp(`(?:Server payment_signature/${server} is ${state}[^]*){${times}}`))

  return { port: proxy.port, stats, says }
}
