import { hash } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { serve } from '../../dist/test/support/backend.js'
import { builtImage, podmanOptions, environment as containerEnvironment, withoutContainers } from '../../dist/test/support/containers.js'
import { redisServer } from '../../dist/test/support/redis.js'
import { measure } from './load.js'
import { nginxInFrontOf } from './nginx.js'
import { loadProcessor, processors } from './processors.js'
import { say, table } from './report.js'
import { body, path, token } from './request.js'
import { start } from './server.js'
import { isBeyond, isNoisy, median, timesAsFast } from './statistics.js'

const peer = name => join(import.meta.dirname, `${name}.js`)
const interval = ({ ratio, low, high }) => `${ratio.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`

/** Measures servers in turns: each of them once in a round, in an order that is reversed from round to round. */
async function takeTurns (targets, rounds, seconds) {
  for (const { server, port } of targets) await measure(server, 3 * seconds, undefined, port) // to warm up
  const costs = targets.map(() => [])
  for (let round = 0; round < rounds; round++) {
    const order = [...targets.keys()]
    for (const index of round % 2 === 0 ? order : order.reverse()) {
      const { server, port } = targets[index]
      costs[index].push((await measure(server, seconds, undefined, port)).microseconds)
    }
  }
  return costs
}

/** Times that a mode for the page is measured at most, until its noise is low. */
const maxAttempts = 4

/** Bare Fastify routes that sign: one with the write batching of the service, and one without. */
const batched = { label: 'bare Fastify with write batching', file: peer('fastify'), env: { WRITE_BATCHING: 'true' } }
const unbatched = { label: 'bare Fastify', file: peer('fastify') }

/** Compares the service in each mode with bare Fastify routes, with itself, and with another build. */
async function modes ({ scope, directory, here, other, modes, rounds, seconds, isForPage }) {
  const bare = [await start(batched, directory), await start(unbatched, directory)]
  const express = await start({ label: 'Express 5', file: peer('express') }, directory)

  async function compare ({ name, env, isBehindNginx = false }) {
    const builds = { here, again: here, ...other !== undefined && { other } }
    const servers = [...bare]
    for (const [build, file] of Object.entries(builds)) {
      servers.push(await start({ label: `${build}, ${name}`, file, env }, directory))
    }
    if (name === 'log off') servers.push(express)
    const ports = isBehindNginx ? await nginxInFrontOf(servers, scope) : []
    const costs = await takeTurns(servers.map((server, index) => ({ server, port: ports[index] })), rounds, seconds)
    for (const server of servers.slice(2)) if (server !== express) await server.stop()
    const [ofBatched, ofUnbatched, ofHere, ofAgain, ofOther] = costs
    const row = {
      name,
      speed: timesAsFast(ofHere, ofBatched),
      unbatched: timesAsFast(ofHere, ofUnbatched),
      noise: timesAsFast(ofAgain, ofHere),
      cost: median(ofHere)
    }
    if (other !== undefined) {
      row.other = timesAsFast(ofOther, ofBatched)
      row.change = timesAsFast(ofHere, ofOther)
    }
    if (name === 'log off') row.express = timesAsFast(costs.at(-1), ofUnbatched)
    say(`${name}: ${interval(row.speed)}, against itself ${interval(row.noise)}`)
    return row
  }

  const rows = []
  for (const mode of modes) {
    let row = await compare(mode)
    const attempts = isForPage ? maxAttempts : 1
    for (let attempt = 1; attempt < attempts && isNoisy(row.noise.ratio); attempt++) row = await compare(mode)
    rows.push(row)
  }
  for (const server of [...bare, express]) await server.stop()
  const head = ['times as fast as a bare Fastify route that signs', 'with the same write batching', 'without it', 'µs of processor']
  const details = ['against itself', ...other === undefined ? [] : ['other build', 'this against the other', 'beyond the noise']]
  const cells = ({ name, speed, unbatched, cost }) => [name, interval(speed), interval(unbatched), cost.toFixed(1)]
  const detailCells = ({ noise, other, change }) => [
    interval(noise), ...other === undefined ? [] : [interval(other), interval(change), isBeyond(noise, change) ? 'yes' : 'no']
  ]
  const noise = rows.map(row => row.noise.ratio)
  const below = `\nExpress 5 without log, checks included, against the route without batching: ${interval(rows[0].express)}. Noise of the run, as two processes of ` +
    `this build compare: ${Math.min(...noise).toFixed(2)} to ${Math.max(...noise).toFixed(2)}.\n`
  const text = table([...head, ...details], rows.map(row => [...cells(row), ...detailCells(row)])) + below
  return { text, page: table(head, rows.map(cells)) + below, rows, noise }
}

