import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Environment } from '../../../src/configuration/settings.js'
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
  t.strictSame(await ask('Basic guess'), [401, missing])
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
