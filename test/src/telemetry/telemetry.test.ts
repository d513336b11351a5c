import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { CallerLabels } from '../../../src/signing/decision-metrics.js'
import { repeatedRefusals } from '../../../src/telemetry/log-limits.js'
import { testApp, token } from '../../support/app.js'
import { officeKey } from '../../support/example.js'
import { portOf, raw } from '../../support/http.js'
import { replaceFile } from '../../support/replace-file.js'

const url = '/api/generate-signature'

const parsed = (log: string): Array<Record<string, unknown>> => log.trim().split('\n').map(line => JSON.parse(line))

t.test('a request has one line, without its query, and its time in milliseconds with at most three decimals', async t => {
  const { app, log } = testApp(t)
  app.addHook('preHandler', async () => { await setTimeout(30) })
  await app.inject({ method: 'POST', url: `${url}?a=b`, payload: { accountNumber: '1', sid: 's', clientTimeStamp: 1 } })
  const { reqId, responseTime, ip, time, pid, hostname, ...line } = JSON.parse(log())
  t.strictSame(line, { level: 30, method: 'POST', path: url, statusCode: 200, msg: 'request completed' })
  t.match({ reqId, ip }, { reqId: /^[0-9a-f]{12}-[0-9a-z]+$/, ip: '127.0.0.1' })
  t.ok(responseTime > 25 && responseTime < 10_000, String(responseTime))
  t.match(String(responseTime), /^\d+(?:\.\d{1,3})?$/)
})

t.test('nothing that may hold the token is logged, whatever happens', async t => {
  const { app, log } = testApp(t, { config: { LOG_LEVEL: 'trace' } })
  const canary = 'canary-7f3a'
  const body = { amount: '1.00', accountNumber: canary, sid: canary, clientTimeStamp: 1, merchantToken: canary }
  const text = JSON.stringify(body)
  const headers = { authorization: canary, cookie: canary, 'x-request-id': canary, traceparent: canary, 'content-type': 'application/json' }
  const payloads = [
    text, text.slice(0, -1), text.slice(1), text.replace('1.00', '0'), text.replace('"1.00"', '{"toString":1}'),
    `[${text}]`, text.replace('"amount"', '"__proto__"'), text + 'x'.repeat(102_400), '', `"${canary}"`,
    Buffer.concat([Buffer.from(text), Buffer.from([0xff])])
  ]
  const statusCodes = new Set<number>()
  for (const type of ['application/json', 'text/plain', `application/${canary}`]) {
    for (const payload of payloads) {
      for (const method of ['POST', 'PUT'] as const) {
        const response = await app.inject({
          method, url: `${url}?merchantToken=${canary}`, payload, headers: { ...headers, 'content-type': type }
        })
        statusCodes.add(response.statusCode)
        t.notMatch(response.body + JSON.stringify(response.headers), canary)
      }
    }
  }
  await app.inject({ url: `/%c0?merchantToken=${canary}`, headers })
  await app.inject({ url: `/nowhere?merchantToken=${canary}`, headers })

  t.strictSame([...statusCodes].sort(), [200, 400, 405, 413, 415, 500], 'all of these happened')
  t.not(log(), '')
  t.notMatch(log(), canary)
  t.notMatch(log(), token)
})

t.test('the trace that a request belongs to', async t => {
  const { app, log } = testApp(t)
  const headers = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' }
  for (const url of ['/nowhere', '/%c0']) await app.inject({ url, headers })
  t.strictSame(parsed(log()).map(({ msg, trace_id: id }) => [msg, id]),
    ['completed', 'refused'].map(end => [`request ${end}`, '4bf92f3577b34da6a3ce929d0e0e4736']))
})

