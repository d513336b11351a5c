import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { PolicyCaller } from '../../../../src/guards/policy/policy-schema.js'
import { memoryCounter } from '../../../../src/guards/rate-limit/rate-limit.js'
import { hash256 } from '../../../../src/scheme/signer.js'
import { clock, testApp, type TestOptions } from '../../../support/app.js'
import { tcpServer } from '../../../support/backend.js'
import { redisServer, withoutRedis } from '../../../support/redis.js'
import { temporaryFolder } from '../../../support/scope.js'

const rights = { operations: ['purchase' as const], accountNumbers: ['102551'] }

/** Returns a caller of the policy, whose key is its name. */
const callerOf = (name: string, rate?: PolicyCaller['rate']): PolicyCaller =>
  ({ name, apiKeySha256: hash256(name), ...rights, ...rate && { rate } })
const anonymous: PolicyCaller = { name: 'anonymous', ...rights }
const callers = [anonymous, callerOf('shop'), callerOf('busy', 3)]

/** An app behind a proxy, and functions that request a signature from an address with a caller's key. */
function limited (t: Test, config: NonNullable<TestOptions['config']>, callers?: readonly PolicyCaller[]) {
  const { app, log } = testApp(t, { config: { ADMIN_PORT: 1, TRUST_PROXY: '127.0.0.1', ...config }, callers })
  const send = (address = '192.0.2.1', key?: string, type = 'application/json') => app.inject({
    method: 'POST',
    url: '/api/generate-signature',
    payload: { amount: '1.00', accountNumber: '102551', sid: 's', clientTimeStamp: 1709912345678 },
    headers: { 'x-forwarded-for': address, 'content-type': type, ...key !== undefined && { authorization: `Bearer ${key}` } }
  })
  /** Sends requests in turn. Returns their statuses. */
  async function ask (count: number, address?: string, key?: string): Promise<number[]> {
    const statuses = []
    for (let sent = 0; sent < count; sent++) statuses.push((await send(address, key)).statusCode)
    return statuses
  }
  /** Causes of outages in the log, and `back`. */
  const outages = () => log().split('\n').filter(line => line.includes('Redis is')).map(line => JSON.parse(line))
    .map(({ level, msg, cause }) => msg === 'Redis is back' ? 'back' : `${level} ${cause}`)
  const isUp = async () => /^payment_signature_rate_limit_redis_up (\d)$/m.exec(await app.metrics!.registry.metrics())?.[1]
  return { app, send, ask, log, outages, isUp }
}

/**
 * Starts a server with Redis' protocol, for replies that a real Redis sends only in rare states. `answer` gets a
 * command's name and arguments, and returns the encoded reply. Returns the URL of the server.
 */
async function respServer (
  t: Test, answer: (command: string, ...args: string[]) => string, password = ''
): Promise<string> {
  const port = await tcpServer(t, socket => {
    let received = ''
    socket.setEncoding('utf8').on('data', chunk => {
      received += chunk
      for (;;) {
        const command = /^\*(\d+)\r\n/.exec(received)
        const lines = received.split('\r\n') // each argument has two lines: its length and its text
        const taken = 1 + 2 * Number(command?.[1])
        if (command === null || lines.length <= taken) return
        received = lines.slice(taken).join('\r\n')
        const [name = '', ...args] = lines.slice(0, taken).filter((_line, index) => index > 0 && index % 2 === 0)
        socket.write(`${answer(name.toUpperCase(), ...args)}\r\n`)
      }
    })
  })
  return `redis://:${password}@127.0.0.1:${port}`
}

t.test('an anonymous caller with a rate of its own and the unknown keys of its address have separate windows', async t => {
  const pass = clock(t)
  const often = { ...anonymous, rate: 2 }
  const { ask } = limited(t, { RATE_LIMIT_MAX: 1 }, [often, callerOf('shop')])
  t.strictSame(await ask(1, '192.0.2.1', 'guess'), [401])
  t.strictSame(await ask(3), [200, 200, 429])
  t.strictSame(await ask(1, '192.0.2.1', 'guess'), [429])
  pass(60_001)
  t.strictSame(await ask(3), [200, 200, 429])
  t.strictSame(await ask(2, '192.0.2.1', 'guess'), [401, 429])
})

