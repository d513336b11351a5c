import { EventEmitter, once } from 'node:events'
import Fastify, { type FastifyInstance } from 'fastify'
import { Registry } from 'prom-client'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { Caller } from '../../../src/guard/policy.js'
import { MemoryStore } from '../../../src/signing/memory-store.js'
import paymentSignature, { type PaymentSignatureOptions } from '../../../src/fastify.js'
import { hash256 } from '../../../src/scheme/variant.js'
import { testApp } from '../../support/app.js'
import { embedded } from '../../support/embedded.js'
import { redisServer, withoutRedis } from '../../support/redis.js'
import { respServer } from '../../support/resp.js'

const url = '/api/generate-signature'
const payload = { accountNumber: '102551', sid: 's', clientTimeStamp: 1709912345678 }
const TRUST_PROXY = '127.0.0.1'

/** Requests a signature as a client at `address` behind a proxy. Returns the status. */
async function statusOf (app: FastifyInstance, address = '192.0.2.1'): Promise<number> {
  const { statusCode } = await app.inject({ method: 'POST', url, payload, headers: { 'x-forwarded-for': address } })
  return statusCode
}

/** Sends `count` requests and returns their statuses. */
async function statusesOf (count: number, request: () => Promise<number>): Promise<number[]> {
  const statuses = []
  for (let sent = 0; sent < count; sent++) statuses.push(await request())
  return statuses
}

const rights = { operations: ['purchase' as const], accountNumbers: ['102551'] }

/** Returns a caller of the policy, whose key is its name. */
const callerOf = (name: string, rate?: Caller['rate']): Caller =>
  ({ name, apiKeySha256: hash256(name), ...rights, ...rate && { rate } })
const [shop, warehouse] = [callerOf('shop'), callerOf('warehouse')]
const anonymous: Caller = { name: 'anonymous', anonymous: true, ...rights }

/** An app behind a proxy, and functions that request a signature with a caller's key. `ask` returns the status. */
function callersApp (t: Test, options: Partial<PaymentSignatureOptions>, callers = [anonymous, shop, warehouse]) {
  const limited = { policy: { callers }, ...options }
  const { app, log } = embedded(t, limited, undefined, { trustProxy: TRUST_PROXY })
  const send = (address: string, key?: string) => app.inject({
    method: 'POST',
    url,
    payload: { ...payload, amount: '1.00' },
    headers: { 'x-forwarded-for': address, ...key !== undefined && { authorization: `Bearer ${key}` } }
  })
  const ask = async (address: string, key?: string) => (await send(address, key)).statusCode
  return { app, log, send, ask }
}

/** Log lines of the start and end of outages, without lines that only report another reason. */
const outages = (log: string) => log.split('\n').filter(line => line.includes('Redis is'))
  .map(line => JSON.parse(line)).map(({ level, msg, RATE_LIMIT_FAIL: fail }) => [level, msg, fail])
  .filter(([level], index, all) => level !== all[index - 1]?.[0])

t.test('the log contains the first refusal of a client, then a count', async t => {
  t.intercept(performance, 'now', { value: () => 1000 })
  const { app, log } = testApp(t, { config: { RATE_LIMIT_MAX: 1, TRUST_PROXY } })
  t.strictSame(await statusesOf(100, () => statusOf(app)), [200, ...Array.from({ length: 99 }, () => 429)])
  t.strictSame(await statusesOf(2, () => statusOf(app, '192.0.2.2')), [200, 429])
  await app.close()
  t.strictSame(log().trim().split('\n').map(line => {
    const { msg, statusCode, error, client, count } = JSON.parse(line)
    return [msg, statusCode, error, client, count].filter(value => value !== undefined)
  }), [
    ['request completed', 200],
    ['request refused', 429, 'Too many requests: try again in 60 seconds', 'address:192.0.2.1'],
    ['request completed', 429],
    ['request completed', 200],
    ['request refused', 429, 'Too many requests: try again in 60 seconds', 'address:192.0.2.2'],
    ['request completed', 429],
    ['more requests refused', 429, 'Too many requests', 'address:192.0.2.1', 98]
  ])
})

