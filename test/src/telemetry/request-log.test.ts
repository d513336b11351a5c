import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { testApp, token } from '../../support/app.js'
import { portOf, raw } from '../../support/http.js'

const url = '/api/generate-signature'

const parsed = (log: string): Array<Record<string, unknown>> => log.trim().split('\n').map(line => JSON.parse(line))

t.test('a request has one line, without its query', async t => {
  const { app, log } = testApp(t)
  await app.inject({ method: 'POST', url: `${url}?a=b`, payload: { accountNumber: '1', sid: 's', clientTimeStamp: 1 } })
  const { reqId, responseTime, ip, time, pid, hostname, ...line } = JSON.parse(log())
  t.strictSame(line, { level: 30, method: 'POST', path: url, statusCode: 200, msg: 'request completed' })
  t.match({ reqId, responseTime, ip }, { reqId: /^[0-9a-f]{12}-[0-9a-z]+$/, responseTime: Number, ip: '127.0.0.1' })
})

t.test('responseTime is in milliseconds, with at most three decimals', async t => {
  const { app, log } = testApp(t)
  app.get('/slow', () => setTimeout(30, {}))
  await app.inject('/slow')
  const { responseTime } = JSON.parse(log())
  t.ok(responseTime > 25 && responseTime < 10_000, String(responseTime))
  t.match(String(responseTime), /^\d+(?:\.\d{1,3})?$/)
})

t.test('a response that could not be written is an error', async t => {
  const { app, log } = testApp(t)
  app.get('/fault', async (_request, reply) => {
    reply.raw.emit('error', new Error('broken pipe'))
    return {}
  })
  await t.rejects(async () => app.inject('/fault'), { message: 'broken pipe' })
  t.match(JSON.parse(log().split('\n')[0] ?? ''), {
    level: 50, method: 'GET', path: '/fault', ip: '127.0.0.1', err: { message: 'broken pipe' }, msg: 'request errored'
  })
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
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  await app.inject({ url: '/nowhere', headers: { traceparent } })
  await app.inject({ url: '/%c0', headers: { traceparent } })
  const lines = parsed(log())
  t.strictSame(lines.map(({ msg, trace_id: id }) => [msg, id]), [
    ['request completed', '4bf92f3577b34da6a3ce929d0e0e4736'],
    ['request refused', '4bf92f3577b34da6a3ce929d0e0e4736']
  ])
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
  /** Returns the logged client address of a connection from `remoteAddress`. */
  async function logged (t: Test, TRUST_PROXY: string, remoteAddress: string, forwarded: string): Promise<unknown> {
    const { app, log } = testApp(t, { config: { TRUST_PROXY } })
    await app.inject({ url: '/nowhere', remoteAddress, headers: { 'x-forwarded-for': forwarded } })
    return JSON.parse(log().trim().split('\n').at(-1) ?? '').ip
  }

  for (const [TRUST_PROXY, remoteAddress, forwarded, expected] of [
    ['', '127.0.0.1', '203.0.113.7', '127.0.0.1'],
    ['127.0.0.1', '127.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['127.0.0.1', '127.0.0.1', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['127.0.0.1,203.0.113.0/24', '127.0.0.1', '198.51.100.1, 203.0.113.7', '198.51.100.1'],
    ['10.0.0.0/8', '10.1.2.3', '203.0.113.7', '203.0.113.7'],
    ['10.0.0.0/8', '11.1.2.3', '203.0.113.7', '11.1.2.3'],
    ['10.0.0.0/8', '::ffff:10.1.2.3', '203.0.113.7', '203.0.113.7'],
    ['::1, fd00::/8', 'fd00::5', '203.0.113.7', '203.0.113.7']
  ] as const) {
    t.test(`TRUST_PROXY=${TRUST_PROXY}, ${remoteAddress} forwards for ${forwarded}`, async t => {
      t.equal(await logged(t, TRUST_PROXY, remoteAddress, forwarded), expected)
    })
  }

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
})
