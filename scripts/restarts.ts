import { parseArgs } from 'node:util'
import { documented, proxyNames, without } from '../test/support/proxies.js'
import type { ProxyName } from '../test/support/proxies.js'
import { rollingRestarts } from '../test/support/rolling-restarts.js'
import { scoped } from './scope.js'

const { values } = parseArgs({
  options: {
    proxy: { type: 'string', multiple: true, default: ['nginx', 'haproxy', 'caddy'] },
    rounds: { type: 'string', default: '5' }
  }
})
const rounds = Number(values.rounds)
const names = proxyNames.filter(name => values.proxy.includes(name))
if (!(rounds >= 1) || names.length < values.proxy.length) {
  throw new Error(`--rounds takes a number above 0, --proxy one of ${proxyNames.join(', ')}`)
}

/** Restarts two instances behind a proxy, as its document says, and whether no request failed. */
async function holds (proxy: ProxyName): Promise<boolean> {
  const reason = without(proxy)
  if (reason !== false) {
    process.stdout.write(`${proxy}: ${reason}\n`)
    return false
  }
  const { signed, failures } = await scoped('restarts', scope =>
    rollingRestarts(scope, { proxy, configuration: documented(proxy), delay: 5000, rounds, pause: 5 }))
  process.stdout.write(`${proxy}: ${rounds} rolling restarts of two instances, ${signed + failures.length} requests, ` +
    `${failures.length} failed\n${failures.slice(0, 5).map(failure => `  ${failure}\n`).join('')}`)
  return failures.length === 0
}

for (const name of names) if (!await holds(name)) process.exitCode = 1
