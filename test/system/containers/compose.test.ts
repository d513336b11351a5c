import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import t from 'tap'
import { parse } from 'yaml'
import { serve } from '../../support/backend.js'
import { builtImage, copyProgram, podman, podmanOutput, provide, withoutNetworks } from '../../support/containers.js'
import { substitute } from '../../support/documentation.js'
import { composeCommands, composeFiles } from '../../support/documented.js'
import { production } from '../../support/example.js'
import { freePort } from '../../support/free-port.js'
import { lacking } from '../../support/installed.js'
import { root } from '../../support/server.js'

// deploy/compose.yaml as `docker compose up` runs it, with podman, and with Debian's older Caddy in place of the image.
// Debian's podman-compose 1.0 cannot run the file: it does not support `depends_on`.

interface Service {
  image: string
  /** null: the value is that of deploy/.env, if there is one. */
  environment: Record<string, string | number | null>
  volumes: string[]
  cap_add?: string[]
  tmpfs?: string[]
  ports?: string[]
  pids_limit: number
  mem_limit: string
}

const folder = join(root, 'deploy')
const text = readFileSync(join(folder, 'compose.yaml'), 'utf8')
const named = (name: string) => `compose-test-${name}`

/** Returns the file with values of deploy/.env. Throws if a required one is missing. */
const composeWith = (values: Record<string, string | number>): { services: Record<string, Service>, networks: any } =>
  parse(text.replaceAll(/\$\{(\w+):?([-?])([^}]*)\}/g, (_, name: string, kind: string, rest: string) => {
    if (values[name] === undefined && kind === '?') throw new Error(`${name}: ${rest}`)
    return String(values[name] ?? rest)
  }), { merge: true })

t.test('the service does not start without a backend, and Compose bounds its log', async t => {
  t.throws(() => composeWith({}), { message: "AUTHORIZE_URL: write the URL of your shop's route into deploy/.env" })
  const { services } = composeWith({ AUTHORIZE_URL: 'http://shop.test/may-sign' })
  for (const [name, service] of Object.entries(services)) t.match(service, { logging: { options: { 'max-size': '50m', 'max-file': '5' } } }, name)
  t.notMatch(text, /\$\{\w+:?-\}/, 'podman-compose 1.0 does not know an empty default')
  t.match(readFileSync(join(folder, 'env.example'), 'utf8'), /^AUTHORIZE_URL=http:/m)
})

/** Retries until a function returns true. */
async function until (isDone: () => boolean, explain: () => string): Promise<void> {
  for (const end = Date.now() + 60_000; !isDone(); await setTimeout(200)) {
    if (Date.now() > end) throw new Error(explain())
  }
}

const skip = withoutNetworks || lacking('caddy', 'curl')

t.test('both instances sign behind TLS, each with its audit', { skip }, async t => {
  const port = await freePort()
  const asked: unknown[] = []
  const { server } = await serve(t, async (request, response) => {
    asked.push(await json(request))
    response.end(`{"allowed":${asked.length > 1}}`)
  }, '0.0.0.0')
  const { services, networks } = composeWith({
    PROXY_PORT: port, AUTHORIZE_URL: `http://10.213.47.1:${(server.address() as AddressInfo).port}/may-sign` // the network's gateway
  })
  provide(services.proxy!.image, (_, rootfs) => {
    copyProgram(rootfs, '/usr/bin/caddy')
    for (const name of ['etc', 'data', 'config']) mkdirSync(join(rootfs, name), { recursive: true })
    writeFileSync(join(rootfs, 'etc/nsswitch.conf'), 'hosts: files dns\n')
  }, ['ENTRYPOINT ["/usr/bin/caddy", "run", "--adapter", "caddyfile", "--config", "/etc/caddy/Caddyfile"]'])
  podmanOutput('tag', builtImage(), services.one!.image)
  const clone = t.testdir()
  const program = join(root, 'dist/tools/command-line/payment-signature.js')
  execFileSync('bash', ['--norc', '-ec', `sudo () { "$@"; }; payment-signature () { node ${program} "$@"; }\n${composeFiles}`], {
    cwd: clone, input: production.token, env: { PATH: process.env.PATH }
  })
  const data = join(clone, 'deploy/data')
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
    const { image, environment, volumes, cap_add: added = [], tmpfs = [], ports = [], ...limits } = services[name]!
    podmanOutput('run', '--detach', '--name', named(name), '--pull', 'never',
      '--read-only', '--read-only-tmpfs=false', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges',
      '--memory', limits.mem_limit, '--pids-limit', String(limits.pids_limit),
      ...added.flatMap(capability => ['--cap-add', capability]),
      ...Object.entries(environment).flatMap(([variable, value]) => value === null ? [] : ['--env', `${variable}=${value}`]),
      ...volumes.flatMap(volume => ['--volume', volume.replace(/^\.\/data/, data).replace(/^\./, folder)]),
      ...tmpfs.flatMap(path => ['--tmpfs', path]), ...ports.flatMap(port => ['--publish', port]),
      '--network', named('network'), ...hosts.flatMap(host => ['--add-host', host]), image)
    hosts.push(`${name}:${podmanOutput('inspect', '--format', '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}', named(name))}`)
    if (name !== 'proxy') await until(() => podman('healthcheck', 'run', named(name)).status === 0, logs)
  }

  const commands = substitute(composeCommands, { 8443: port, ' root.crt': ` ${join(data, 'root.crt')}` })
  const [, authority = ''] = / cp proxy:(\S+)/.exec(commands) ?? []
  await until(() => podman('cp', `${named('proxy')}:${authority}`, join(data, 'root.crt')).status === 0, logs)
  const sign = async () => (await promisify(execFile)('sh', ['-c', `curl -s ${commands.split('\ncurl ')[1]!.trim()} || :`])).stdout
  for (const end = Date.now() + 60_000; await sign() === '';) if (Date.now() > end) throw new Error(logs())
  asked.length = 0
  t.equal(await sign(), '{"error":"Refused by the merchant"}')
  const signature = await sign()
  t.match(signature, /^\{"signature":/)
  for (let count = 0; count < 8; count++) t.equal(await sign(), signature)
  t.match(asked[0], { caller: 'anonymous', amount: '100.00', clientAddress: '10.213.47.1' })
  for (const name of ['one', 'other']) {
    t.match(readFileSync(join(data, `audit/audit-${name}.log`), 'utf8'), '"outcome":"signed","caller":"anonymous"')
    const warnings = podman('logs', named(name)).stdout.split('\n').filter(line => line.includes('"level":40'))
    t.strictSame(warnings.filter(line => !line.includes('the limit of open files is 1024')), [], 'this machine allows no more')
  }
})
