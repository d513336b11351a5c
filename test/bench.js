import { spawn } from 'node:child_process'
import { createHash, hash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { production } from '../dist/test/support/example.js'

/*
 * Prints the processor time of a request to the service in five modes, beside
 *
 * - minimal: the least code for this route without guards (`minimal.ts`), with the log of the mode;
 * - peer: the service as a team would assemble it from official plugins, for the mode, with our batching.
 *
 * All servers stay alive and share the first processor; the load has the second one. Each server is measured once in a
 * round, in an order that is reversed from round to round. It takes four minutes at most, on a machine that is idle.
 *
 *   node test/bench.js [--rounds 7] [--seconds 1]
 *
 * The wishes: with guards and log off at most 1.1 times minimal, and no mode more than 1.05 times the peer.
 */

/** Highest ratios that we wish for. */
const wishes = { minimal: 1.1, peer: 1.05 }

const path = '/api/generate-signature'
const { token, body, signature } = production

const connections = 64
const key = 'psk_benchmark'
const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAuthorization: Bearer ${key}\r\n`
const message = `${head}Content-Length: ${body.length}\r\n\r\n${body}`

const callers = [{
  name: 'shop',
  apiKeySha256: createHash('sha256').update(key).digest('hex'),
  operations: ['purchase'],
  accountNumbers: ['102551'],
  maximumAmount: '500.00'
}]

/** Variables of the service in each mode; the others understand some of them. */
const silent = { LOG_LEVEL: 'silent' }
const guards = {
  STRICT: 'true', POLICY_FILE: 'policy.json', RATE_LIMIT_MAX: '1000000000', ADMIN_PORT: 'free'
}
const modes = {
  'log off': silent,
  'default log': {},
  'guards, log off': { ...guards, ...silent },
  'guards, `AUDIT=true`, default log': { ...guards, AUDIT: 'true' },
  'guards, `AUDIT_FILE`, default log': { ...guards, AUDIT_FILE: 'audit.log' }
}

// --- The others ------------------------------------------------------------------------------------------------------

let turn
/** Resolves at the end of the turn of the event loop: all responses of a turn are written together. */
const endOfTurn = () => (turn ??= new Promise(resolve => setImmediate(() => {
  turn = undefined
  resolve()
})))

function signOf ({ clientTimeStamp, sid, amount, orderId, merchantAccountNumber }) {
  const part1 = hash('sha256', `${clientTimeStamp}${sid}${amount}`, 'hex')
  return `${part1}///${hash('sha256', `${clientTimeStamp}${orderId}${token}${merchantAccountNumber}${amount}`, 'hex')}`
}

const threeHeaders = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'"
}

/**
 * The service as a team would assemble it: official plugins, a JSON schema, the checks of the scheme, three headers, a
 * request ID, and one log line without the token.
 */
