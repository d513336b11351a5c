import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { parse } from 'yaml'
import { compose, composeProject, copyProgram } from '../../support/compose.js'
import { builtImage, podmanOutput, provide, withoutNetworks } from '../../support/containers.js'
import { substitute } from '../../support/documentation.js'
import { composeCommands } from '../../support/documented.js'
import { production } from '../../support/example.js'
import { freePort } from '../../support/free-port.js'
import { lacking } from '../../support/installed.js'
import { root } from '../../support/server.js'

// deploy/compose.yaml with Debian's programs in place of the images of a registry, older Caddy and Prometheus.

const deploy = join(root, 'deploy')

/** Programs of the images, with their paths and the owner of their data. */
const programs = {
  proxy: { from: '/usr/bin/caddy', to: '/usr/bin/caddy', user: 0, change: 'ENTRYPOINT ["caddy", "run", "--adapter", "caddyfile", "--config", "/etc/caddy/Caddyfile"]' },
  prometheus: { from: '/usr/bin/prometheus', to: '/bin/prometheus', user: 65534, change: 'ENTRYPOINT ["/bin/prometheus"]' }
}

const skip = withoutNetworks || lacking('caddy', 'prometheus', 'curl')

function provideStandIns (): void {
  for (const [name, { from, to, user, change }] of Object.entries(programs)) {
    provide(compose.services[name]!.image, (_, rootfs) => {
      copyProgram(rootfs, from, to)
      for (const folder of ['etc', 'prometheus', 'data', 'config', 'tmp']) mkdirSync(join(rootfs, folder), { recursive: true })
      writeFileSync(join(rootfs, 'etc/nsswitch.conf'), 'hosts: files dns\n')
      chownSync(join(rootfs, 'prometheus'), user, user)
      chmodSync(join(rootfs, 'tmp'), 0o1777)
    }, ['ENV PATH=/usr/bin:/bin', `USER ${user}`, change])
  }
}

t.test('docker compose up: both instances sign behind TLS, each with its audit, and Prometheus knows the alerts', { skip }, async t => {
  provideStandIns()
  podmanOutput('tag', builtImage(), compose.services.one!.image)
  const ports = { 8443: await freePort(), 9090: await freePort() }
  const data = t.testdir({
    'merchant-token': production.token, 'policy.json': readFileSync(join(deploy, 'compose/policy.json'), 'utf8'), audit: {}
  })
  for (const [name, mode] of [['', 0o700], ['audit', 0o700], ['merchant-token', 0o600]] as const) {
    chownSync(join(data, name), 1000, 1000)
    chmodSync(join(data, name), mode)
  }
  const { up, logs, copy } = composeProject(t, 'compose-test', ports, data)
  await up('one', 'other', 'proxy', 'prometheus')
  const commands = substitute(composeCommands, { 8443: ports[8443], ' root.crt': ` ${join(data, 'root.crt')}` })
  const [, authority = ''] = / cp proxy:(\S+)/.exec(commands) ?? []

  /** Retries until it returns a value. */
  const until = async <Value>(ask: () => Value | false | Promise<Value | false>): Promise<Value> => {
    for (const end = Date.now() + 60_000; ; await setTimeout(200)) {
      const value = await (async () => await ask())().catch(() => false as const)
      if (value !== false) return value
      if (Date.now() > end) throw new Error(`not in time: ${ask}\n${logs('proxy')}${logs('prometheus')}`)
    }
  }
  await until(() => copy('proxy', authority, join(data, 'root.crt')))
  const sign = () => spawnSync('sh', ['-c', `curl -s ${commands.split('\ncurl ')[1]}`], { encoding: 'utf8' }).stdout
  const signature = await until(() => /^\{"signature":/.test(sign()) && sign())
  for (let count = 0; count < 8; count++) t.equal(sign(), signature)
  for (const name of ['one', 'other']) {
    t.match(readFileSync(join(data, `audit/audit-${name}.log`), 'utf8'), '"outcome":"signed","caller":"anonymous"')
    t.notMatch(logs(name), '"level":40', 'no warning')
  }
  const prometheus = async (path: string) =>
    (await (await fetch(`http://127.0.0.1:${ports[9090]}/api/v1/${path}`)).json() as { data: any }).data
  await until(async () => (await prometheus('query?query=up%7Benvironment%3D%22production%22%7D%3D%3D1')).result.length === 2)
  const { groups: [{ rules }] } = await prometheus('rules')
  t.equal(rules.length, parse(readFileSync(join(deploy, 'prometheus/alerts.yaml'), 'utf8')).groups[0].rules.length)
})
