import { freePort } from './free-port.js'
import { load } from './load.js'
import { startProxy, type ProxyName } from './proxies.js'
import { listening, server, type Scope, type Server } from './server.js'

interface RollingRestarts {
  proxy: ProxyName
  /** From the documents. */
  configuration: string
  /** SHUTDOWN_DELAY, in milliseconds. */
  delay: number
  /** How often each of the two is restarted. */
  rounds: number
  /** Of each client after a response, in milliseconds. */
  pause: number
  /** Variables of both instances. */
  variables?: Record<string, string>
  /** Request of the clients, and its signature. */
  example?: { body: string, signature: string }
  /** Scripts that the instances run at first and after each round. Default: the server of this checkout. */
  scripts?: string[]
}

/** The next instance can be stopped at once; before others the proxy's checks have to see that the first is back. */
const needsNoPause = new Set<ProxyName>(['nginx'])

/** An instance has signed something. */
const signs = /"statusCode":200/

/** Restarts each of the instances, one after the other, once the one before serves again as `isBack` says. */
async function restartInTurn (
  starts: Array<(script?: string) => Server>, running: Server[],
  { clients, rounds, isBack, scripts = [] }: {
    clients: ReturnType<typeof load>, rounds: number, isBack: RegExp, scripts?: string[]
  }
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const [index, start] of starts.entries()) {
      running[index]!.process.kill('SIGTERM')
      const code = await running[index]!.ended
      if (code !== 0) throw new Error(`an instance ended with ${code}:\n${running[index]!.output().slice(-2000)}`)
      await clients.until(50)
      running[index] = start(scripts[round + 1])
      await running[index].says(isBack)
    }
  }
  await Promise.all(running.map(one => one.says(signs)))
}

/** Starts two instances behind a proxy, and clients that send requests all the time. */
async function twoInstances (
  t: Scope, { proxy: name, configuration, delay, pause, variables, example, scripts = [] }: Omit<RollingRestarts, 'rounds'>
) {
  const ports = { 3001: await freePort(), 3002: await freePort(), 9464: await freePort(), 9465: await freePort() }
  const instance = (port: number, admin: number) => (script?: string) => server(t, {
    PORT: String(port), ADMIN_PORT: String(admin), SHUTDOWN_DELAY: String(delay), ...variables
  }, { ...script !== undefined && { script } })
  const starts = [instance(ports[3001], ports[9464]), instance(ports[3002], ports[9465])]
  const running = starts.map(start => start(scripts[0]))
  for (const one of running) await one.says(listening)
  const proxy = await startProxy(t, name, configuration, ports)

  const clients = load(proxy.port, pause, example)
  await Promise.all(running.map(one => one.says(signs)))
  return { starts, running, proxy, clients }
}

/** Stops one of two instances behind a proxy with SIGSTOP, as if it hung, while clients send requests all the time. */
export async function hungInstance (t: Scope, options: Omit<RollingRestarts, 'rounds'>) {
  const { running: [hung], clients } = await twoInstances(t, options)
  hung?.process.kill('SIGSTOP')
  t.teardown(() => hung?.process.kill('SIGCONT'))
  await clients.until(150)
  return clients.stop()
}

/** Restarts two instances behind a proxy, one after the other, while clients send requests all the time. */
export async function rollingRestarts (t: Scope, { rounds, ...options }: RollingRestarts) {
  const { starts, running, proxy, clients } = await twoInstances(t, options)
  const { proxy: name, scripts = [] } = options
  const proxyEnded = proxy.ended.then(() => { throw new Error(`${name} ended:\n${proxy.output()}`) })
  await Promise.race([
    restartInTurn(starts, running, { clients, rounds, scripts, isBack: needsNoPause.has(name) ? listening : signs }),
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