/** Returns the servers that most parts compare: the service with few and with all guards, and other frameworks. */
const servers = ({ here, modes }) => [
  unbatched,
  batched,
  { label: 'default log', file: here },
  { label: modes.at(-1).name, file: here, env: modes.at(-1).env },
  { label: 'Express 5, no log', file: peer('express') }
]

/** Measures latencies at half of the highest load, with clients that do not wait for each other. */
async function latency (settings) {
  const { directory, rounds, seconds } = settings
  const connections = 500
  const rows = []
  for (const target of servers(settings)) {
    const server = await start(target, directory)
    await measure(server, 3 * seconds)
    const { perSecond } = await measure(server, 3 * seconds, { connections, pause: 0 })
    const runs = []
    for (let round = 0; round < Math.ceil(rounds / 4); round++) {
      runs.push(await measure(server, 4 * seconds, { connections, pause: 2 * connections / perSecond * 1000 }))
    }
    await server.stop()
    const of = figure => median(runs.map(run => run[figure]))
    rows.push({ name: target.label, highest: perSecond, half: of('perSecond'), p50: of('p50'), p99: of('p99') })
  }
  return {
    rows,
    text: table(['at half of the highest load', 'highest, requests/s', 'requests/s', 'p50, ms', 'p99, ms'], rows.map(row =>
      [row.name, row.highest.toFixed(0), row.half.toFixed(0), row.p50.toFixed(2), row.p99.toFixed(2)]))
  }
}

/** Measures the time from the start of each target to its first signature. */
async function startTimes (targets, { directory, rounds }) {
  const times = targets.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, target] of targets.entries()) {
      const server = await start(target, directory)
      times[index].push(server.startTime)
      await server.stop()
    }
  }
  const rows = targets.map(({ label }, index) => ({ name: label, time: median(times[index]) }))
  return { rows, text: table(['start to the first signature', 'ms'], rows.map(({ name, time }) => [name, time.toFixed(0)])) }
}

const startTime = settings => startTimes(servers(settings), settings)

/** Measures the start of the image. Needs podman. */
async function image (settings) {
  if (withoutContainers !== false) throw new Error(`part image: ${withoutContainers}`)
  const variables = ['HOST', 'PORT', 'MERCHANT_TOKEN'].flatMap(name => ['--env', name])
  const command = ['podman', ...podmanOptions(), 'run', '--rm', '--no-healthcheck', '--network', 'host', '--memory', '256m']
  return startTimes([{
    label: 'default log, in the image with 256 MiB',
    command: [...command, ...variables, builtImage()],
    env: containerEnvironment(),
    signal: 'SIGTERM' // podman ends the container only then
  }], settings)
}