for (const [what, method, path, logged] of [
  ['an unknown path', 'GET', `/${'"'.repeat(15_900)}`, `/${'"'.repeat(255)}`],
  ['a wrong method', 'PUT', `/${'x'.repeat(15_800)}/../api/generate-signature`, `/${'x'.repeat(255)}`],
  ['a preflight', 'OPTIONS', `/${'x'.repeat(15_900)}`, `/${'x'.repeat(255)}`],
  ['a malformed URL', 'GET', `/%c0${'x'.repeat(15_900)}`, undefined],
  ['the token at the cut', 'GET', `/${'x'.repeat(240)}/${token}`, `/${'x'.repeat(240)}/[redacted]`],
] as const) {
  t.test(`${what}: one line, with 256 characters of the path at most`, async t => {
    const { app, log } = testApp(t)
    await raw(await portOf(app), `${method} ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
    await app.close()
    const [line, ...more] = parsed(log()).filter(({ msg }) => /^request/.test(String(msg)))
    t.equal(line?.path, logged)
    t.strictSame(more, [])
    t.ok(log().length < 2000, `${log().length} characters in all`)
  })
}

for (const [request, first, statusCode, error] of [
  ['GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n', ['request completed'], 404, 'Not Found'],
  ['PUT /health HTTP/1.1\r\nHost: x\r\n\r\n', ['request completed'], 405, 'Method Not Allowed'],
  ['GET /%c0 HTTP/1.1\r\nHost: x\r\n\r\n', ['request refused'], 400, 'Malformed URL'],
  ['garbage\r\n\r\n', ['request refused'], 400, 'Malformed HTTP request'],
  [`GET /${'x'.repeat(20_000)} HTTP/1.1\r\n\r\n`, ['request refused'], 431, 'Request Header Fields Too Large'],
  [`POST ${url} HTTP/1.1\r\nContent-Length: 0\r\n\r\n`, ['request refused', 'request completed'], 400, 'Host header is required'],
  [`POST ${url} HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nContent-Length: 0\r\n\r\n`, ['request refused', 'request completed'], 417,
    'Expectation Failed'],
  [`POST ${url} HTTP/1.1\r\nHost: x\r\n${'A: b\r\n'.repeat(128)}\r\n`, ['request refused', 'request completed'], 431,
    'Request Header Fields Too Large'],
  ['GET /ready HTTP/1.1\r\nHost: x\r\n\r\n', [], 503, 'audit unavailable']
] as const) {
  t.test(`many times ${statusCode} ${error}: the first is logged, and then a count for each address`, async t => {
    const { app, log } = testApp(t)
    await app.ready()
    app.readinessChecks.push(() => 'audit unavailable')
    const port = await portOf(app)
    for (const host of ['127.0.0.1', '127.0.0.1', '127.0.0.1', '127.0.0.2']) {
      t.equal((await raw(port, request, '127.0.0.1', host)).statusCode, statusCode)
    }
    await app.close()
    const [last, ...lines] = parsed(log()).filter(({ msg }) => msg !== 'not ready').reverse()
    t.strictSame(lines.reverse().map(({ msg }) => msg), [...first, ...first])
    const { level, time, pid, hostname, ...count } = last ?? {}
    t.strictSame(count, { statusCode, error, client: 'address:127.0.0.1', count: 2, msg: 'more requests refused' })
  })
}

t.test('the address of a client behind proxies', async t => {
  for (const [TRUST_PROXY, remoteAddress, forwarded, expected] of [
    ['', '127.0.0.1', '203.0.113.7', '127.0.0.1'],
    ['127.0.0.1', '127.0.0.1', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['127.0.0.1,203.0.113.0/24', '127.0.0.1', '198.51.100.1, 203.0.113.7', '198.51.100.1'],
    ['10.0.0.0/8', '11.1.2.3', '203.0.113.7', '11.1.2.3'],
    ['10.0.0.0/8', '::ffff:10.1.2.3', '203.0.113.7', '203.0.113.7'],
    ['::1, fd00::/8', 'fd00::5', '203.0.113.7', '203.0.113.7']
  ] as const) {
    const { app, log } = testApp(t, { config: { TRUST_PROXY } })
    await app.inject({ url: '/nowhere', remoteAddress, headers: { 'x-forwarded-for': forwarded } })
    t.equal(parsed(log())[0]?.ip, expected, `TRUST_PROXY=${TRUST_PROXY}, ${remoteAddress} forwards for ${forwarded}`)
  }
})

t.test('the log line has the address of a client that disconnected earlier', async t => {
  const { app, log } = testApp(t, { config: { TRUST_PROXY: '127.0.0.1' } })
  // Runs before the line is written.
  app.addHook('onResponse', async ({ raw: { socket } }) => {
    const closed = new Promise(resolve => socket.once('close', resolve))
    socket.destroy()
    await closed
  })
  const port = await portOf(app)
  await raw(port, 'GET /nowhere HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.7\r\n\r\n')
  await app.close()
  t.match(log(), '"ip":"203.0.113.7"')
})

/** A function that counts refusals, the logged lines, and the replaced timers. */
function counting (t: Test) {
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
  const isRepeated = repeatedRefusals({ addHook () {}, log } as unknown as FastifyInstance)
  return { isRepeated: (client: string) => isRepeated(client, { statusCode: 429, error: 'Too many' }), lines, timers }
}

t.test('each minute the log has a count of those that were refused more than once', async t => {
  const { isRepeated, lines, timers } = counting(t)
  t.strictSame(['a', 'a', 'b', 'a'].map(isRepeated), [false, true, false, true])
  t.equal(timers.length, 1)
  t.equal(timers[0]?.delay, 60_000)
  t.strictSame(lines, [])
  timers[0]?.passes()
  t.strictSame(lines, [{ statusCode: 429, error: 'Too many', client: 'a', count: 2, message: 'more requests refused' }])
  t.strictSame(['b', 'b'].map(isRepeated), [false, true], 'a new minute')
  timers[1]?.passes()
  t.strictSame(lines[1], { statusCode: 429, error: 'Too many', client: 'b', count: 1, message: 'more requests refused' })
  t.equal(timers.length, 2)
})

t.test('refusals of many addresses share one count in the log', async t => {
  const { isRepeated, lines, timers } = counting(t)
  const ask = (name: string) => Array.from({ length: 1000 }, (_, number) => isRepeated(`${name}-${number}`))
  t.strictSame(new Set(ask('one')), new Set([false]))
  t.strictSame(new Set(ask('two')), new Set([true]))
  t.ok(isRepeated('one-7'))
  t.ok(isRepeated('two-7'))
  timers[0]?.passes()
  t.match(lines, [{ client: 'one-7', count: 1 }, { client: 'others', count: 1001 }])
  t.equal(lines.length, 2)
})

const refund = {
  operationType: 'refund', amount: '12.00', transactionFCRN: '9', merchantAccountNumber: '102551', sid: 's', clientTimeStamp: 1709912345678
}

/** Returns a policy of an anonymous caller, the office, and further callers. */
const policyOf = (others: string[]) => JSON.stringify({
  callers: [
    { name: 'anonymous', anonymous: true, operations: ['purchase'], accountNumbers: ['102551'] },
    ...['office', ...others].map((name, n) => (
      { name, apiKeySha256: n === 0 ? officeKey : String(n).padStart(64, '0'), operations: ['refund'], accountNumbers: ['102551'] }))
  ]
})
const shops = (count: number) => Array.from({ length: count }, (_, n) => `shop-${n}`)

t.test('decisions have the caller: its name, anonymous, unknown, or other beside more than 50 callers', async t => {
  const path = join(t.testdir({ 'policy.json': policyOf([]) }), 'policy.json')
  const { app, says } = testApp(t, { config: { ADMIN_PORT: '0', POLICY_FILE: path }, pollInterval: 10 })
  const ask = (key?: string) => app.inject({
    method: 'POST', url, payload: refund, headers: key === undefined ? {} : { authorization: `Bearer ${key}` }
  })
  const counted = async () => [...(await app.metrics?.metrics() ?? '')
    .matchAll(/^payment_signature_decisions_total\{variant="A",operation="(\w+)",outcome="(\w+)",caller="(.*)"\} ([1-9]\d*)$/gm)]
    .map(([, ...labels]) => labels.join(' '))
  await ask('key-of-the-office')
  await ask()
  await ask('another-key')
  t.strictSame((await counted()).sort(), [
    'refund forbidden anonymous 1', 'refund signed office 1', 'unknown unauthenticated unknown 1'
  ])
  replaceFile(path, policyOf(shops(49)))
  await says('the policy was replaced, 51 callers')
  await ask('key-of-the-office')
  await ask()
  t.strictSame((await counted()).sort(), [
    'refund forbidden anonymous 2', 'refund signed office 1', 'refund signed other 1', 'unknown unauthenticated unknown 1'
  ])
})

t.test('the labels are bounded', async t => {
  const labels = new CallerLabels()
  labels.use(shops(50).map(name => ({ name })))
  t.strictSame(shops(50).map(name => labels.of(name)), shops(50))
  labels.use(shops(51).map(name => ({ name })))
  t.equal(labels.of('shop-0'), 'other', 'with more than 50 callers')
  for (const name of ['anonymous', 'unknown', 'payment-signature-probe']) t.equal(labels.of(name), name)
  labels.use([{ name: 'new' }])
  t.equal(labels.of('new'), 'other', 'a process shows 50 names, also of several policies')
  t.equal(labels.of('shop-0'), 'shop-0')
})