t.test('the signing route is limited; preflights and other routes are not counted', async t => {
  const { app } = testApp(t, { config: { RATE_LIMIT_MAX: 1, TRUST_PROXY } })
  const send = async (method: 'GET' | 'OPTIONS' | 'PUT', url: string) => {
    const preflight = { origin: 'https://shop.example', 'access-control-request-method': 'POST' }
    const { statusCode } = await app.inject({ method, url, headers: { 'x-forwarded-for': '192.0.2.1', ...preflight } })
    return statusCode
  }
  const others = async () => [
    await send('OPTIONS', url), await send('GET', '/health'), await send('GET', '/nowhere'), await send('PUT', url)
  ]
  t.strictSame(await others(), [204, 200, 404, 405])
  t.equal((await app.inject({ method: 'POST', url, payload: {}, headers: { 'x-forwarded-for': '192.0.2.1' } })).statusCode, 400)
  t.equal(await statusOf(app), 429, 'a refused request counts like a signed one')
  t.strictSame(await others(), [204, 200, 404, 405])
})

/** Pairs of forwarded client addresses, and the status of the second after a request of the first. */
const addresses: ReadonlyArray<readonly [string, string, second: 200 | 429]> = [
  ['192.0.2.1', '192.0.2.2', 200],
  ['::ffff:192.0.2.1', '192.0.2.1', 429],
  ['2001:db8:0:1::1', '2001:DB8:0:1:ffff::2', 429],
  ['2001:db8:0:1::1', '2001:db8:0:2::1', 200],
  ['192.0.2.1:5001', '192.0.2.1:5002', 429],
  ['192.0.2.1:5001', '192.0.2.2:5001', 200],
  ['[2001:db8::1]:5001', '[2001:db8::2]:5002', 429],
  ['[2001:db8::1]', '[2001:db8:0:1::1]', 200],
  ['fe80::1%eth0.100', 'fe80::2%br-lan', 429],
  ['unknown', '_hidden', 429]
]

t.test('addresses of one client, and of two clients', async t => {
  for (const [first, second, status] of addresses) {
    const { app } = testApp(t, { config: { RATE_LIMIT_MAX: 1, TRUST_PROXY } })
    t.strictSame([await statusOf(app, first), await statusOf(app, second)], [200, status], `${first} and ${second}`)
  }
})

t.test('a caller with a key is counted by name, from any address', async t => {
  const { app, log, ask } = callersApp(t, { rateLimitMax: 1 })
  t.equal(await ask('192.0.2.1', 'shop'), 200)
  t.equal(await ask('192.0.2.2', 'shop'), 429)
  t.equal(await ask('192.0.2.3', 'shop'), 429)
  t.equal(await ask('192.0.2.1', 'warehouse'), 200)
  t.equal(await ask('192.0.2.1'), 200, 'an anonymous caller at the same address')
  t.equal(await ask('192.0.2.1'), 429)
  t.equal(await ask('192.0.2.2'), 200)
  await app.close()
  t.match(log(), '"client":"caller:shop","count":1,"msg":"more requests refused"')
})

for (const [what, hours] of [['back', -1], ['forward', 1]] as const) {
  t.test(`a clock that is set ${what} changes no window`, async t => {
    const { app } = testApp(t, { config: { RATE_LIMIT_MAX: 1, RATE_LIMIT_WINDOW: 1000 } })
    t.strictSame(await statusesOf(2, () => statusOf(app)), [200, 429])
    const { now } = Date
    t.intercept(Date, 'now', { value: () => now() + hours * 3_600_000 })
    const refused = await app.inject({ method: 'POST', url, payload })
    t.equal(refused.headers['retry-after'], '1')
    t.equal(refused.body, '{"error":"Too many requests: try again in 1 second"}')
    while (await statusOf(app) === 429) await setTimeout(20)
    t.equal(await statusOf(app), 429, 'and the next one has begun')
  })
}

t.test('a flood of addresses evicts the oldest from memory', async t => {
  const store = new MemoryStore()
  const count = (key: number) => store.count(String(key), 60_000).current
  for (let key = 0; key < 50_000; key++) count(key)
  t.equal(count(0), 2, 'the oldest of 50,000, and now the newest')
  t.equal(count(50_000), 1, 'one too many')
  t.equal(count(1), 1, 'so the oldest is forgotten')
  t.equal(count(0), 3)
})