t.test('a proxy that is not trusted is logged once a minute, without what it sends', async t => {
  const pass = clock(t)
  for (const [config, lines] of [[{ RATE_LIMIT_MAX: 9 }, 2], [{}, 0], [{ RATE_LIMIT_MAX: 9, TRUST_PROXY: '127.0.0.1' }, 0]] as const) {
    const { app, log } = limited(t, { TRUST_PROXY: '', ...config })
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    const ask = (headers = {}) => fetch(`http://127.0.0.1:${port}/api/generate-signature`, { method: 'POST', headers, body: '{}' })
    await ask()
    t.notMatch(log(), 'X-Forwarded-For')
    for (let sent = 0; sent < 3; sent++) await ask({ 'x-forwarded-for': '192.0.2.66' })
    pass(60_000)
    await ask({ 'x-forwarded-for': '192.0.2.66' })
    const warnings = log().split('\n').filter(line => line.includes('X-Forwarded-For')).map(line => JSON.parse(line))
    const warning = {
      level: 40,
      clientAddress: '127.0.0.1',
      msg: 'X-Forwarded-For is ignored, so that all clients behind this address share one limit: add it to TRUST_PROXY if it is your proxy'
    }
    t.match(warnings, Array.from({ length: lines }, () => warning))
    t.equal(warnings.length, lines)
    t.notMatch(warnings.map(line => JSON.stringify(line)).join(), '192.0.2.66')
  }
  const { send, log } = limited(t, { TRUST_PROXY: '', RATE_LIMIT_MAX: 9 })
  await send()
  t.notMatch(log(), 'X-Forwarded-For', 'createHandler injects the address that it has')
})

