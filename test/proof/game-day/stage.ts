import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { RequestListener, Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { proxied } from '../../support/documented.js'
import { freePort, freePorts } from '../../support/free-port.js'
import { startProxy } from '../../support/proxies.js'
import { redisServer } from '../../support/redis.js'
import type { RedisServer } from '../../support/redis.js'
import { replaceFile } from '../../support/replace-file.js'
import { root, server, start } from '../../support/server.js'
import type { Scope, Server } from '../../support/server.js'
import { signatureOf } from '../signature.js'

/** Divisor of the times of the alert rules and of Prometheus' usual interval of 15 seconds. */
export const acceleration = 30

const milliseconds = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** Returns deploy/prometheus/alerts.yaml with shorter times. */
const acceleratedRules = () => readFileSync(join(root, 'deploy/prometheus/alerts.yaml'), 'utf8')
  .replace(/\b(\d+)([mhdw])\b/g, (_, count, unit: keyof typeof milliseconds) => `${count * milliseconds[unit] / acceleration}ms`)
  .replace(/(uptime:seconds < )(\d+)/g, (_, comparison, seconds) => `${comparison}${seconds / acceleration}`)

/** Polls until a condition holds. Returns false if it does not hold in time. */
export async function until (condition: () => boolean | Promise<boolean>, patience: number): Promise<boolean> {
  for (const end = Date.now() + patience; Date.now() < end; await setTimeout(100)) {
    if (await condition()) return true
  }
  return false
}

const get = (port: number, path: string) => fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(1000) })
const isOk = (port: number, path: string) => get(port, path).then(({ ok }) => ok, () => false)

const answers = {
  yes: (_request, response) => { response.writeHead(204).end() },
  never: () => {},
  garbage: (_request, response) => { response.writeHead(200).end('<html>') }
} satisfies Record<string, RequestListener>

/** A merchant's backend whose answers can be changed, and which can be down. */
async function startBackend (t: Scope) {
  let server: HttpServer
  let port = 0
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  async function answer (kind: keyof typeof answers) {
    if (port !== 0) close()
    server = createServer(answers[kind]).listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  }
  await answer('yes')
  t.teardown(() => close())
  return { url: `http://127.0.0.1:${port}/may-sign`, answer, down: close }
}

async function startPrometheus (t: Scope, folder: string, targets: number[]) {
  const port = await freePort()
  writeFileSync(join(folder, 'alerts.yaml'), acceleratedRules())
  const configuration = join(folder, 'prometheus.yaml')
  writeFileSync(configuration, JSON.stringify({
    global: { scrape_interval: '500ms', scrape_timeout: '500ms', evaluation_interval: '500ms' },
    rule_files: ['alerts.yaml'],
    scrape_configs: [{
      job_name: 'payment-signature', static_configs: [{ targets: targets.map(port => `127.0.0.1:${port}`) }]
    }]
  }))
  start(t, 'prometheus', [
    '--config.file', configuration, '--storage.tsdb.path', join(folder, 'tsdb'), '--web.listen-address', `127.0.0.1:${port}`
  ], { cwd: folder, env: process.env })
  if (!await until(() => isOk(port, '/-/ready'), 20_000)) throw new Error('Prometheus does not start')
  /** Returns the names of the alerts that fire, without their common prefix. */
  const firing = async (): Promise<string[]> => {
    const { data } = await (await get(port, '/api/v1/alerts')).json() as
      { data: { alerts: Array<{ state: string, labels: { alertname: string } }> } }
    return data.alerts.filter(({ state }) => state === 'firing')
      .map(({ labels }) => labels.alertname.replace('PaymentSignature', ''))
  }
  const isScraped = async () =>
    /"1"\]/.test(await (await get(port, '/api/v1/query?query=sum(up)==bool%202')).text()) && (await firing()).length === 0
  if (!await until(isScraped, 20_000)) throw new Error('Prometheus does not scrape both instances')
  return firing
}

