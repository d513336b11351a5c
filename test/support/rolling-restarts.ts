import { freePort } from './free-port.js'
import { load } from './load.js'
import { startProxy } from './proxies.js'
import type { ProxyName } from './proxies.js'
import { listening, server } from './server.js'
import type { Scope } from './server.js'

export interface RollingRestarts {
  proxy: ProxyName
  /** From the documents. */
  configuration: string
  /** SHUTDOWN_DELAY, in milliseconds. */
  delay: number
  /** How often each of the two is restarted. */
  rounds: number
  /** Of each client after a response, in milliseconds. */
  pause: number
}

/** The next instance can be stopped at once; before others the proxy's checks have to see that the first is back. */
const needsNoPause = new Set<ProxyName>(['nginx'])

/** An instance has signed something. */
const signs = /"statusCode":200/

/** Restarts two instances behind a proxy, one after the other, while clients send requests all the time. */
export async function rollingRestarts (
  t: Scope, { proxy: name, configuration, delay, rounds, pause }: RollingRestarts
) {
  const ports = { 3001: await freePort(), 3002: await freePort(), 9464: await freePort(), 9465: await freePort() }
  const instance = (port: number, admin: number) => server(t, {
    PORT: String(port), ADMIN_PORT: String(admin), SHUTDOWN_DELAY: String(delay)
  })
  const starts = [() => instance(ports[3001], ports[9464]), () => instance(ports[3002], ports[9465])]
  const running = starts.map(start => start())
  for (const one of running) await one.says(listening)
  const proxy = await startProxy(t, name, configuration, ports)

  const clients = load(proxy.port, pause)
  async function restartAll () {
    await Promise.all(running.map(one => one.says(signs)))
    for (let round = 0; round < rounds; round++) {
      for (const [index, start] of starts.entries()) {
        running[index]!.process.kill('SIGTERM')
        const code = await running[index]!.ended
        if (code !== 0) throw new Error(`an instance ended with ${code}:\n${running[index]!.output().slice(-2000)}`)
        await clients.until(50)
        running[index] = start()
        await running[index].says(needsNoPause.has(name) ? listening : signs)
      }
    }
    await Promise.all(running.map(one => one.says(signs)))
  }
  const proxyEnded = proxy.ended.then(() => { throw new Error(`${name} ended:\n${proxy.output()}`) })
  await Promise.race([restartAll(), proxyEnded])
  return clients.stop()
}