async function peer ({ LOG_LEVEL: level = 'info', STRICT, AUDIT, AUDIT_FILE }) {
  const [{ fastify, LogController }, { fastifyCors }, { fastifyRateLimit }, metrics] = await Promise.all([
    import('fastify'), import('@fastify/cors'), import('@fastify/rate-limit'), import('fastify-metrics')
  ])
  const streamWrite = line => line.replaceAll(token, '[redacted]')
  const app = fastify({
    genReqId: ({ headers }) => headers['x-request-id'] ?? randomUUID(),
    logger: { level, hooks: { streamWrite } },
    logController: new LogController({ disableRequestLogging: true })
  })
  await app.register(fastifyCors)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...threeHeaders, 'x-request-id': request.id })
  })
  app.addHook('onResponse', async ({ log, method, url, ip }, { statusCode, elapsedTime: responseTime }) => {
    log.info({ method, url, statusCode, responseTime, ip }, 'request completed')
  })
  if (STRICT) {
    await app.register(fastifyRateLimit, { max: 1e9, timeWindow: 60_000 })
    await app.register(metrics.default.default ?? metrics.default, { endpoint: '/metrics' })
  }
  const byKey = new Map(callers.map(caller => [caller.apiKeySha256, caller]))
  const text = { type: 'string' }
  const like = pattern => STRICT ? { type: 'string', pattern } : text
  const schema = {
    body: {
      type: 'object',
      required: ['sid', 'clientTimeStamp'],
      properties: {
        operationType: { type: 'string', enum: ['purchase', 'refund', 'void', 'inquiry'] },
        amount: like('^\\d{1,12}\\.\\d\\d$'),
        merchantAccountNumber: like('^\\d{6}$'),
        orderId: like('^[\\w.-]{1,64}$'),
        transactionFCRN: text,
        transactionId: text,
        idType: text,
        sid: { type: 'string', minLength: 1, maxLength: 256 },
        clientTimeStamp: { type: 'integer' }
      }
    },
    response: { 200: { type: 'object', properties: { signature: text } } }
  }
  const pino = AUDIT_FILE && await import('pino')
  const file = pino && pino.default({ hooks: { streamWrite } }, pino.destination({ dest: AUDIT_FILE, sync: true }))

  app.post(path, { schema }, async (request, reply) => {
    const { amount, merchantAccountNumber, orderId, operationType, clientTimeStamp, sid } = request.body
    let caller
    if (STRICT) {
      const [, given = ''] = (request.headers.authorization ?? '').split('Bearer ')
      caller = byKey.get(hash('sha256', given, 'hex'))
      if (caller === undefined) return reply.code(401).send({ error: 'The API key is not known' })
    }
    if (parseFloat(amount) <= 0) return reply.code(400).send({ error: 'Invalid amount: amount must be greater than 0' })
    if (!merchantAccountNumber) return reply.code(400).send({ error: 'merchantAccountNumber or accountNumber is required' })
    if (caller !== undefined) {
      const isAllowed = caller.operations.includes(operationType) &&
        caller.accountNumbers.includes(merchantAccountNumber) && Number(amount) <= Number(caller.maximumAmount)
      if (!isAllowed) return reply.code(403).send({ error: 'This caller may not sign this' })
    }
    if (AUDIT || AUDIT_FILE) {
      const audit = {
        ...{ outcome: 'signed', caller: caller.name, clientAddress: request.ip, operation: operationType },
        ...{ accountNumber: merchantAccountNumber, amount, orderId, clientTimeStamp, sidSha256: hash('sha256', sid, 'hex') }
      }
      if (file) file.info({ requestId: request.id, audit }, 'decision')
      else request.log.info({ audit }, 'decision')
    }
    const signature = signOf(request.body)
    await endOfTurn()
    return { signature }
  })
  return app
}

// --- The measurement -------------------------------------------------------------------------------------------------

/** Sends requests on keep-alive connections, each after the response before it. Prints the number of responses. */
async function load (port, seconds) {
  let responses = 0
  let isOver = false
  const sockets = Array.from({ length: connections }, () => connect(port, '127.0.0.1').setNoDelay())
  const ends = sockets.map(async socket => {
    await once(socket, 'connect')
    let received = ''
    socket.setEncoding('latin1').on('data', data => {
      received += data
      if (!received.endsWith('"}')) return
      if (!received.includes(signature)) throw new Error(`not a signature: ${received}`)
      received = ''
      responses++
      if (isOver) socket.destroy()
      else socket.write(message)
    })
    socket.write(message)
    await once(socket, 'close')
  })
  await setTimeout(seconds * 1000)
  isOver = true
  await Promise.all(ends)
  process.stdout.write(String(responses))
}

const pinned = (processor, args, options) =>
  spawn('taskset', ['-c', String(processor), process.execPath, ...args], { stdio: ['ignore', 'ignore', 'inherit'], ...options })

