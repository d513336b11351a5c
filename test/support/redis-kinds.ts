import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { freePort } from './free-port.js'
import { lacking } from './installed.js'
import { callOnce } from './redis.js'
import { temporaryFolder } from './scope.js'
import { start, type Scope } from './server.js'

/** Value for a test's `skip`: the reason why certificates cannot be created, or false. */
export const withoutOpenssl = lacking('openssl')

/** A Redis of any mode at a port of 127.0.0.1. */
interface RedisNode {
  port: number
  command: (name: string, ...args: Array<string | number>) => Promise<unknown>
  /** Resolves when the process is gone. */
  kill: () => Promise<void>
}

/** Creates a private authority, a server and a client, and a client of another authority. Returns their paths. */
export function certificates (t: Scope) {
  const folder = temporaryFolder(t, 'redis-')
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const authority = (name: string) =>
    openssl('req', '-x509', ...key, '-keyout', `${name}.key`, '-out', `${name}.pem`, '-subj', `/CN=${name}`, '-days', '2')
  const signed = (name: string, by: string) => {
    openssl('req', ...key, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`)
    openssl('x509', '-req', '-in', `${name}.csr`, '-CA', `${by}.pem`, '-CAkey', `${by}.key`, '-CAcreateserial',
      '-extfile', 'names', '-out', `${name}.pem`, '-days', '2')
    return { cert: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) }
  }
  writeFileSync(join(folder, 'names'), 'subjectAltName=IP:127.0.0.1,DNS:localhost')
  authority('ca')
  authority('other-ca')
  return {
    folder,
    ca: join(folder, 'ca.pem'),
    server: signed('server', 'ca'),
    client: signed('client', 'ca'),
    stranger: signed('stranger', 'other-ca')
  }
}

type Certificates = ReturnType<typeof certificates>

/** Arguments of a redis-server that accepts TLS connections of clients with a certificate. */
const tlsArgs = (port: number, { ca, server }: Certificates) => [
  '--port', '0', '--tls-port', String(port), '--tls-ca-cert-file', ca, '--tls-cert-file', server.cert,
  '--tls-key-file', server.key, '--tls-replication', 'yes', '--tls-cluster', 'yes'
]

/** Starts a node with lines of configuration and additional arguments. */
export async function redisNode (
  t: Scope, configuration: string[] = [], tls?: Certificates, args: string[] = []
): Promise<RedisNode> {
  const folder = temporaryFolder(t, 'redis-')
  const port = await freePort()
  writeFileSync(join(folder, 'redis.conf'), configuration.map(line => `${line}\n`).join(''))
  const listen = tls === undefined ? ['--port', String(port)] : tlsArgs(port, tls)
  const server = start(t, 'redis-server', [
    'redis.conf', '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--repl-diskless-sync-delay', '0', ...listen, ...args
  ], { cwd: folder, env: process.env })
  await server.says(/ready to accept connections|Sentinel ID is/i)
  const options = {
    port,
    host: '127.0.0.1',
    retryStrategy: () => null,
    ...tls !== undefined && {
      tls: { ca: readFileSync(tls.ca), cert: readFileSync(tls.client.cert), key: readFileSync(tls.client.key) }
    }
  }
  return {
    port,
    command: (name, ...args) => callOnce(new Redis(options), name, args),
    async kill () {
      server.process.kill('SIGKILL')
      await server.ended
    }
  }
}

/** Resolves once a node's reply matches a pattern. */
async function replies (node: RedisNode, pattern: RegExp, name: string, ...args: string[]): Promise<void> {
  while (!pattern.test(String(await node.command(name, ...args)))) await setTimeout(20)
}

/** Starts a primary called `signatures`, its replica, and a Sentinel that detects a lost primary within 0.2 s. */
export async function sentinels (t: Scope, tls?: Certificates) {
  const primary = await redisNode(t, [], tls)
  const replica = await redisNode(t, [`replicaof 127.0.0.1 ${primary.port}`], tls)
  await replies(replica, /master_link_status:up/, 'info', 'replication')
  const sentinel = await redisNode(t, [
    `sentinel monitor signatures 127.0.0.1 ${primary.port} 1`,
    'sentinel down-after-milliseconds signatures 200',
    'sentinel failover-timeout signatures 1000'
  ], tls, ['--sentinel'])
  await replies(sentinel, new RegExp(`${replica.port}`), 'sentinel', 'replicas', 'signatures')
  return { primary, replica, sentinel }
}

/** Starts a Cluster of `count` primaries. The first one can have a replica. */
export async function cluster (t: Scope, size: number, { hasReplica = false, tls }: {
  hasReplica?: boolean, tls?: Certificates
} = {}): Promise<{ primaries: RedisNode[], replica: RedisNode | undefined }> {
  const nodes: Array<RedisNode & { bus: number }> = []
  for (let index = 0; index < size + Number(hasReplica); index++) {
    const bus = await freePort()
    const node = await redisNode(t, [
      'cluster-enabled yes', `cluster-port ${bus}`, 'cluster-announce-ip 127.0.0.1', 'cluster-node-timeout 500'
    ], tls)
    nodes.push({ ...node, bus })
  }
  const first = nodes[0] as RedisNode
  const primaries = nodes.slice(0, size)
  for (const [index, node] of primaries.entries()) {
    const from = Math.ceil(16384 * index / size)
    await node.command('cluster', 'addslotsrange', from, Math.ceil(16384 * (index + 1) / size) - 1)
    await node.command('cluster', 'set-config-epoch', index + 1)
  }
  for (const { port, bus } of nodes.slice(1)) await first.command('cluster', 'meet', '127.0.0.1', port, bus)
  for (const node of nodes) {
    await replies(node, new RegExp(`cluster_state:ok[^]*cluster_known_nodes:${nodes.length}`), 'cluster', 'info')
  }
  const replica = nodes[size]
  if (replica !== undefined) {
    await replica.command('cluster', 'replicate', String(await first.command('cluster', 'myid')))
    await replies(replica, /master_link_status:up/, 'info', 'replication')
    for (const node of nodes) await replies(node, /slave/, 'cluster', 'nodes')
  }
  return { primaries, replica }
}