for (const [fail, statusCode, error] of [
  ['open', 200, undefined], ['closed', 503, 'Rate limit is unavailable']
] as const) {
  t.test(`Redis refuses to count, and the limit fails ${fail}`, async t => {
    const answers: Record<string, string> = { EVAL: '*2\r\n:3\r\n:1500' } // the third request; the time left
    const REDIS_URL = await respServer(t, command => answers[command.replace('SHA', '')] ?? '+OK')
    const registry = new Registry()
    const limits = { rateLimitMax: 2, rateLimitFail: fail, redisUrl: REDIS_URL }
    const { app, send, log } = callersApp(t, { ...limits, metrics: registry })
    const refused = await send('192.0.2.1')
    t.equal(refused.statusCode, 429)
    t.equal(refused.headers['retry-after'], '2')
    t.match(await registry.metrics(), /^payment_signature_rate_limit_redis_up 1$/m)
    t.match(await registry.metrics(), /^payment_signature_rate_limit_redis_errors_total 0$/m)

    answers.EVAL = '-OOM command not allowed when used memory > \'maxmemory\'.'
    for (let sent = 0; sent < 3; sent++) {
      const response = await send('192.0.2.1')
      t.equal(response.statusCode, statusCode)
      t.equal(response.json().error, error)
    }
    t.match(await registry.metrics(), /^payment_signature_rate_limit_redis_up 0$/m)
    t.match(await registry.metrics(), /^payment_signature_rate_limit_redis_errors_total 3$/m, 'an error for each')

    answers.EVAL = '*2\r\n:2\r\n:1'
    t.equal((await send('192.0.2.1')).statusCode, 200)
    t.match(await registry.metrics(), /^payment_signature_rate_limit_redis_up 1$/m)
    t.match(await registry.metrics(), /^payment_signature_rate_limit_redis_errors_total 3$/m)
    t.strictSame(outages(log()), [[40, 'Redis is unavailable', fail], [30, 'Redis is back', fail]])
    t.match(log(), '"reason":"OOM"')
    await app.close()
    t.match(await registry.metrics(), /^payment_signature_rate_limit_redis_up 1$/m, 'a closed app says nothing about Redis')
  })
}

t.test('no body waits for Redis, a body that is refused counts, and the limit precedes the specification', async t => {
  const replies: Array<(reply: string) => void> = []
  const counted = new EventEmitter()
  const redisUrl = await respServer(t, command => !command.startsWith('EVAL')
    ? '+OK'
    : new Promise(resolve => {
      replies.push(resolve)
      counted.emit('request')
    }))
  const { app } = embedded(t, { rateLimitMax: 2, redisUrl })
  const ask = (payload: string, type = 'application/json') =>
    app.inject({ method: 'POST', url, payload, headers: { 'content-type': type } })
  await app.ready()
  for (const [statusCode, payload, type] of [[400, '{'], [413, ' '.repeat(102_401)], [415, '{}', 'text/plain']] as const) {
    const count = once(counted, 'request')
    t.equal((await ask(payload, type)).statusCode, statusCode)
    await count
  }
  const count = once(counted, 'request')
  const response = ask('{}')
  await count
  replies.splice(0).forEach((reply, index) => reply(`*2\r\n:${index + 1}\r\n:1500`))
  t.equal((await response).statusCode, 429)
})

/** Answers of RESP that are not two integers with a count of at least 1. */
const nonsense = {
  'a nil list': '*-1',
  'a status': '+OK',
  'one integer': '*1\r\n:1',
  'three integers': '*3\r\n:1\r\n:1\r\n:1',
  texts: '*2\r\n$1\r\n1\r\n$4\r\n1500',
  'a count and a nil': '*2\r\n:1\r\n$-1',
  'a count of 0': '*2\r\n:0\r\n:1500'
}

