import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { policy } from './request.js'

const file = path => join(import.meta.dirname, path)
const peer = (name, label) => ({ name, label, command: [process.execPath, file(`targets/${name}.js`)], env: {} })

export const bareFastify = peer('bare-fastify', 'bare Fastify that signs')

const serverFile = file('../dist/server.js')

/** The service as `npm start` has it, with these variables; in production, like all of them. */
function service (name, label, env) {
  return { name, label, isOurs: true, command: [process.execPath, serverFile], env }
}

const silent = { LOG_LEVEL: 'silent' }
export const serviceDefault = service('service', 'service, default logging', {})
export const serviceSilent = service('silent', 'service, logging off', silent)

/** With a guard that the smoke test meets together with the others. */
const oneGuard = (...args) => ({ ...service(...args), isOneGuard: true })

/** Several processes of the service behind one port. */
export const cluster = processes => ({
  ...serviceSilent,
  command: [process.execPath, file('cluster.js'), serverFile],
  env: { ...silent, PROCESSES: String(processes) },
  isSpread: true
})

/** Builds the Go target in `directory`; without a toolchain it says so, and there is none. */
function go (directory) {
  const binary = join(directory, 'go-net-http')
  const { error, status, stderr } = spawnSync('go', ['build', '-o', binary, file('targets/main.go')], { encoding: 'utf8' })
  if (error !== undefined) {
    process.stdout.write(`skipped: Go net/http, there is no go here (${error.message})\n`)
    return []
  }
  if (status !== 0) throw new Error(`go build failed:\n${stderr}`)
  return [{ name: 'go', label: 'Go net/http, one processor', command: [binary], env: { GOMAXPROCS: '1' } }]
}

/** All that the HTTP part measures. Files that they need are made in `directory`. */
export function httpTargets (directory) {
  const POLICY_FILE = join(directory, 'policy.json')
  writeFileSync(POLICY_FILE, JSON.stringify(policy))
  const RATE_LIMIT_MAX = '1000000000'
  const guards = { STRICT: 'true', POLICY_FILE, RATE_LIMIT_MAX, ACCEPT_BODY_TOKEN: 'false', ADMIN_PORT: '0' }
  return [
    bareFastify,
    peer('node-http', 'plain node:http that signs'),
    serviceSilent,
    serviceDefault,
    oneGuard('strict', 'logging off, STRICT', { ...silent, STRICT: 'true' }),
    oneGuard('policy', 'logging off, POLICY_FILE (implies STRICT)', { ...silent, POLICY_FILE }),
    oneGuard('rate-limit', 'logging off, RATE_LIMIT_MAX in memory', { ...silent, RATE_LIMIT_MAX }),
    oneGuard('no-body-token', 'logging off, ACCEPT_BODY_TOKEN=false', { ...silent, ACCEPT_BODY_TOKEN: 'false' }),
    oneGuard('metrics', 'logging off, ADMIN_PORT', { ...silent, ADMIN_PORT: '0' }),
    oneGuard('audit', 'default logging, AUDIT', { AUDIT: 'true' }),
    service('guards', 'all guards but AUDIT, logging off', { ...silent, ...guards }),
    service('guards-audit', 'all guards, default logging', { ...guards, AUDIT: 'true' }),
    { ...serviceSilent, name: 'silent-again', label: 'service, logging off, once more' },
    peer('hono', 'Hono with cors, logging off'),
    peer('express', 'Express 5 with cors and express.json, logging off'),
    ...go(directory)
  ]
}
