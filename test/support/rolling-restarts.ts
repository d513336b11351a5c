import { freePorts } from './free-port.js'
import { load } from './load.js'
import { startProxy, type ProxyName } from './proxies.js'
import { listening, server, type Scope, type Server } from './server.js'

interface Options {
  proxy: ProxyName
  /** From the documents. */
  configuration: string
  /** SHUTDOWN_DELAY, in milliseconds. */
  delay: number
  /** Pause of each client after a response, in milliseconds. */
  pause: number
}

/** An instance has signed something. */
const signs = /"statusCode":200/

/** Restarts each of the instances, one after the other, once the one before serves again as `isBack` says. */
async function restartInTurn (
  starts: Array<() => Server>, running: Server[], clients: ReturnType<typeof load>, isBack: RegExp
): Promise<void> {
  for (const [index, start] of starts.entries()) {
    running[index]!.process.kill('SIGTERM')
    const code = await running[index]!.ended
    if (code !== 0) throw new Error(`an instance ended with ${code}:\n${running[index]!.output().slice(-2000)}`)
    await clients.until(50)
    running[index] = start()
    await running[index].says(isBack)
  }
  await Promise.all(running.map(one => one.says(signs)))
}

/** Starts two instances behind a proxy, and clients that send requests all the time. */
async function severalInstances (t: Scope, { proxy: name, configuration, delay, pause }: Options) {
  const ports = await freePorts()
  const starts = ([[3001, 9461], [3002, 9462]] as const).map(([port, admin]) => () => server(t, {
    PORT: String(ports[port]), ADMIN_PORT: String(ports[admin]), SHUTDOWN_DELAY: String(delay)
  }))
  const running = starts.map(start => start())
  for (const one of running) await one.says(listening)
  const proxy = await startProxy(t, name, configuration, ports)

  const clients = load(proxy.port, pause)
  await Promise.all(running.map(one => one.says(signs)))
  return { starts, running, proxy, clients }
}

/** Restarts the instances behind a proxy, one after the other, while clients send requests all the time. */
export async function rollingRestarts (t: Scope, options: Options) {
  const { starts, running, proxy, clients } = await severalInstances(t, options)
  const proxyEnded = proxy.ended.then(() => { throw new Error(`${options.proxy} ended:\n${proxy.output()}`) })
  // With nginx, the next instance can be stopped at once. Checks of other proxies have to see that the first is back.
  const isBack = options.proxy === 'nginx' ? listening : signs
  await Promise.race([restartInTurn(starts, running, clients, isBack), proxyEnded])
  return clients.stop()
}