const token = 'gameDayTokenThatIsLongEnough'
export const otherToken = 'gameDayTokenThatReplacesTheFirst'
export const policy = (maximumAmount: string) => JSON.stringify({
  callers: [{ name: 'anonymous', anonymous: true, operations: ['purchase'], accountNumbers: ['102551'], maximumAmount }]
})

/** The request of all clients. Its time stamp is that of the real clock. */
const purchase = {
  operationType: 'purchase' as const,
  amount: '100.00',
  merchantAccountNumber: '102551',
  orderId: 'ORDER-12345',
  sid: randomUUID(),
  clientTimeStamp: Date.now()
}
const body = JSON.stringify(purchase)
export const example = { body, signature: signatureOf(purchase, token) }
/** Returns the body of the right response with a token. */
export const rightAnswer = (merchantToken = token) =>
  JSON.stringify({ signature: signatureOf(purchase, merchantToken) })

export type Stage = Awaited<ReturnType<typeof startStage>>

/**
 * Starts two instances with every guard behind HAProxy, with Redis, a backend and Prometheus, and resolves when both
 * are ready and scraped.
 *
 * @param variables - of both instances, in addition
 * @param script - of the first start of both instances. Default: the server of this checkout
 */
export async function startStage (t: Scope, variables: Record<string, string>, script?: string) {
  const folder = t.testdir()
  const file = (name: string) => join(folder, name)
  mkdirSync(file('audit'), { recursive: true })
  const write = (name: string, text: string | Buffer) => replaceFile(file(name), text)
  write('token', token)
  write('policy.json', policy('500.00'))
  write('clock', '+0')

  const redis: RedisServer = redisServer(t)
  const startRedis = async () => {
    await redis.start()
    await redis.command('ACL', 'SETUSER', 'service', 'on', '>one', '~*', '+@all')
  }
  await startRedis()
  const backend = await startBackend(t)
  const ports = await freePorts()
  const admins = [ports[9464], ports[9465]]
  const startInstance = (index: number, script?: string) => server(t, {
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    PORT: String([ports[3001], ports[3002]][index]),
    ADMIN_PORT: String(admins[index]),
    SHUTDOWN_DELAY: '5000',
    TRUST_PROXY: '127.0.0.1',
    MERCHANT_TOKEN_FILE: file('token'),
    POLICY_FILE: file('policy.json'),
    ACCEPT_BODY_TOKEN: 'false',
    AUTHORIZE_URL: backend.url,
    AUDIT: 'required',
    AUDIT_FILE: file(`audit/${index}.log`),
    REDIS_URL: redis.url.replace('localhost', 'service:one@localhost'),
    RATE_LIMIT_MAX: '1000000',
    CORS_ORIGIN: 'https://shop.example',
    ...variables
  }, { ...script !== undefined && { script } })

  const instances = [startInstance(0, script), startInstance(1, script)] as [Server, Server]
  const isReady = async (index: number) => isOk(admins[index] as number, '/ready')
  const areReady = async () => (await isReady(0)) && (await isReady(1))
  if (!await until(areReady, 30_000)) throw new Error(`no start:\n${instances.map(one => one.output()).join('\n')}`)
  const proxy = await startProxy(t, 'haproxy', proxied.haproxy, ports)
  const firing = await startPrometheus(t, folder, admins)

  return {
    port: proxy.port,
    file,
    write,
    redis,
    startRedis,
    backend,
    instances,
    isReady,
    areReady,
    firing,
    /** Starts an instance that has ended. */
    restart (index: 0 | 1, script?: string) { instances[index] = startInstance(index, script) },
    /** Lines of an audit file that was deleted or moved. */
    keptAudit: '',
    /** Returns all lines of the audit of both instances. */
    audit: () => [0, 1].map(index => {
      try {
        return readFileSync(file(`audit/${index}.log`), 'utf8')
      } catch {
        return ''
      }
    }).join('')
  }
}
