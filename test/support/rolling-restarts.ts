import { spawnSync } from 'node:child_process'
import { freePort, freePorts } from './free-port.js'
import { load } from './load.js'
import { startProxy, type ProxyName } from './proxies.js'
import { listening, server, type Scope, type Server } from './server.js'

interface RollingRestarts {
  proxy: ProxyName
  /** From the documents. */
  configuration: string
  /** SHUTDOWN_DELAY, in milliseconds. */
  delay: number
  /** Restarts of each instance. */
  rounds: number
  /** Called before each round. */
  onRound?: (round: number) => void
  /** Pause of each client after a response, in milliseconds. */
  pause: number
  /** Variables of both instances. */
  variables?: Record<string, string>
  /** Request of the clients, and its signature or signatures. */
  example?: { body: string, signature: string | string[] }
}

/** The next instance can be stopped at once; before others the proxy's checks have to see that the first is back. */
const needsNoPause = new Set<ProxyName>(['nginx'])

/** An instance has signed something. */
const signs = /"statusCode":200/

/** Restarts each of the instances, one after the other, once the one before serves again as `isBack` says. */
async function restartInTurn (
  starts: Array<() => Server>, running: Server[],
  { clients, rounds, isBack, onRound }: {
    clients: ReturnType<typeof load>, rounds: number, isBack: RegExp, onRound?: RollingRestarts['onRound']
  }
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    onRound?.(round)
    for (const [index, start] of starts.entries()) {
      running[index]!.process.kill('SIGTERM')
      const code = await running[index]!.ended
      if (code !== 0) throw new Error(`an instance ended with ${code}:\n${running[index]!.output().slice(-2000)}`)
      await clients.until(50)
      running[index] = start()
      await running[index].says(isBack)
    }
  }
  await Promise.all(running.map(one => one.says(signs)))
}

/** Starts two instances behind a proxy, and clients that send requests all the time. */
export async function severalInstances (
  t: Scope,
  { proxy: name, configuration, delay, pause, variables, example }: Omit<RollingRestarts, 'rounds'>
) {
  const ports = await freePorts()
  const starts = ([[3001, 9464], [3002, 9465]] as const).map(([port, admin]) => () => server(t, {
    PORT: String(ports[port]), ADMIN_PORT: String(ports[admin]), SHUTDOWN_DELAY: String(delay), ...variables
  }))
  const running = starts.map(start => start())
  for (const one of running) await one.says(listening)
  const proxy = await startProxy(t, name, configuration, ports)

  const clients = load(proxy.port, pause, example)
  await Promise.all(running.map(one => one.says(signs)))
  return { starts, running, proxy, clients }
}

/** Restarts the instances behind a proxy, one after the other, while clients send requests all the time. */
export async function rollingRestarts (t: Scope, { rounds, ...options }: RollingRestarts) {
  const { starts, running, proxy, clients } = await severalInstances(t, options)
  const { proxy: name, onRound } = options
  const proxyEnded = proxy.ended.then(() => { throw new Error(`${name} ended:\n${proxy.output()}`) })
  await Promise.race([
    restartInTurn(starts, running, {
      clients, rounds, isBack: needsNoPause.has(name) ? listening : signs, ...onRound && { onRound }
    }),
    proxyEnded
  ])
  return clients.stop()
}

/** The same without a proxy, for two instances that share a port. */
export async function sharedPortRestarts (
  t: Scope, { delay, rounds, pause }: Pick<RollingRestarts, 'delay' | 'rounds' | 'pause'>
) {
  const port = await freePort()
  const start = () => server(t, { PORT: String(port), REUSE_PORT: 'true', SHUTDOWN_DELAY: String(delay) })
  const running = [start(), start()]
  for (const one of running) await one.says(listening)

  const clients = load(port, pause)
  await Promise.all(running.map(one => one.says(signs)))
  await restartInTurn([start, start], running, { clients, rounds, isBack: signs })
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
