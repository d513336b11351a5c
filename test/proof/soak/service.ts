import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { serve } from '../../support/backend.js'
import { freePort } from '../../support/free-port.js'
import { redisServer } from '../../support/redis.js'
import { root } from '../../support/server.js'
import type { Scope } from '../../support/server.js'

export const token = randomBytes(32).toString('hex')
/** The API key of the caller back-office. */
export const key = randomBytes(32).toString('hex')

const policy = {
  callers: [
    { name: 'anonymous', anonymous: true, operations: ['purchase'], accountNumbers: ['102551'], maximumAmount: '500.00' },
    {
      name: 'back-office',
      apiKeySha256: createHash('sha256').update(key).digest('hex'),
      operations: ['purchase', 'refund', 'void', 'inquiry'],
      accountNumbers: ['102551'],
      rate: { max: 1_000_000, window: 1000 }
    }
  ]
}

/** Limit by address. Only the kind `purchases from one address` reaches it. */
const limits = { RATE_LIMIT_MAX: '10', RATE_LIMIT_WINDOW: '1000' }

export type Service = Awaited<ReturnType<typeof startService>>

/** Starts the service with every guard, Redis and a backend that allows everything. Resolves when it listens. */
export async function startService (t: Scope) {
  const folder = t.testdir()
  const redis = redisServer(t)
  await redis.start()
  writeFileSync(join(folder, 'policy.json'), JSON.stringify(policy))
  const { origin } = await serve(t, (request, response) => {
    request.resume()
    response.writeHead(204).end()
  })
  const [port, adminPort] = [await freePort(), await freePort()]
  const collector = `data:text/javascript,${encodeURIComponent('process.on("SIGWINCH", () => gc())')}`
  const child = spawn(process.execPath, ['--expose-gc', '--import', collector, join(root, 'dist/src/server.js')], {
    cwd: folder,
    env: {
      NODE_ENV: 'production',
      NODE_OPTIONS: '--max-old-space-size=96', // megabytes: a leak ends the process
      HOST: '127.0.0.1',
      PORT: String(port),
      ADMIN_PORT: String(adminPort),
      MERCHANT_TOKEN: token,
      POLICY_FILE: join(folder, 'policy.json'),
      AUDIT: 'required',
      AUTHORIZE_URL: `${origin}/may-sign`,
      REDIS_URL: redis.url,
      TRUST_PROXY: '127.0.0.1', // each request has its own X-Forwarded-For
      CORS_ORIGIN: 'https://shop.example',
      ACCEPT_BODY_TOKEN: 'false',
      ...limits
    },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  t.teardown(() => { child.kill('SIGKILL') })
  const ended = once(child, 'close').then(([code, signal]) => `the service ended with ${signal ?? code}`)

  /** `decisions`: lines of the audit, and decisions in the counts of the log. */
  const log = { lines: 0, decisions: 0, faults: [] as string[] }
  createInterface(child.stdout).on('line', line => {
    log.lines++
    if (line.includes(token) || line.includes(key)) log.faults.push('a log line has the token or the key')
    try {
      const { level, msg, statusCode, count } = JSON.parse(line)
      if (msg === 'decision') log.decisions++
      if (msg === 'more requests refused' && statusCode === 429) log.decisions += count
      if (level >= 50) log.faults.push(`logged: ${line}`)
      if (/^listening at/.test(msg)) child.emit('listening')
    } catch {
      log.faults.push(`a log line is no JSON: ${line}`)
    }
  })
  await Promise.race([once(child, 'listening'), ended.then(reason => { throw new Error(reason) })])

  return {
    port,
    log,
    /** Resolves with a description of the exit when the process has ended. */
    ended,

    /** Returns the samples of its metrics after a garbage collection: names with labels, and values. */
    async metrics (): Promise<Map<string, number>> {
      child.kill('SIGWINCH')
      const response = await fetch(`http://127.0.0.1:${adminPort}/metrics`, { headers: { connection: 'close' } })
      const lines = (await response.text()).split('\n').filter(line => line !== '' && !line.startsWith('#'))
      return new Map(lines.map(line => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]))
    },

    async stop (): Promise<string> {
      child.kill('SIGTERM')
      return ended
    }
  }
}
