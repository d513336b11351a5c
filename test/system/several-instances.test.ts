import t from 'tap'
import { substitute } from '../support/documentation.js'
import { proxied } from '../support/documented.js'
import { freePort } from '../support/free-port.js'
import { load } from '../support/load.js'
import { startProxy, without, type ProxyName } from '../support/proxies.js'
import { listening, server, type Scope, type Server } from '../support/server.js'

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

/** Restarts two instances behind a proxy, one after the other, while clients send requests all the time. */
async function rollingRestarts (t: Scope, name: ProxyName, configuration: string) {
  const ports = { 3001: await freePort(), 3002: await freePort(), 9461: await freePort(), 9462: await freePort() }
  const starts = ([[3001, 9461], [3002, 9462]] as const).map(([port, admin]) => () => server(t, {
    PORT: String(ports[port]), ADMIN_PORT: String(ports[admin]), SHUTDOWN_DELAY: '1000'
  }))
  const running = starts.map(start => start())
  for (const one of running) await one.says(listening)
  const proxy = await startProxy(t, name, configuration, ports)
  const clients = load(proxy.port, 20)
  await Promise.all(running.map(one => one.says(signs)))
  const proxyEnded = proxy.ended.then(() => { throw new Error(`${name} ended:\n${proxy.output()}`) })
  // With nginx, the next instance can be stopped at once. Checks of other proxies have to see that the first is back.
  await Promise.race([restartInTurn(starts, running, clients, name === 'nginx' ? listening : signs), proxyEnded])
  return clients.stop()
}

t.jobs = 2 // the tests mostly wait

// A check every 100 ms shortens the tests.
for (const [name, changes] of [
  ['nginx', {}],
  ['caddy', { 'health_interval 1s': 'health_interval 100ms' }]
] as const) {
  const options = { skip: without(name), buffered: true }
  t.test(`a rolling restart behind ${name}, under load: no request fails`, options, async t => {
    const configuration = substitute(proxied[name], changes)
    const { signed, failures } = await rollingRestarts(t, name, configuration)
    t.strictSame(failures, [])
    t.ok(signed > 200, `${signed} were signed`)
  })
}