/** Starts a server in a folder and resolves once it signs. */
async function start (label, args, port, variables, folder) {
  const log = openSync(join(folder, `${port}.log`), 'w')
  const child = pinned(0, args, {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      MERCHANT_TOKEN: token,
      ...variables,
      ...variables.ADMIN_PORT && { ADMIN_PORT: String(port - 10_000) }
    },
    stdio: ['ignore', log, 'inherit']
  })
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${label} has ended`)
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body, headers }).catch(() => undefined)
    if (response?.ok && (await response.json()).signature === signature) break
    if (response !== undefined) throw new Error(`${label}: ${response.status}`)
    await setTimeout(50)
  }
  /** Time that all threads of the server were on a processor, in microseconds. */
  const processorTime = () => readdirSync(`/proc/${child.pid}/task`)
    .map(task => Number(readFileSync(`/proc/${child.pid}/task/${task}/schedstat`, 'utf8').split(' ', 1)[0]) / 1000)
    .reduce((sum, time) => sum + time, 0)
  return { label, port, child, processorTime }
}

/** Returns the processor time of a request in microseconds. */
async function cost ({ label, port, processorTime }, seconds) {
  const before = processorTime()
  const args = [import.meta.filename, 'load', String(port), String(seconds)]
  const child = pinned(1, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [chunks, [code]] = await Promise.all([child.stdout.toArray(), once(child, 'close')])
  if (code !== 0) throw new Error(`${label}: the load failed`)
  return (processorTime() - before) / Number(Buffer.concat(chunks))
}

const median = values => values.toSorted((one, other) => one - other)[values.length >> 1]

/** Returns the median of the ratios within a round. */
const ratio = (costs, others) => median(costs.map((cost, round) => cost / others[round]))

/** Returns a ratio as text, with a mark if it misses a wish. */
const shown = (ratio, wish = Infinity) => `${ratio.toFixed(2)}${ratio > wish ? ` (missed: ${wish})` : ''}`

async function bench (rounds, seconds) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  writeFileSync(join(folder, 'policy.json'), JSON.stringify({ callers }))
  const service = [join(import.meta.dirname, '../dist/tools/command-line/payment-signature.js'), 'serve']
  const other = name => [import.meta.filename, name]
  const minimalOf = ({ LOG_LEVEL = 'info' }) => `minimal, ${LOG_LEVEL}`
  const running = []
  let port = 20_000 + process.pid % 10_000
  const add = async (label, args, variables) => running.push(await start(label, args, port++, variables, folder))
  try {
    for (const [mode, variables] of Object.entries(modes)) {
      await add(`service, ${mode}`, service, variables)
      await add(`peer, ${mode}`, other('peer'), variables)
    }
    for (const variables of [silent, {}]) await add(minimalOf(variables), other('minimal'), variables)
    for (const server of running) await cost(server, seconds) // to warm up
    const costs = new Map(running.map(server => [server.label, []]))
    for (let round = 0; round < rounds; round++) {
      for (const server of round % 2 === 0 ? running : running.toReversed()) {
        costs.get(server.label).push(await cost(server, seconds))
      }
      process.stderr.write(`round ${round + 1} of ${rounds}\n`)
    }
    const time = label => median(costs.get(label)).toFixed(1)
    process.stdout.write(`Node.js ${process.versions.node}, ${cpus()[0].model.trim()}, ${availableParallelism()} processors; ` +
      `µs of processor: minimal ${time(minimalOf({}))}, ` +
      `with the log off ${time(minimalOf(silent))}\n\n` +
      '| mode | µs | × minimal | × peer with our batching |\n|---|---|---|---|\n')
    for (const [mode, variables] of Object.entries(modes)) {
      const own = costs.get(`service, ${mode}`)
      const [minimal, peer] = [minimalOf(variables), `peer, ${mode}`].map(label => ratio(own, costs.get(label)))
      const cells = [mode, time(`service, ${mode}`), shown(minimal, variables === silent ? wishes.minimal : undefined),
        shown(peer, wishes.peer)]
      process.stdout.write(`| ${cells.join(' | ')} |\n`)
    }
  } finally {
    for (const { child } of running) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

const { values, positionals: [role, port, seconds] } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '7' }, seconds: { type: 'string', default: '1' } }
})

async function minimal (environment) {
  const { minimal } = await import('../dist/test/minimal.js')
  return minimal(environment)
}

if (role === 'load') await load(Number(port), Number(seconds))
else if (role === undefined) await bench(Number(values.rounds), Number(values.seconds))
else {
  const app = await { minimal, peer }[role](process.env)
  await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
}
