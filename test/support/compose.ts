import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parse } from 'yaml'
import { podman, podmanOutput } from './containers.js'
import { root, type Scope } from './server.js'

export interface Service {
  build?: string
  image: string
  user: string
  read_only: boolean
  cap_drop: string[]
  cap_add?: string[]
  security_opt: string[]
  pids_limit: number
  mem_limit: string
  environment?: Record<string, string | number>
  entrypoint?: string[]
  command?: string[]
  volumes: string[]
  tmpfs?: string[]
  ports?: string[]
  network_mode?: string
  networks?: string[] | Record<string, { ipv4_address?: string }>
  healthcheck?: { test: string[] }
  depends_on?: Record<string, { condition: 'service_healthy' | 'service_completed_successfully' }>
}

interface Compose {
  services: Record<string, Service>
  networks: Record<string, { internal?: boolean, ipam?: { config: Array<{ subnet: string, ip_range: string }> } }>
  volumes: Record<string, object>
}

const folder = join(root, 'deploy')

/** Returns deploy/compose.yaml with the variables of a `.env`. Ports keep their variables. */
export const composeWith = (variables: Record<string, string | undefined>): Compose => parse(
  readFileSync(join(folder, 'compose.yaml'), 'utf8'),
  (_key, value) => typeof value === 'string'
    ? value.replaceAll(/\$\{((?!PROXY|\w+_PORT)\w+):-([^}]*)\}/g, (_, name, missing) => variables[name] || missing)
    : value,
  { merge: true })
export const compose = composeWith({})

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
 * it supports neither addresses in networks nor `depends_on`, and it needs a shell for health checks.
 *
 * @param ports - those to use instead of the published ones, such as 8443
 * @param files - what to mount instead of a file of deploy/
 */
export function composeProject (
  t: Scope, project: string, ports: Record<number, number>, files: Record<string, string> = {}
) {
  const named = (name: string): string => `${project}-${name}`
  const remove = () => {
    podman('rm', '--force', '--time', '0', ...Object.keys(compose.services).map(named))
    podman('network', 'rm', '--force', ...Object.keys(compose.networks).map(named))
    podman('volume', 'rm', '--force', ...Object.keys(compose.volumes).map(named))
  }
  remove()
  t.teardown(remove)
  for (const [name, { internal, ipam }] of Object.entries(compose.networks)) {
    podmanOutput('network', 'create', ...internal ? ['--internal'] : [],
      '--disable-dns', ...(ipam?.config ?? []).flatMap(({ subnet, ip_range: range }) => ['--subnet', subnet, '--ip-range', range]), named(name))
  }

  /** Returns the volume or the file to mount. */
  const mounted = (volume: string): string => {
    const [source = '', ...rest] = volume.split(':')
    return [source.startsWith('.') ? files[basename(source)] ?? join(folder, source) : named(source), ...rest].join(':')
  }

  const addresses = new Map<string, Record<string, { IPAddress: string }>>()
  const networkNames = ({ networks = [] }: Service): string[] =>
    Array.isArray(networks) ? networks : Object.keys(networks)

  function networksOf (service: Service): string[] {
    const { network_mode: mode, networks = [] } = service
    if (mode !== undefined) return ['--network', mode]
    return networkNames(service).flatMap(network => {
      const { ipv4_address: ip } = Array.isArray(networks) ? {} : networks[network] ?? {}
      return ['--network', `${named(network)}${ip === undefined ? '' : `:ip=${ip}`}`]
    })
  }

  /**
   * Returns the names of the running containers in the same network. Docker resolves these names with a DNS server.
   * Debian's aardvark-dns needs seconds to answer a query for an unknown name.
   */
  const hostsOf = (service: Service): string[] => [...addresses].flatMap(([other, networks]) => {
    const shared = networkNames(service).find(network => networks[named(network)] !== undefined)
    return shared === undefined ? [] : ['--add-host', `${other}:${networks[named(shared)]!.IPAddress}`]
  })

  /** Returns a published port such as `127.0.0.1:${PROXY_PORT:-8443}:8443` with its own number. */
  const published = (port: string): string =>
    port.replaceAll(/\$\{\w+:-([\d.]+)\}/g, (_, documented) => String(ports[documented] ?? documented))

  function create (name: string, service: Service): void {
    const { environment = {}, entrypoint, command = [], tmpfs = [], cap_add: added = [] } = service
    podmanOutput('create', '--name', named(name), '--pull', 'never', '--user', service.user,
      ...service.read_only ? ['--read-only', '--read-only-tmpfs=false'] : [], // Docker does not create it either
      ...service.cap_drop.flatMap(capability => ['--cap-drop', capability]),
      ...added.flatMap(capability => ['--cap-add', capability]),
      ...service.security_opt.flatMap(option => ['--security-opt', option]),
      '--memory', service.mem_limit, '--pids-limit', String(service.pids_limit),
      ...Object.entries(environment).flatMap(([variable, value]) => ['--env', `${variable}=${value}`]),
      ...service.volumes?.flatMap(volume => ['--volume', mounted(volume)]) ?? [],
      ...tmpfs.flatMap(path => ['--tmpfs', path]),
      ...(service.ports ?? []).flatMap(port => ['--publish', published(port)]),
      ...networksOf(service), ...hostsOf(service),
      '--no-healthcheck', // healthy() runs the check; podman would ask systemd
      ...entrypoint === undefined ? [] : ['--entrypoint', JSON.stringify(entrypoint)],
      service.image, ...command)
  }

  const logs = (name: string): string => {
    const { stdout, stderr } = podman('logs', named(name))
    return stdout + stderr
  }

  /** Resolves once the service's own health check succeeds. */
  async function healthy (name: string): Promise<void> {
    const [kind, ...command] = compose.services[name]!.healthcheck!.test
    if (kind !== 'CMD') throw new Error(`a health check of ${name} that needs a shell`)
    for (const end = Date.now() + 30_000; podman('exec', named(name), ...command).status !== 0; await setTimeout(100)) {
      if (Date.now() > end) throw new Error(`${name} is not healthy:\n${logs(name)}`)
    }
  }

  return {
    logs,
    healthy,
    /** Runs a command in a running service, and returns its output. */
    exec: (name: string, ...command: string[]) => podmanOutput('exec', named(name), ...command),
    copy: (name: string, from: string, to: string) => podmanOutput('cp', `${named(name)}:${from}`, to),
    /** Services that run after the services that they depend on. */
    async up (...names: string[]) {
      for (const name of names) {
        const service = compose.services[name]!
        for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
          if (condition === 'service_healthy') await healthy(other)
          else if (podmanOutput('wait', named(other)) !== '0') throw new Error(`${other} failed:\n${logs(other)}`)
        }
        create(name, service)
        podmanOutput('start', named(name))
        const inspected = podmanOutput('inspect', '--format', '{{json .NetworkSettings.Networks}}', named(name))
        addresses.set(name, JSON.parse(inspected) ?? {})
      }
    },
    /** Runs a command of another image in the networks of a service, and returns its output. */
    inPlaceOf: (name: string, image: string, entrypoint: string, ...command: string[]) => podmanOutput('run', '--rm',
      ...networksOf(compose.services[name]!), ...hostsOf(compose.services[name]!), '--entrypoint', entrypoint, image, ...command),
    /** Restarts an ended service, and waits for its end. */
    again (name: string) {
      podmanOutput('start', named(name))
      return podmanOutput('wait', named(name))
    }
  }
}
