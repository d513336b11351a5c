import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parse } from 'yaml'
import { podman, podmanOutput } from './containers.js'
import { root, type Scope } from './server.js'

interface Service {
  image: string
  user?: string
  read_only: boolean
  cap_drop: string[]
  cap_add?: string[]
  security_opt: string[]
  pids_limit: number
  mem_limit: string
  environment?: Record<string, string | number>
  command?: string[]
  volumes: string[]
  tmpfs?: string[]
  ports?: string[]
  healthcheck?: { test: string[] }
  depends_on?: Record<string, unknown>
}

interface Compose {
  services: Record<string, Service>
  networks: { default: { ipam: { config: [{ subnet: string }] } } }
  volumes: Record<string, object>
}

const folder = join(root, 'deploy')

/** deploy/compose.yaml without a `.env`. Ports keep their variables. */
export const compose: Compose = parse(
  readFileSync(join(folder, 'compose.yaml'), 'utf8'),
  (_key, value) => typeof value === 'string'
    ? value.replaceAll(/\$\{((?!PROXY|\w+_PORT)\w+):?-([^}]*)\}/g, '$2')
    : value,
  { merge: true })

/** Copies a program of this machine, and the libraries that it is linked with, to the empty folder of an image. */
export function copyProgram (rootfs: string, program: string, to: string): void {
  const libraries = spawnSync('ldd', [program], { encoding: 'utf8' }).stdout.match(/\/\S+(?= \(0x)/g) ?? []
  for (const [from, path] of [[program, to] as const, ...libraries.map(library => [library, library] as const)]) {
    mkdirSync(dirname(join(rootfs, path)), { recursive: true })
    copyFileSync(from, join(rootfs, path))
  }
}

/**
 * Runs deploy/compose.yaml with podman, as `docker compose up` does. Debian's podman-compose 1.0 cannot run the file:
 * it does not support `depends_on`, and it needs a shell for health checks.
 *
 * @param ports - those to use instead of the published ones, such as 8443
 * @param data - the folder to mount instead of deploy/data
 */
export function composeProject (t: Scope, project: string, ports: Record<number, number>, data: string) {
  const named = (name: string): string => `${project}-${name}`
  const remove = () => {
    podman('rm', '--force', '--time', '0', ...Object.keys(compose.services).map(named))
    podman('network', 'rm', '--force', named('default'))
    podman('volume', 'rm', '--force', ...Object.keys(compose.volumes).map(named))
  }
  remove()
  t.teardown(remove)
  const { subnet } = compose.networks.default.ipam.config[0]
  podmanOutput('network', 'create', '--disable-dns', '--subnet', subnet, named('default'))

  /** Returns the volume or the path to mount. */
  const mounted = (volume: string): string => volume.startsWith('.')
    ? volume.replace(/^\.\/data/, data).replace(/^\./, folder)
    : named(volume)

  // Docker resolves these names with a DNS server. Debian's aardvark-dns needs seconds for an unknown name.
  const hosts = new Map<string, string>()

  /** Returns a published port such as `127.0.0.1:${PROXY_PORT:-8443}:8443` with its own number. */
  const published = (port: string): string =>
    port.replaceAll(/\$\{\w+:-([\d.]+)\}/g, (_, documented) => String(ports[documented] ?? documented))

  function create (name: string, service: Service): void {
    const { environment = {}, command = [], tmpfs = [], cap_add: added = [], user } = service
    podmanOutput('create', '--name', named(name), '--pull', 'never', ...user === undefined ? [] : ['--user', user],
      ...service.read_only ? ['--read-only', '--read-only-tmpfs=false'] : [], // Docker does not create it either
      ...service.cap_drop.flatMap(capability => ['--cap-drop', capability]),
      ...added.flatMap(capability => ['--cap-add', capability]),
      ...service.security_opt.flatMap(option => ['--security-opt', option]),
      '--memory', service.mem_limit, '--pids-limit', String(service.pids_limit),
      ...Object.entries(environment).flatMap(([variable, value]) => ['--env', `${variable}=${value}`]),
      ...service.volumes.flatMap(volume => ['--volume', mounted(volume)]),
      ...tmpfs.flatMap(path => ['--tmpfs', path]),
      ...(service.ports ?? []).flatMap(port => ['--publish', published(port)]),
      '--network', named('default'), ...[...hosts].flatMap(([host, ip]) => ['--add-host', `${host}:${ip}`]),
      '--no-healthcheck', // healthy() runs the check; podman would ask systemd
      service.image, ...command)
  }

  const logs = (name: string): string => {
    const { stdout, stderr } = podman('logs', named(name))
    return stdout + stderr
  }

  /** Resolves once the service's own health check succeeds. */
  async function healthy (name: string): Promise<void> {
    const [, ...command] = compose.services[name]!.healthcheck!.test
    for (const end = Date.now() + 30_000; podman('exec', named(name), ...command).status !== 0; await setTimeout(100)) {
      if (Date.now() > end) throw new Error(`${name} is not healthy:\n${logs(name)}`)
    }
  }

  return {
    logs,
    copy: (name: string, from: string, to: string) => podmanOutput('cp', `${named(name)}:${from}`, to),
    /** Services that run after the services that they depend on. */
    async up (...names: string[]) {
      for (const name of names) {
        const service = compose.services[name]!
        for (const other of Object.keys(service.depends_on ?? {})) await healthy(other)
        create(name, service)
        podmanOutput('start', named(name))
        const inspected = podmanOutput('inspect', '--format', '{{json .NetworkSettings.Networks}}', named(name))
        hosts.set(name, JSON.parse(inspected)[named('default')].IPAddress)
      }
    }
  }
}
