import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { proxied } from '../support/documented.js'
import { proxyNames } from '../support/proxies.js'
import type { ProxyName } from '../support/proxies.js'
import { rollingRestarts } from '../support/rolling-restarts.js'
import { scoped } from '../support/scope.js'
import { table } from './part.js'
import type { Part } from './part.js'
import { signatureOf } from './signature.js'

const fields = {
  operationType: 'purchase' as const,
  amount: '1.00',
  merchantAccountNumber: '102551',
  orderId: 'O-1',
  sid: 's',
  clientTimeStamp: 1709912345678
}
const tokens = ['firstTokenOfTheRestarts', 'otherTokenOfTheRestarts']
const example = { body: JSON.stringify(fields), signature: tokens.map(token => signatureOf(fields, token)) }

/** Restarts two instances behind a proxy in turn. Each round begins with another token and another policy. */
const restartBehind = (proxy: ProxyName, rounds: number, delay: number) =>
  scoped('restarts', async scope => {
    const folder = scope.testdir()
    const file = (name: string) => join(folder, name)
    function write (name: string, text: string) {
      writeFileSync(file(`${name}.new`), text, { mode: 0o600 })
      renameSync(file(`${name}.new`), file(name))
    }
    function onRound (round: number) {
      write('token', tokens[round % 2] as string)
      write('policy.json', JSON.stringify({
        callers: [{ name: 'anonymous', anonymous: true, operations: ['purchase'], accountNumbers: ['102551', String(200_000 + round)] }]
      }))
    }
    onRound(0)
    return rollingRestarts(scope, {
      proxy,
      rounds,
      delay,
      onRound,
      example,
      configuration: proxied[proxy],
      pause: 50,
      variables: { MERCHANT_TOKEN_FILE: file('token'), POLICY_FILE: file('policy.json'), ACCEPT_BODY_TOKEN: 'false' }
    })
  })

export const restarts: Part = {
  name: 'restarts',
  shows: 'No request fails while all instances are restarted in turn behind each documented proxy, and while token and ' +
    'policy are replaced.',
  programs: ['nginx', 'haproxy', 'caddy', 'apache2', 'varnishd'],
  async run ({ short, note }) {
    const rounds = short ? 1 : 10
    const rows: Array<Array<string | number>> = []
    const totals = { signed: 0, failed: 0 }
    const failures: string[] = []
    const delay = short ? 1000 : 5000
    await Promise.all((short ? ['nginx', 'varnish'] as const : proxyNames).map(async proxy => {
      const { signed, failures: failed } = await restartBehind(proxy, rounds, delay)
      totals.signed += signed
      totals.failed += failed.length
      failures.push(...failed.slice(0, 3).map(failure => `- ${proxy}: ${failure}`))
      rows.push([proxy, signed, failed.length])
      note(`${proxy}: ${signed} signed, ${failed.length} failed`)
    }))
    return {
      passed: totals.failed === 0,
      figures: { rounds, 'requests signed': totals.signed, 'requests failed': totals.failed },
      details: [
        table(['in front of two instances', 'signed', 'failed'], rows),
        ...failures
      ].join('\n\n')
    }
  }
}
