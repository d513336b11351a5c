import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { freePort } from './free-port.js'
import { lacking } from './installed.js'
import { callOnce } from './redis.js'
import { temporaryFolder } from './scope.js'
import { start, type Scope } from './server.js'

/** Value for a test's `skip`: the reason why certificates cannot be created, or false. */
export const withoutOpenssl = lacking('openssl')

/** Creates a private authority and a certificate of a server. Returns their paths. */
export function certificates (t: Scope) {
  const folder = temporaryFolder(t, 'redis-')
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  writeFileSync(join(folder, 'names'), 'subjectAltName=IP:127.0.0.1,DNS:localhost')
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=ca', '-days', '2')
  openssl('req', ...key, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=server')
  openssl('x509', '-req', '-in', 'server.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial',
    '-extfile', 'names', '-out', 'server.pem', '-days', '2')
  return { ca: join(folder, 'ca.pem'), cert: join(folder, 'server.pem'), key: join(folder, 'server.key') }
}

type Certificates = ReturnType<typeof certificates>

/** Starts a Redis at a port of 127.0.0.1. */
export async function redisNode (t: Scope, tls?: Certificates) {
  const folder = temporaryFolder(t, 'redis-')
  const port = await freePort()
  const listen = tls === undefined
    ? ['--port', String(port)]
    : ['--port', '0', '--tls-port', String(port), '--tls-ca-cert-file', tls.ca, '--tls-cert-file', tls.cert,
        '--tls-key-file', tls.key, '--tls-auth-clients', 'no']
  const server = start(t, 'redis-server', ['--bind', '127.0.0.1', '--dir', folder, '--save', '', ...listen], {
    cwd: folder, env: process.env
  })
  await server.says(/ready to accept connections/i)
  const options = {
    port, host: '127.0.0.1', retryStrategy: () => null, ...tls !== undefined && { tls: { ca: readFileSync(tls.ca) } }
  }
  return {
    port,
    command: (name: string, ...args: string[]) => callOnce(new Redis(options), name, args)
  }
}
