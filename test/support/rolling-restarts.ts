import { spawnSync } from 'node:child_process'
import { freePort, freePorts } from './free-port.js'
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
export async function severalInstances (t: Scope, { proxy: name, configuration, delay, pause }: Options) {
  const ports = await freePorts()
  const starts = ([[3001, 9464], [3002, 9465]] as const).map(([port, admin]) => () => server(t, {
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

/** Restarts two instances that share a port, twice, while clients send requests all the time. */
export async function sharedPortRestarts (t: Scope) {
  const port = await freePort()
  const start = () => server(t, { PORT: String(port), REUSE_PORT: 'true', SHUTDOWN_DELAY: '1000' })
  const running = [start(), start()]
  for (const one of running) await one.says(listening)

  const clients = load(port, 20)
  await Promise.all(running.map(one => one.says(signs)))
  for (let round = 0; round < 2; round++) await restartInTurn([start, start], running, clients, signs)
  return clients.stop()
}

/** Runs a command in a network of its own in which connections that wait at a closed listener go to another one. */
export const inMigratingNetwork = (command: string, ...args: string[]): [command: string, args: string[]] => ['unshare', [
  '-rn', 'sh', '-c', 'ip link set lo up && echo 1 > /proc/sys/net/ipv4/tcp_migrate_req && exec "$@"', 'sh', command, ...args
]]

/** For a test's `skip`: the reason why instances cannot share a port without a lost request; false if they can. */
export function withoutSharedPort (): string | false {
  if (/^(?:20|22\.\d|22\.1[01])\./.test(process.versions.node)) return 'needs Node.js 22.12'
  return spawnSync(...inMigratingNetwork('true')).status !== 0 && 'needs a network namespace, ip, and Linux 5.14'
}
