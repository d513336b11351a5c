import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { measure } from './load.js'
import { leaveServerProcessor } from './processors.js'
import { say, table, temporaryDirectory } from './report.js'
import { body, path } from './request.js'
import { freePort, start } from './server.js'
import { median } from './statistics.js'

// What docs/capacity.md calculates with: what each guard costs a request, what a connection costs, and how long
// requests wait the more there are of them.

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '9' }, seconds: { type: 'string', default: '2' } }
})
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)
if (!(rounds >= 1 && seconds > 0)) throw new Error('--rounds and --seconds take numbers above 0')

const directory = temporaryDirectory('capacity')
leaveServerProcessor() // this process, Redis and the backend have the processor of the load

const redisPort = await freePort()
const redisArgs = ['--port', redisPort, '--bind', '127.0.0.1', '--save', '', '--dir', directory]
const redis = spawn('redis-server', redisArgs, { stdio: 'ignore' })
process.on('exit', () => redis.kill('SIGKILL'))

/** What Redis says of itself: how many commands it has had, and its processor time in microseconds. */
async function redisFigures () {
  const socket = connect(redisPort, '127.0.0.1')
  socket.end('INFO all\r\nQUIT\r\n')
  const info = await text(socket)
  const number = name => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)[1])
  return { commands: number('total_commands_processed'), microseconds: (number('used_cpu_user') + number('used_cpu_sys')) * 1e6 }
}

const backend = createServer((request, response) => {
  request.resume().on('end', () => response.setHeader('content-type', 'application/json').end('{"allow":true}'))
}).listen(0, '127.0.0.1')
await once(backend, 'listening')

const policy = join(directory, 'policy.json')
writeFileSync(policy, JSON.stringify({
  callers: [{ name: 'anonymous', anonymous: true, operations: ['purchase'], accountNumbers: ['102551'], maximumAmount: '500.00' },
    { name: 'back-office', apiKeySha256: createHash('sha256').update('k'.repeat(43)).digest('hex'), operations: ['refund'], accountNumbers: ['102551'] }]
}))

const file = join(import.meta.dirname, '../dist/src/server.js')
const service = (label, env = {}) => ({ label, file, env: { MAX_CONNECTIONS: '4000', TIME_STAMP_MAX_AHEAD: '0', ...env } })
const plain = service('no guard, default log')
const often = { RATE_LIMIT_MAX: '1000000000', RATE_LIMIT_WINDOW: '3600000' }
const withRedis = { ...often, REDIS_URL: `redis://127.0.0.1:${redisPort}` }
const all = { POLICY_FILE: policy, AUDIT: 'true', ADMIN_PORT: '0', ...withRedis }
const targets = [
  service('no guard, no log', { LOG_LEVEL: 'silent' }),
  plain,
  service('policy, with strict fields', { POLICY_FILE: policy }),
  service('audit', { AUDIT: 'true' }),
  service('metrics', { ADMIN_PORT: '0' }),
  service('rate limit in memory', often),
  service('rate limit in Redis', withRedis),
  service('your backend asked', { AUTHORIZE_URL: `http://127.0.0.1:${backend.address().port}/`, AUTHORIZE_MAX_IN_FLIGHT: '1000' }),
  service('policy, audit, metrics, Redis', all)
]

async function ofGuards () {
  const figures = new Map(targets.map(target => [target, []]))
  for (let round = 0; round < rounds; round++) {
    for (const target of targets) {
      const server = await start(target, directory)
      const { startTime } = server
      await measure(server, seconds) // to warm up
      const logged = server.logSize()
      const before = await redisFigures()
      const measured = await measure(server, seconds)
      const after = await redisFigures()
      const each = (one, other) => (one - other) / measured.requests
      figures.get(target).push({
        ...measured,
        startTime,
        logged: each(server.logSize(), logged),
        commands: each(after.commands, before.commands),
        redis: each(after.microseconds, before.microseconds)
      })
      await server.stop()
      say(`round ${round + 1} of ${rounds}: ${target.label}, ${measured.microseconds.toFixed(1)} µs`)
    }
  }
  const of = (target, figure) => median(figures.get(target).map(round => round[figure]))
  const beside = target => median(figures.get(target).map(({ microseconds }, round) =>
    microseconds / figures.get(plain)[round].microseconds))
  return table(['', 'µs of processor', 'as much as without guard', 'log, bytes', 'Redis commands', 'µs of Redis', 'start, ms', 'memory, MB'],
    targets.map(target => [
      target.label, of(target, 'microseconds').toFixed(0), beside(target).toFixed(2), of(target, 'logged').toFixed(0),
      of(target, 'commands').toFixed(2), of(target, 'redis').toFixed(1), of(target, 'startTime').toFixed(0), of(target, 'memory').toFixed(0)
    ]))
}

/** Memory for each connection that stays open and idle after a request. */
async function ofConnections () {
  const rows = []
  for (const count of [0, 1000, 3000]) {
    const server = await start(plain, directory)
    await measure(server, seconds)
    const before = server.memory()
    const sockets = Array.from({ length: count }, () => connect(server.port, '127.0.0.1'))
    for (const socket of sockets) {
      socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
    }
    for (const socket of sockets) await once(socket, 'data')
    rows.push([count, (server.memory() - before).toFixed(1)])
    for (const socket of sockets) socket.destroy()
    await server.stop()
  }
  return table(['idle connections', 'more memory, MB'], rows)
}

/**
 * Latency of requests of a thousand clients that do not know of each other, and what the queue M/M/1 promises for as
 * busy a processor. Each request costs more than under full load: few of them share a turn of the event loop.
 */
async function ofLoads () {
  const server = await start(service('all', all), directory)
  const connections = 1000
  await measure(server, seconds)
  const { perSecond } = await measure(server, 3 * seconds)
  const rows = []
  for (const share of [0.2, 0.5, 0.6, 0.7]) {
    const pause = connections / (share * perSecond) * 1000
    const runs = []
    for (let round = 0; round < rounds; round++) {
      runs.push(await measure(server, 3 * seconds, { connections, pause }))
      say(`${share}: ${JSON.stringify(runs.at(-1))}`)
    }
    const of = figure => median(runs.map(run => run[figure]))
    const busy = of('busy')
    const promised = of('microseconds') / 1000 / (1 - busy)
    rows.push([busy.toFixed(2), of('perSecond').toFixed(0), of('microseconds').toFixed(0), promised.toFixed(2),
      ...['mean', 'p50', 'p99'].map(figure => of(figure).toFixed(2))])
  }
  await server.stop()
  return table(['busy', 'requests/s', 'µs of processor', 'M/M/1, mean ms', 'mean', 'median', '99 %'], rows)
}

const tables = `${await ofGuards()}${await ofConnections()}${await ofLoads()}`
process.stdout.write(`${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0].model}, Node ${process.version}, ` +
  `${rounds} rounds of ${seconds} s\n${tables}`)
process.exit()
