import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { tooManyRequests } from '../../../plugins/http/repeated-refusals.js'
import type { Environment } from '../../../src/service/settings.js'
import { testApp } from '../../support/app.js'

const url = '/api/generate-signature'
const body = '{"operationType":"refund","amount":"100.00","merchantAccountNumber":"102551","transactionFCRN":"987654",' +
  '"sid":"5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11","clientTimeStamp":1709912345678}'

// printf '%s' key-of-the-office | sha256sum
const office = {
  name: 'office',
  apiKeySha256: '0b1de613ef1d8a750f9092dfe13ce8fd2a2e21424bcf1fdcbf5db7f1402a2553',
  operations: ['refund'],
  accountNumbers: ['102551']
}
const anonymous = { name: 'anonymous', anonymous: true, operations: ['purchase'], accountNumbers: ['102551'] }

const right = 'Bearer key-of-the-office'
const unknown = '{"error":"The API key is not known"}'
const missing = '{"error":"An API key is required: send it as Authorization: Bearer"}'
const tooMany = '{"error":"Too many requests without a known API key: try again in 60 seconds"}'

/**
 * An app behind a proxy, and a function that requests a signature as a client at an address and returns status and
 * body. The clock is stopped until a test moves it.
 */
function policyApp (t: Test, config: Partial<Environment> = {}, callers: object[] = [office]) {
  const clock = { now: 1000 }
  t.intercept(performance, 'now', { value: () => clock.now })
  const POLICY_FILE = join(t.testdir({ 'policy.json': JSON.stringify({ callers }) }), 'policy.json')
  const { app, log } = testApp(t, { config: { POLICY_FILE, TRUST_PROXY: '127.0.0.1', ...config } })
  async function ask (authorization?: string, address = '192.0.2.1') {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': address, ...authorization && { authorization } }
    const { statusCode, body: answer } = await app.inject({ method: 'POST', url, payload: body, headers })
    return [statusCode, statusCode === 200 ? 'signed' : answer]
  }
  return { app, log, ask, clock }
}

t.test('wrong keys get 429 after the limit, and the right key a signature', async t => {
  const { app, ask } = policyApp(t)
  for (let sent = 0; sent < 20; sent++) t.strictSame(await ask(`Bearer guess-${sent}`), [401, unknown])
  for (let sent = 0; sent < 5; sent++) {
    t.strictSame(await ask(`Bearer guess-${sent}`), [429, tooMany])
    t.strictSame(await ask(right), [200, 'signed'])
  }
  t.strictSame(await ask('Bearer guess', '192.0.2.2'), [401, unknown], 'another address')
  const headers = { authorization: 'Bearer guess', origin: 'https://shop.example', 'x-forwarded-for': '192.0.2.1' }
  t.match((await app.inject({ method: 'POST', url, payload: '{', headers })).headers, {
    'retry-after': '60',
    'content-type': 'application/json; charset=utf-8',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'Retry-After, X-Request-Id, Error-Code'
  })
})

t.test('the count restarts after a minute', async t => {
  const { ask, clock } = policyApp(t, { KEY_FAILURE_MAX: 1 })
  t.strictSame(await ask('Bearer guess'), [401, unknown])
  clock.now += 59_500
  t.strictSame(await ask('Bearer guess'), [429, tooMany.replace('60 seconds', '1 second')])
  clock.now += 500
  t.strictSame(await ask('Bearer guess'), [401, unknown])
  t.strictSame(await ask('Bearer guess'), [429, tooMany])
})

t.test('a right key is not counted and does not reset the count', async t => {
  const { ask } = policyApp(t, { KEY_FAILURE_MAX: 1 })
  for (let sent = 0; sent < 3; sent++) t.strictSame(await ask(right), [200, 'signed'])
  t.strictSame(await ask('Bearer guess'), [401, unknown])
  t.strictSame(await ask(right), [200, 'signed'])
  t.strictSame(await ask('Bearer guess'), [429, tooMany])
})