t.test('a Redis that answers something else is unavailable', async t => {
  for (const [what, answer] of Object.entries(nonsense)) {
    for (const [rateLimitFail, statusCode] of [['open', 200], ['closed', 503]] as const) {
      const redisUrl = await respServer(t, command => /^EVAL/.test(command) ? answer : '+OK')
      const registry = new Registry()
      const { ask, log } = callersApp(t, { rateLimitMax: 1, rateLimitFail, redisUrl, metrics: registry })
      t.strictSame(await statusesOf(2, () => ask('192.0.2.1')), [statusCode, statusCode], what)
      t.match(log(), '"reason":"unexpected answer","msg":"Redis is unavailable"', what)
      t.match(await registry.metrics(), /^payment_signature_rate_limit_redis_errors_total 2$/m, what)
    }
  }
})

t.test('counting in Redis', { skip: withoutRedis }, async t => {
  const redis = redisServer(t)
  await redis.start()
  t.beforeEach(() => redis.command('flushall'))

  t.test('instances share counts by caller and by address', async t => {
    const config = { rateLimitMax: 2, redisUrl: redis.url }
    const callers = [anonymous, callerOf('192.0.2.1')]
    const [one, two] = [callersApp(t, config, callers), callersApp(t, config, callers)]
    const inTurn = async (address: string, key?: string) =>
      [await one.ask(address, key), await two.ask(address, key), await one.ask(address, key)]
    t.strictSame(await inTurn('192.0.2.1'), [200, 200, 429])
    t.strictSame(await inTurn('192.0.2.1', '192.0.2.1'), [200, 200, 429])
    t.equal(await two.ask('192.0.2.2', '192.0.2.1'), 429)
    t.equal(await two.ask('192.0.2.2'), 200)
    t.strictSame((await redis.command('keys', 'payment-signature:rate-limit:*') as string[]).sort(), [
      'payment-signature:rate-limit:/api/generate-signature:60000:address:192.0.2.1',
      'payment-signature:rate-limit:/api/generate-signature:60000:address:192.0.2.2',
      'payment-signature:rate-limit:/api/generate-signature:60000:caller:192.0.2.1'
    ])
    t.equal(await redis.command('get', 'payment-signature:rate-limit:/api/generate-signature:60000:address:192.0.2.1'), '3')
    t.strictSame(outages(one.log() + two.log()), [])
  })

  t.test('in an app, each route counts apart', async t => {
    const app = Fastify()
    t.teardown(() => app.close())
    const options = { variant: 'A', merchantToken: 'token', rateLimitMax: 1, redisUrl: redis.url } as const
    app.register(paymentSignature, { prefix: '/one', ...options })
    app.register(paymentSignature, { prefix: '/two', path: '/sign', ...options })
    const ask = async (url: string) => (await app.inject({ method: 'POST', url, payload })).statusCode
    t.equal(await ask('/one/api/generate-signature'), 200)
    t.equal(await ask('/two/sign'), 200)
    t.strictSame((await redis.command('keys', 'payment-signature:rate-limit:*') as string[]).sort(), [
      'payment-signature:rate-limit:/one/api/generate-signature:60000:address:127.0.0.1',
      'payment-signature:rate-limit:/two/sign:60000:address:127.0.0.1'
    ])
  })

  t.test('a counter that has lost its end gets one', async t => {
    const { ask } = callersApp(t, { rateLimitMax: 1, redisUrl: redis.url })
    await redis.command('set', 'payment-signature:rate-limit:/api/generate-signature:60000:address:192.0.2.1', 7)
    t.equal(await ask('192.0.2.1'), 429)
    const left = Number(await redis.command('pttl', 'payment-signature:rate-limit:/api/generate-signature:60000:address:192.0.2.1'))
    t.ok(left > 50_000 && left <= 60_000, `${left} ms are left`)
  })

  t.test('the count restarts when a window ends', async t => {
    const { send, ask } = callersApp(t, { rateLimitMax: 1, rateLimitWindow: 1000, redisUrl: redis.url })
    t.strictSame(await statusesOf(2, () => ask('192.0.2.1')), [200, 429])
    const response = await send('192.0.2.1')
    t.equal(response.headers['retry-after'], '1')
    while (await redis.command('pttl', 'payment-signature:rate-limit:/api/generate-signature:1000:address:192.0.2.1') !== -2) await setTimeout(20)
    t.equal(await ask('192.0.2.1'), 200)
  })
})
