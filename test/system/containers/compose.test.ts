import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { parse } from 'yaml'
import { builtImage, copyProgram, podman, podmanOutput, provide, withoutNetworks } from '../../support/containers.js'
import { substitute } from '../../support/documentation.js'
import { composeCommands } from '../../support/documented.js'
import { production } from '../../support/example.js'
import { freePort } from '../../support/free-port.js'
import { lacking } from '../../support/installed.js'
import { root } from '../../support/server.js'

// deploy/compose.yaml as `docker compose up` runs it, with podman, and with Debian's older Caddy in place of the image.
// Debian's podman-compose 1.0 cannot run the file: it does not support `depends_on`.

interface Service {
  image: string
  user?: string
  environment: Record<string, string | number | null>
  volumes: string[]
  cap_add?: string[]
  tmpfs?: string[]
  ports?: string[]
  pids_limit: number
  mem_limit: string
}

const folder = join(root, 'deploy')
const named = (name: string) => `compose-test-${name}`

/** Retries until a function returns true. */
async function until (isDone: () => boolean, explain: () => string): Promise<void> {
  for (const end = Date.now() + 60_000; !isDone(); await setTimeout(200)) {
    if (Date.now() > end) throw new Error(explain())
  }
}

const skip = withoutNetworks || lacking('caddy', 'curl')

t.test('both instances sign behind TLS, each with its audit', { skip }, async t => {
  const port = await freePort()
  const text = readFileSync(join(folder, 'compose.yaml'), 'utf8').replace('${PROXY_PORT:-8443}', String(port)) // eslint-disable-line no-template-curly-in-string
    .replaceAll(/\$\{\w+:?-([^}]*)\}/g, '$1')
  const { services, networks } = parse(text, { merge: true }) as { services: Record<string, Service>, networks: any }
  provide(services.proxy!.image, (_, rootfs) => {
    copyProgram(rootfs, '/usr/bin/caddy')
    for (const name of ['etc', 'data', 'config']) mkdirSync(join(rootfs, name), { recursive: true })
    writeFileSync(join(rootfs, 'etc/nsswitch.conf'), 'hosts: files dns\n')
  }, ['ENTRYPOINT ["/usr/bin/caddy", "run", "--adapter", "caddyfile", "--config", "/etc/caddy/Caddyfile"]'])
  podmanOutput('tag', builtImage(), services.one!.image)
  const data = t.testdir({ 'merchant-token': production.token, 'policy.json': readFileSync(join(folder, 'policy.json'), 'utf8'), audit: {} })
  for (const [name, mode] of [['', 0o700], ['audit', 0o700], ['merchant-token', 0o600]] as const) {
    chownSync(join(data, name), 1000, 1000)
    chmodSync(join(data, name), mode)
  }
  const remove = () => {
    podman('rm', '--force', '--time', '0', ...Object.keys(services).map(named))
    podman('network', 'rm', '--force', named('network'))
    podman('volume', 'rm', '--force', 'caddy')
  }
  remove()
  t.teardown(remove)
  podmanOutput('network', 'create', '--disable-dns', '--subnet', networks.default.ipam.config[0].subnet, named('network'))
  const hosts: string[] = [] // Docker has a DNS server for them
  const logs = () => Object.keys(services).map(name => Object.values(podman('logs', named(name))).join('')).join('\n')
  for (const name of ['one', 'other', 'proxy']) {
    const { image, user = '0', environment, volumes, cap_add: added = [], tmpfs = [], ports = [], ...limits } = services[name]!
    podmanOutput('run', '--detach', '--name', named(name), '--pull', 'never', '--user', user,
      '--read-only', '--read-only-tmpfs=false', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges',
      '--memory', limits.mem_limit, '--pids-limit', String(limits.pids_limit),
      ...added.flatMap(capability => ['--cap-add', capability]),
      ...Object.entries(environment).flatMap(([variable, value]) => ['--env', `${variable}=${value ?? ''}`]),
      ...volumes.flatMap(volume => ['--volume', volume.replace(/^\.\/data/, data).replace(/^\./, folder)]),
      ...tmpfs.flatMap(path => ['--tmpfs', path]), ...ports.flatMap(port => ['--publish', port]),
      '--network', named('network'), ...hosts.flatMap(host => ['--add-host', host]), image)
    hosts.push(`${name}:${podmanOutput('inspect', '--format', '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}', named(name))}`)
    if (name !== 'proxy') await until(() => podman('healthcheck', 'run', named(name)).status === 0, logs)
  }

  const commands = substitute(composeCommands, { 8443: port, ' root.crt': ` ${join(data, 'root.crt')}` })
  const [, authority = ''] = / cp proxy:(\S+)/.exec(commands) ?? []
  await until(() => podman('cp', `${named('proxy')}:${authority}`, join(data, 'root.crt')).status === 0, logs)
  const sign = () => spawnSync('sh', ['-c', `curl -s ${commands.split('\ncurl ')[1]}`], { encoding: 'utf8' }).stdout
  await until(() => sign().startsWith('{"signature":'), logs)
  const signature = sign()
  for (let count = 0; count < 8; count++) t.equal(sign(), signature)
  for (const name of ['one', 'other']) {
    t.match(readFileSync(join(data, `audit/audit-${name}.log`), 'utf8'), '"outcome":"signed","caller":"anonymous"')
    const warnings = podman('logs', named(name)).stdout.split('\n').filter(line => line.includes('"level":40'))
    t.match(warnings, [/"open: nothing checks order and price for callers without a key/], 'the only warning: no backend decides')
    t.equal(warnings.length, 1)
  }
})