t.test('a missing key counts as a wrong key, unless the policy has an anonymous caller', async t => {
  const { ask } = policyApp(t, { KEY_FAILURE_MAX: 2 })
  t.strictSame(await ask(), [401, missing])
  t.strictSame(await ask('Basic guess'), [401, unknown])
  t.strictSame(await ask(), [429, tooMany])
  const { ask: askOpen } = policyApp(t, { KEY_FAILURE_MAX: 1 }, [anonymous, office])
  for (let sent = 0; sent < 3; sent++) t.match(await askOpen(), [403])
  t.strictSame(await askOpen('Bearer guess'), [401, unknown])
  t.strictSame(await askOpen('Bearer guess'), [429, tooMany])
  t.match(await askOpen(), [403, 'caller \\"anonymous\\" may not sign this operation'])
})

t.test('addresses are counted as in the rate limit', async t => {
  const { ask } = policyApp(t, { KEY_FAILURE_MAX: 1 })
  t.strictSame(await ask('Bearer guess', '2001:db8:0:1::1'), [401, unknown])
  t.strictSame(await ask('Bearer guess', '2001:db8:0:1::2'), [429, tooMany])
  t.strictSame(await ask('Bearer guess', '2001:db8:0:2::1'), [401, unknown])
})

t.test('KEY_FAILURE_MAX=0 is no limit', async t => {
  const { ask } = policyApp(t, { KEY_FAILURE_MAX: 0 })
  for (let sent = 0; sent < 30; sent++) t.strictSame(await ask(`Bearer guess-${sent}`), [401, unknown])
})

t.test('guesses have two log lines each up to the limit, and then a count', async t => {
  const { app, log, ask } = policyApp(t)
  for (let sent = 0; sent < 100; sent++) await ask(`Bearer guess-${sent}`)
  await app.close()
  const lines = log().trim().split('\n').map(line => JSON.parse(line))
  t.equal(lines.length, 43, 'two for each of the 20, two for the first that is one too many, and the count')
  t.match(lines.at(-1), {
    level: 30,
    statusCode: 429,
    error: 'Too many requests without a known API key',
    client: 'address:192.0.2.1',
    count: 79,
    msg: 'more requests refused'
  })
  t.notMatch(log(), 'guess')
})

/** A function that makes refusals, the logged lines, and the replaced timers. */
function refusals (t: Test) {
  const lines: unknown[] = []
  const timers: Array<{ passes (): void, delay: number }> = []
  t.intercept(globalThis, 'setTimeout', {
    value: (passes: () => void, delay: number) => {
      timers.push({ passes, delay })
      return { unref () { return this } }
    }
  })
  t.intercept(globalThis, 'clearTimeout', { value: () => {} })
  const log = { info: (line: object, message: string) => lines.push({ ...line, message }) }
  const refusal = tooManyRequests({ addHook () {}, log } as unknown as FastifyInstance, 'rate-limit', 'Too many')
  return { refusal, lines, timers }
}

t.test('each minute the log has a count of those that were refused more than once', async t => {
  const { refusal, lines, timers } = refusals(t)
  t.strictSame(['a', 'a', 'b', 'a'].map(client => refusal(client, 60_000).isRepeated), [false, true, false, true])
  t.equal(timers.length, 1)
  t.equal(timers[0]?.delay, 60_000)
  t.strictSame(lines, [])
  timers[0]?.passes()
  t.strictSame(lines, [{ statusCode: 429, error: 'Too many', client: 'a', count: 2, message: 'more requests refused' }])
  t.strictSame(['b', 'b'].map(client => refusal(client, 60_000).isRepeated), [false, true], 'a new minute')
  timers[1]?.passes()
  t.strictSame(lines[1], { statusCode: 429, error: 'Too many', client: 'b', count: 1, message: 'more requests refused' })
  t.equal(timers.length, 2)
})

t.test('refusals of many addresses share one count in the log', async t => {
  const { refusal, lines, timers } = refusals(t)
  const ask = (name: string) => Array.from({ length: 1000 }, (_, number) => refusal(`${name}-${number}`, 1).isRepeated)
  t.strictSame(new Set(ask('one')), new Set([false]))
  t.strictSame(new Set(ask('two')), new Set([true]))
  t.ok(refusal('one-7', 1).isRepeated)
  t.ok(refusal('two-7', 1).isRepeated)
  timers[0]?.passes()
  t.match(lines, [{ client: 'one-7', count: 1 }, { client: 'others', count: 1001 }])
  t.equal(lines.length, 2)
})