t.test('a proxy at a Unix socket has no address', async t => {
  const { app, log } = limited(t, { TRUST_PROXY: '', RATE_LIMIT_MAX: 1 })
  const socketPath = join(t.testdir(), 'app.sock')
  await app.listen({ path: socketPath })
  const ask = async (address: string) => {
    const headers = { 'x-forwarded-for': address, connection: 'close' }
    const [response] = await once(request({ socketPath, method: 'POST', path: '/api/generate-signature', headers }).end(), 'response')
    return response.resume().statusCode
  }
  t.strictSame([await ask('192.0.2.1'), await ask('192.0.2.2')], [400, 429])
  t.match(log(), /"level":40,.*"clientAddress":"unknown","msg":"X-Forwarded-For is ignored/)
})

t.test('an address gets 429 above the limit, until its window ends', async t => {
  const pass = clock(t)
  const { send, ask } = limited(t, { RATE_LIMIT_MAX: 2 })
  t.strictSame(await ask(2), [200, 200])
  pass(500)
  const refused = await send()
  t.strictSame([refused.statusCode, refused.headers['retry-after'], refused.headers['error-code'], refused.json()],
    [429, '60', 'rate-limit', { error: 'Too many requests: try again in 60 seconds' }])
  t.strictSame(await ask(1, '192.0.2.2'), [200], 'another address')
  pass(59_499)
  t.match((await send()).json(), { error: 'Too many requests: try again in 1 second' })
  const { now } = Date
  t.intercept(Date, 'now', { value: () => now() + 3_600_000 }) // a wall clock that is set changes no window
  t.strictSame(await ask(1), [429])
  pass(1)
  t.strictSame(await ask(3), [200, 200, 429])
})

t.test('a caller is counted by name from any address; a rate of the policy replaces the limit', async t => {
  const { ask } = limited(t, { RATE_LIMIT_MAX: 2 }, callers)
  t.strictSame([...await ask(1, '192.0.2.1', 'shop'), ...await ask(2, '192.0.2.2', 'shop')], [200, 200, 429])
  t.strictSame(await ask(4, '192.0.2.1', 'busy'), [200, 200, 200, 429])
  t.strictSame(await ask(3, '192.0.2.1'), [200, 200, 429], 'the anonymous caller at the same address')
  t.strictSame(await ask(3, '192.0.2.3', 'guess'), [401, 401, 429], 'unknown keys count by address')
  t.strictSame(await ask(1, '192.0.2.3'), [429], 'together with requests without a key')
  const alone = limited(t, {}, callers)
  t.strictSame([...await alone.ask(3, '192.0.2.1', 'shop'), ...await alone.ask(4, '192.0.2.1', 'busy')],
    [200, 200, 200, 200, 200, 200, 429], 'without a limit only the rate of the policy')
})

t.test('requests count before their body is read, in Redis, too', async t => {
  let count = 0
  const REDIS_URL = await respServer(t, (command, ...args) => {
    if (args[2]?.includes('address') === true) count++
    return command === 'EVAL' ? `*2\r\n:${count || 1}\r\n:1500` : '+OK'
  })
  for (const config of [{}, { REDIS_URL }]) {
    const { app, send, ask, log } = limited(t, { AUDIT: true, ...config, RATE_LIMIT_MAX: 2 })
    await app.ready()
    count = 0
    t.equal((await send('192.0.2.1', undefined, 'text/plain')).statusCode, 415)
    t.strictSame(await ask(2), [200, 429])
    t.equal((await send('192.0.2.1', undefined, 'text/plain')).statusCode, 429)
    t.equal(log().split('"msg":"decision"').length, 3, 'with REDIS_URL, too, a 429 is not recorded')
  }
})

t.test('a flood of addresses evicts the oldest from memory', async t => {
  const countOf = memoryCounter()
  for (let client = 0; client < 50_000; client++) countOf(String(client))
  t.equal(countOf('0')[0], 2, 'the oldest of 50,000, and now the newest')
  countOf('50000')
  t.equal(countOf('1')[0], 1, 'one too many: the oldest is forgotten')
  t.equal(countOf('0')[0], 3)
})

t.test('while Redis refuses to count, each instance counts', async t => {
  const answers: Record<string, string> = { EVAL: '*2\r\n:3\r\n:1500' } // the third request; the time left
  const REDIS_URL = await respServer(t, command => answers[command] ?? '+OK', 'canary')
  const { send, ask, isUp, outages, log } = limited(t, { RATE_LIMIT_MAX: 2, REDIS_URL })
  const refused = await send()
  t.strictSame([refused.statusCode, refused.headers['retry-after'], await isUp()], [429, '2', '1'])

  answers.EVAL = '-OOM command not allowed when used memory > \'maxmemory\'.'
  t.strictSame(await ask(3), [200, 200, 429])
  t.equal(await isUp(), '0')

  answers.EVAL = '*2\r\n:2\r\n:1'
  t.strictSame([await ask(1), await isUp(), outages()], [[200], '1', ['40 OOM', 'back']])
  t.notMatch(log(), 'canary')
})

t.test('a Redis in cluster mode has the counters of all clients, or of none', async t => {
  const keys = new Set<string>()
  const REDIS_URL = await respServer(t, (command, ...args) => {
    if (command === 'EVAL') keys.add(/\{.*\}/.exec(args[2]!)![0])
    return command === 'EVAL' ? '-MOVED 12539 127.0.0.1:4263' : '+OK'
  })
  const { ask, isUp, outages } = limited(t, { RATE_LIMIT_MAX: 1, REDIS_URL }, callers)
  t.strictSame([await ask(2), await ask(2, '192.0.2.1', 'shop'), await isUp()], [[200, 429], [200, 429], '0'])
  t.strictSame([outages(), [...keys]], [['40 MOVED'], ['{payment-signature}']])
})

t.test('a Redis that is a replica is left, and back once it counts, without a request, too', async t => {
  const readOnly = "READONLY You can't write against a read only replica."
  const older = `ERR Error running script (call to f_6a4b): @user_script:2: @user_script: 2: -${readOnly}`
  const answers = [`-${older}`, `-${readOnly} script: 6a4b, on @user_script:2.`, `-${older}`]
  const REDIS_URL = await respServer(t, command => command === 'EVAL' ? answers.shift() ?? '*2\r\n:1\r\n:1500' : '+OK')
  const { app, ask, isUp, outages } = limited(t, { RATE_LIMIT_MAX: 1, REDIS_URL })
  await app.ready()
  t.strictSame([await ask(2), await isUp(), outages()], [[200, 429], '0', ['40 READONLY']])
  while (await isUp() === '0') await setTimeout(20)
  t.strictSame([await ask(1), await isUp(), outages()], [[200], '1', ['40 READONLY', 'back']])
})

/** Answers that are not two integers with a count of at least 1: the server is not Redis. */
const nonsense = [
  '*-1', '+OK', '*1\r\n:1', '*3\r\n:1\r\n:1\r\n:1', '*2\r\n$1\r\n1\r\n$4\r\n1500', '*2\r\n:1\r\n$-1', '*2\r\n$-1\r\n:1', '*2\r\n:0\r\n:1500'
]

t.test('a Redis that answers something else is unavailable', async t => {
  for (const answer of nonsense) {
    const REDIS_URL = await respServer(t, command => command === 'EVAL' ? answer : '+OK')
    const { ask, outages } = limited(t, { RATE_LIMIT_MAX: 1, REDIS_URL })
    t.strictSame([await ask(2), outages()], [[200, 429], ['40 unexpected answer']], JSON.stringify(answer))
  }
})

t.test('while Redis is down or silent, each instance counts, and the log has one line', async t => {
  for (const [REDIS_URL, reason] of [
    ['redis://user:canary@127.0.0.1:1/2?name=canary', 'ECONNREFUSED'],
    [`redis://:canary@127.0.0.1:${await tcpServer(t)}`, 'no answer']
  ] as const) {
    const { ask, isUp, outages, log } = limited(t, { RATE_LIMIT_MAX: 1, REDIS_URL })
    t.strictSame(await ask(3), [200, 429, 429])
    t.strictSame([outages(), await isUp()], [[`40 ${reason}`], '0'])
    t.notMatch(log(), 'canary')
  }
})

t.test('with a real Redis', { skip: withoutRedis }, async t => {
  // A Unix socket: another process could take a port while Redis is down.
  const [path, password] = [join(temporaryFolder(t, 'redis-'), 'redis.sock'), 'canary-password']
  const redis = redisServer(t, ['--port', '0', '--unixsocket', path, '--requirepass', password], { path, password })
  await redis.start()
  const REDIS_URL = `redis://:${password}@localhost/?path=${path}`
  const config = { RATE_LIMIT_MAX: 2, REDIS_URL } as const

  t.test('instances count together, by caller and by address', async t => {
    const [one, two] = [limited(t, config, callers), limited(t, config, callers)]
    for (const key of [undefined, 'shop']) {
      t.strictSame([...await one.ask(1, '192.0.2.1', key), ...await two.ask(1, '192.0.2.1', key), ...await one.ask(1, '192.0.2.1', key)],
        [200, 200, 429])
    }
    t.strictSame(await two.ask(1, '192.0.2.2'), [200])
    t.strictSame((await redis.command('keys', '*:rate-limit:[ac]*') as string[]).sort(), ['address:192.0.2.1', 'address:192.0.2.2', 'caller:shop']
      .map(client => `{payment-signature}:rate-limit:${client}`))
    t.strictSame([...one.outages(), ...two.outages()], [])
  })

  t.test('a connection that Redis has closed while it was idle is no outage', async t => {
    const { app, ask, isUp, outages } = limited(t, config, callers)
    await app.ready()
    for (let times = 0; times < 3; times++) {
      t.strictSame(await ask(1, `192.0.2.${20 + times}`), [200])
      await redis.command('client', 'kill', 'type', 'normal', 'skipme', 'yes')
      while (!String(await redis.command('client', 'list', 'type', 'normal')).includes('cmd=eval')) await setTimeout(20)
    }
    t.strictSame([await isUp(), outages()], ['1', []])
  })

  t.test('a right that the user of Redis lacks is named', async t => {
    const rights = ['~{payment-signature}:*', '+info', '+eval', '+incr', '+pexpire', '+pttl']
    for (const [missing, cause] of [
      ['+eval', 'NOPERM: +eval'], ['+incr', 'NOPERM: +eval +incr +pexpire +pttl'], ['~{payment-signature}:*', 'NOPERM: ~{payment-signature}:*']
    ] as const) {
      await redis.command('acl', 'setuser', 'limited', 'reset', 'on', '>pass', ...rights.filter(right => right !== missing))
      const { ask, outages } = limited(t, { RATE_LIMIT_MAX: 1, REDIS_URL: `redis://limited:pass@localhost/?path=${path}` })
      t.strictSame([await ask(1), outages()], [[200], [`40 ${cause}`]])
    }
  })

  t.test('Redis ends and returns', async t => {
    const { ask, isUp, outages } = limited(t, config, callers)
    t.strictSame(await ask(1, '192.0.2.8'), [200])
    await redis.kill()
    while (await isUp() === '1') await setTimeout(20)
    t.strictSame(await ask(3, '192.0.2.8'), [200, 200, 429])
    await redis.start()
    while (await isUp() === '0') await setTimeout(20)
    t.strictSame([...await ask(1, '192.0.2.8'), await isUp(), outages().at(-1)], [200, '1', 'back'])
  })
})