/** Measures resident memory at rest and with idle keep-alive connections, after one request on each of them. */
async function memory (settings) {
  const counts = [0, 1000, 10_000]
  const request = `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  const rows = []
  for (const target of servers(settings)) {
    const server = await start({ ...target, env: { ...target.env, MAX_CONNECTIONS: '12000' } }, settings.directory)
    const sockets = []
    const sizes = []
    for (const count of counts) {
      while (sockets.length < count) {
        const some = Array.from({ length: Math.min(200, count - sockets.length) }, () => connect(server.port, '127.0.0.1'))
        await Promise.all(some.map(async socket => {
          socket.write(request)
          await once(socket, 'data')
        }))
        sockets.push(...some)
      }
      sizes.push(server.memory())
    }
    for (const socket of sockets) socket.destroy()
    await server.stop()
    rows.push({ name: target.label, sizes })
  }
  return {
    rows,
    text: table(['memory, MB', 'at rest', ...counts.slice(1).map(count => `${count} connections`)],
      rows.map(({ name, sizes }) => [name, ...sizes.map(size => size.toFixed(0))]))
  }
}

/** Measures the price of each guard: processor time and bytes of log for each request. */
async function guards ({ scope, directory, here, modes, rounds, seconds }) {
  const { env: all } = modes.at(-1)
  const redis = redisServer(scope)
  await redis.start()
  const redisTime = async () => [...(await redis.command('INFO', 'cpu')).matchAll(/^used_cpu_(?:user|sys):([\d.]+)/gm)]
    .reduce((sum, [, time]) => sum + Number(time) * 1e6, 0)
  const { origin } = await serve(scope, (request, response) => {
    request.resume().on('end', () => response.setHeader('content-type', 'application/json').end('{"allowed":true}'))
  })
  const targets = Object.entries({
    'no guard, log off': { LOG_LEVEL: 'silent' },
    'no guard, default log': {},
    'strict fields and a policy': { STRICT: 'true', POLICY_FILE: all.POLICY_FILE },
    audit: { AUDIT: 'true' },
    metrics: { ADMIN_PORT: '0' },
    'rate limit in memory': { RATE_LIMIT_MAX: all.RATE_LIMIT_MAX },
    'rate limit in Redis': { RATE_LIMIT_MAX: all.RATE_LIMIT_MAX, REDIS_URL: redis.url },
    'your backend is asked': { AUTHORIZE_URL: origin, AUTHORIZE_MAX_IN_FLIGHT: '1000' },
    'strict, policy, audit, metrics, Redis': { ...all, AUDIT: 'true', AUDIT_FILE: '', REDIS_URL: redis.url }
  }).map(([label, env]) => ({ label, file: here, env }))
  const running = []
  for (const target of targets) running.push(await start(target, directory))
  const measured = await takeTurns(running.map(server => ({ server })), rounds, seconds)
  const rows = []
  for (const [index, server] of running.entries()) {
    const before = { logged: server.logSize(), redis: await redisTime() }
    const { requests } = await measure(server, seconds)
    rows.push({
      name: server.label,
      cost: median(measured[index]),
      speed: timesAsFast(measured[index], measured[1]),
      logged: (server.logSize() - before.logged) / requests,
      redis: (await redisTime() - before.redis) / requests
    })
  }
  for (const server of running) await server.stop()
  return {
    rows,
    text: table(['a request with', 'µs of processor', 'times as fast as without guard', 'bytes of log', 'µs of Redis'],
      rows.map(({ name, cost, speed, logged, redis }) =>
        [name, cost.toFixed(0), interval(speed), logged.toFixed(0), redis < 1 ? '' : redis.toFixed(0)]))
  }
}

/** Measures one, two and three processes that share a port, each on its own processor. */
async function processes ({ directory, here, seconds }) {
  const rows = []
  for (const count of [1, 2, 3].filter(count => count < processors.length)) {
    const target = {
      label: `${count} processes`,
      file: peer('cluster'),
      env: { SERVER: here, PROCESSES: String(count) },
      processor: processors.filter(processor => processor !== loadProcessor).slice(0, count).join()
    }
    const server = await start(target, directory)
    await measure(server, 3 * seconds)
    const { perSecond } = await measure(server, 5 * seconds)
    await server.stop()
    rows.push({ name: String(count), perSecond })
  }
  return {
    rows,
    text: table(['processes that share a port', 'requests/s', 'as one'], rows.map(({ name, perSecond }) =>
      [name, perSecond.toFixed(0), (perSecond / rows[0].perSecond).toFixed(2)]))
  }
}

/** Measures a signature of the library against the two hashes that it needs. */
async function library ({ root, rounds }) {
  const { VariantA } = await import(join(root, 'dist/src/index.js'))
  const variant = new VariantA(token)
  const count = 100_000
  let sum = 0 // of what is computed, so that it cannot be left out
  const signed = index => variant.sign({ ...JSON.parse(body), clientTimeStamp: 1709912345678 + index }).length
  const parsed = JSON.parse(body)
  const direct = index => variant.sign({ ...parsed, clientTimeStamp: 1709912345678 + index }).length
  const bare = index => {
    const time = 1709912345678 + index
    return (hash('sha256', `${time}${parsed.sid}${parsed.amount}`, 'hex') + '///' +
      hash('sha256', `${time}${parsed.orderId}${token}${parsed.merchantAccountNumber}${parsed.amount}`, 'hex')).length
  }
  const time = work => {
    const before = process.hrtime.bigint()
    for (let index = 0; index < count; index++) sum += work(index)
    return Number(process.hrtime.bigint() - before) / count / 1000
  }
  const works = { 'two hashes': bare, 'a signature': direct, 'a signature from JSON text': signed }
  const costs = Object.values(works).map(() => [])
  for (let round = -1; round < rounds; round++) {
    const order = Object.values(works).map((work, index) => [work, index])
    for (const [work, index] of round % 2 === 0 ? order : order.reverse()) {
      const cost = time(work)
      if (round >= 0) costs[index].push(cost)
    }
  }
  if (!(sum > 0)) throw new Error('nothing was signed')
  const rows = Object.keys(works).map((name, index) =>
    ({ name, cost: median(costs[index]), speed: timesAsFast(costs[index], costs[0]) }))
  return {
    rows,
    text: table(['in the library', 'µs', 'times as fast'], rows.map(({ name, cost, speed }) =>
      [name, cost.toFixed(2), interval(speed)]))
  }
}

export const parts = { modes, guards, latency, start: startTime, image, memory, processes, library }
