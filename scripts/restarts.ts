import { parseArgs } from 'node:util'
import { proxied } from '../test/support/documented.js'
import { proxyNames, without } from '../test/support/proxies.js'
import type { ProxyName } from '../test/support/proxies.js'
import { rollingRestarts, sharedPortRestarts } from '../test/support/rolling-restarts.js'
import { scoped } from './scope.js'

const { values } = parseArgs({
  options: {
    proxy: { type: 'string', multiple: true, default: ['nginx', 'haproxy', 'caddy'] },
    rounds: { type: 'string', default: '5' },
    'shared-port': { type: 'boolean', default: false }
  }
})
const rounds = Number(values.rounds)
const names = proxyNames.filter(name => values.proxy.includes(name))
if (!(rounds >= 1) || names.length < values.proxy.length) {
  throw new Error(`--rounds takes a number above 0, --proxy one of ${proxyNames.join(', ')}`)
}

/** Says what came of it, and whether no request failed. */
function report (name: string, { signed, failures }: { signed: number, failures: string[] }): boolean {
  process.stdout.write(`${name}: ${rounds} rolling restarts of two instances, ${signed + failures.length} requests, ` +
    `${failures.length} failed\n${failures.slice(0, 5).map(failure => `  ${failure}\n`).join('')}`)
  return failures.length === 0
}

/** Restarts two instances behind a proxy, as its document says, and whether no request failed. */
async function holds (proxy: ProxyName): Promise<boolean> {
  const reason = without(proxy)
  if (reason !== false) {
    process.stdout.write(`${proxy}: ${reason}\n`)
    return false
  }
  return report(proxy, await scoped('restarts', scope =>
    rollingRestarts(scope, { proxy, configuration: proxied.two[proxy], delay: 5000, rounds, pause: 5 })))
}

if (values['shared-port']) {
  const outcome = await scoped('restarts', scope => sharedPortRestarts(scope, { delay: 1000, rounds, pause: 5 }))
  if (!report('one port', outcome)) process.exitCode = 1
} else {
  for (const name of names) if (!await holds(name)) process.exitCode = 1
}
