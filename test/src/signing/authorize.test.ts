import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { Registry } from 'prom-client'
import t, { type Test } from 'tap'
import type { Authorize } from '../../../src/signing/backend.js'
import type { GuardOptions } from '../../../src/signing/options.js'
import { testApp } from '../../support/app.js'
import { answering, backend, backendServer } from '../../support/backend.js'
import { embedded } from '../../support/embedded.js'

const request = { accountNumber: '102551', amount: '1.00', sid: 'sid-1', clientTimeStamp: 1, orderId: 'A-1' }

/** The fields of the request that the backend judges. */
const judged = {
  operationType: 'purchase', merchantAccountNumber: '102551', amount: '1.00', orderId: 'A-1', sid: 'sid-1', clientTimeStamp: 1
}
const send = (headers: Record<string, string> = {}) => ({
  method: 'POST',
  url: '/api/generate-signature',
  payload: { ...request, merchantToken: 'canary-token' },
  headers
}) as const

const unavailable = { error: 'Authorization is unavailable, try again' }

t.test('the question contains the request and the caller, and not the token', async t => {
  const asked: unknown[] = []
  const AUTHORIZE_URL = await backend(t, async (incoming, response) => {
    const { method, url, headers } = incoming
    asked.push({ method, url, headers, body: JSON.parse(await text(incoming)) })
    response.writeHead(204).end()
  })
  const { app } = testApp(t, { config: { AUTHORIZE_URL, TRUST_PROXY: '127.0.0.1' } })
  const response = await app.inject(send({
    authorization: 'Bearer session', cookie: 'session=1', 'x-request-id': 'id-1', 'x-other': 'kept back'
  }))
  t.equal(response.statusCode, 200)
  t.match(asked, [{
    method: 'POST',
    url: '/may-sign?shop=1',
    headers: {
      authorization: 'Bearer session', cookie: 'session=1', 'x-request-id': 'id-1', 'content-type': 'application/json'
    },
    body: { ...judged, caller: 'anonymous', clientAddress: '127.0.0.1' }
  }])
  t.strictSame(Object.keys((asked[0] as { body: object }).body), [...Object.keys(judged), 'caller', 'clientAddress'])
  t.notMatch(JSON.stringify(asked), /canary-token|kept back/)
})

t.test('an authorize function gets the request without the token, and the headers', async t => {
  let given: unknown
  const authorize = (input: unknown) => Boolean(given = input) as true
  await testApp(t, { config: { TRUST_PROXY: '127.0.0.1' }, authorize }).app.inject(send({ cookie: 'session=1', 'x-request-id': 'id-1' }))
  t.strictSame(given, {
    request: judged,
    context: null,
    caller: 'anonymous',
    clientAddress: '127.0.0.1',
    headers: { authorization: undefined, cookie: 'session=1' },
    id: 'id-1'
  })
})

t.test('what the backend judges is what is signed, however it was sent', async t => {
  const asked: unknown[] = []
  const AUTHORIZE_URL = await backend(t, async (incoming, response) => {
    asked.push(await text(incoming))
    response.writeHead(204).end()
  })
  const { app } = testApp(t, { config: { AUTHORIZE_URL } })
  const common = '"merchantAccountNumber":"102551","sid":"sid-1","clientTimeStamp":1'
  const whoAsks = '"caller":"anonymous","clientAddress":"127.0.0.1"'
  for (const [sent, judged, preImage, part1] of [
    // A decoder that ignores the case of keys would read the last amount.
    [`{"amount":"500.00","orderId":"O-4711",${common},"AMOUNT":"1.00"}`,
      `{"operationType":"purchase","merchantAccountNumber":"102551","amount":"500.00","orderId":"O-4711","sid":"sid-1","clientTimeStamp":1,${whoAsks}}`,
      '1sid-1500.00', '097fd138b8dab7bbdb90832e6d2a24ac8191fd6a45ec5abe25771c4f04b4231f'],
    // Another parser may read the first of two equal keys.
    [`{"amount":"1.00",${common},"amount":"500.00"}`,
      `{"operationType":"purchase","merchantAccountNumber":"102551","amount":"500.00","sid":"sid-1","clientTimeStamp":1,${whoAsks}}`,
      '1sid-1500.00', '097fd138b8dab7bbdb90832e6d2a24ac8191fd6a45ec5abe25771c4f04b4231f'],
    [`{"operationType":["refund"],"amount":1e400,"transactionFCRN":9,${common},"accountNumber":"777"}`,
      `{"operationType":"refund","merchantAccountNumber":"102551","amount":"Infinity","transactionFCRN":"9","sid":"sid-1","clientTimeStamp":1,${whoAsks}}`,
      '1sid-1Infinity9', 'c125fe374fcfbd6b467309b1aea8b366674a0e61fdee0c71b853788ebf13d780'],
    // PHP does not decode lone surrogates.
    ['{"amount":"9999.00","merchantAccountNumber":"102551","sid":"\\ud800","clientTimeStamp":1}',
      `{"operationType":"purchase","merchantAccountNumber":"102551","amount":"9999.00","sid":"\ufffd","clientTimeStamp":1,${whoAsks}}`,
      '1\ufffd9999.00', '406a718fe5fbddc33f3ac7b0795b9bd2d2e6039d0b273b92e1870e4f7ea3a323'],
    // The signature is also that of a void.
    [`{"operationType":"inquiry","transactionId":"987654","idType":"FCRN",${common}}`,
      `{"operationType":"inquiry","merchantAccountNumber":"102551","transactionId":"987654","idType":"FCRN","sid":"sid-1","clientTimeStamp":1,"alsoSignedLike":"void",${whoAsks}}`,
      '1sid-1987654', '8a04b323f5b37891ba03c2d6e74e33fce48bb8ab485dbaacda371dd73e520120'],
    ...['"null"', '[]'].map(transactionId => [
      `{"operationType":"inquiry","transactionId":${transactionId},"idType":"fcrn",${common}}`,
      `{"operationType":"inquiry","merchantAccountNumber":"102551","idType":"FCRN","sid":"sid-1","clientTimeStamp":1,"alsoSignedLike":"clear-cache",${whoAsks}}`,
      '1sid-1', '289e7b76c3723cfcdef2cfb54347353a63f32596632b967a2ba695f57e5184d2'] as const)
  ] as const) {
    const response = await app.inject({ ...send(), payload: sent, headers: { 'content-type': 'application/json' } })
    t.equal(asked.pop(), judged)
    t.equal(response.json().signature.slice(0, 64), part1, preImage)
  }
})

const functions: Array<[what: string, authorize: Authorize, statusCode: number, error?: string]> = [
  ['true', () => true, 200],
  ['a promise of true', async () => true as const, 200],
  ['a refusal', async () => ({ statusCode: 402, error: 'pay first' }), 402, 'pay first'],
  ['a refusal with 400', () => ({ statusCode: 400 }), 400, 'Refused by the merchant'],
  ['a refusal with 499', () => ({ statusCode: 499 }), 499, 'Refused by the merchant'],
  ...[200, 399, 400.5, 500, NaN].map(statusCode =>
    [`a refusal with ${statusCode}`, () => ({ statusCode }), 503, unavailable.error] as [string, Authorize, number, string]),
  ['allowed: true', () => ({ allowed: true, error: 'ignored' }), 200],
  ['a promise of allowed: true', async () => ({ allowed: true, statusCode: undefined }), 200],
  ['false', async () => false, 403, 'Refused by the merchant'],
  ['allowed: false', () => ({ allowed: false }), 403, 'Refused by the merchant'],
  ['allowed: false and an error', () => ({ allowed: false, error: 'pay first' }), 403, 'pay first'],
  ['allowed: true and a refusal', () => ({ allowed: true, statusCode: 402 }), 402, 'Refused by the merchant'],
  ...[
    { allowed: true, statusCode: 200 }, { allowed: false, statusCode: 200 }, { allowed: true, statusCode: null }, { allowed: 'true' }, {},
    [true], null, undefined, 'false', 'true', 0, 1, () => true
  ].map(value => [
    JSON.stringify(value) ?? String(value), (() => value) as unknown as Authorize, 503, unavailable.error
  ] as [string, Authorize, number, string])
]

for (const [what, authorize, statusCode, error] of functions) {
  t.test(`an authorize function that returns ${what}`, async t => {
    const response = await testApp(t, { authorize }).app.inject(send())
    t.strictSame([response.statusCode, response.json().error], [statusCode, error])
  })
}

// Outages.

/** A request for another order. Without an order ID, the session ID identifies it. */
const sendFor = (order: string | number, remoteAddress = '127.0.0.1', field: 'orderId' | 'sid' = 'orderId') =>
  ({ ...send(), remoteAddress, payload: { ...request, orderId: undefined, [field]: `${order}` } })

const expected = 'expected 204, or 200 with {"allowed":true} or {"allowed":false} and no duplicate keys'

/** Stops the monotonic clock. Returns a function that moves the clock forward by milliseconds. */
function clock (t: Test): (milliseconds: number) => void {
  let now = performance.now()
  t.intercept(performance, 'now', { value: () => now })
  return milliseconds => { now += milliseconds }
}

/** Replaces time-outs. Returns a function that fires them. */
function timeouts (t: Test): () => void {
  const controllers: AbortController[] = []
  t.intercept(AbortSignal, 'timeout', {
    value () {
      const controller = new AbortController()
      controllers.push(controller)
      return controller.signal
    }
  })
  return () => { for (const controller of controllers) controller.abort() }
}

/** Values of the metrics about authorize, by the rest of the name or by the result. */
const authorizeMetrics = async (registry: Registry) => Object.fromEntries([...(await registry.metrics())
  .matchAll(/^payment_signature_authorize_(\w+?)(?:\{result="(\w+)"\})? (\d+)$/gm)]
  .map(([, name, result, value]) => [result ?? name, Number(value)]))

/** An app with the route, its metrics, and its log lines about authorize. */
function measured (t: Test, options: GuardOptions) {
  const registry = new Registry()
  const { app, log } = embedded(t, { metrics: registry, ...options })
  return { app, log, said: () => saidIn(log()), metrics: () => authorizeMetrics(registry) }
}

/** Level, message and reason of the lines about authorize. */
const saidIn = (log: string) => log.split('\n').filter(line => line.includes('"authorization is ')).map(line => {
  const { level, msg, reason } = JSON.parse(line)
  return [level, msg, ...reason === undefined ? [] : [reason]]
})

t.test('while a backend hangs, 256 requests wait, 64 of one client without a key; the others get 503 at once', async t => {
  clock(t)
  const timeOut = timeouts(t)
  let hangs = true
  const asked: unknown[] = []
  const { server, url: authorizeUrl } = await backendServer(t, ({ url }, response) => {
    if (!hangs) return response.writeHead(204).end()
    asked.push(url)
    server.emit('asked')
  })
  const isAsked = async (times: number) => { while (asked.length < times) await once(server, 'asked') }
  const { app, log, metrics, said } = measured(t, { authorizeUrl })
  await app.ready()

  const finished: unknown[] = []
  const body = JSON.stringify(unavailable)
  const send300 = (addressOf: (index: number) => string) => Array.from({ length: 300 }, async (_, index) => {
    const { statusCode, headers, body } = await app.inject(sendFor(index, addressOf(index)))
    finished.push([statusCode, body, headers['retry-after']])
  })
  const ofOne = send300(index => `2001:db8::${index}`) // one network
  await isAsked(64)
  await Promise.all(ofOne.slice(64))
  t.strictSame(finished, Array(236).fill([503, body, '1']), 'those that were not asked about have not waited')
  t.strictSame(said(), [], 'others still get an answer')
  const [crowd] = log().split('\n').filter(line => line.includes('of a client without an API key')).map(line => JSON.parse(line))
  t.match(crowd, { level: 40, times: 1, client: 'address:2001:db8::' })
  const ofMany = send300(index => `192.0.2.${index % 250}`)
  await isAsked(256)
  await Promise.all(ofMany.slice(192))
  t.strictSame(said(), [[50, 'authorization is unavailable', '256 requests wait for an answer']])
  t.match(await metrics(), { shed: 344, in_flight: 256 })
  timeOut()
  await Promise.all([...ofOne, ...ofMany])
  t.strictSame(finished.slice(344), Array(256).fill([503, body, undefined]))
  t.equal(asked.length, 256)

  hangs = false
  t.equal((await app.inject(send())).statusCode, 200)
  t.strictSame(said().at(-1), [30, 'authorization is back'])
  t.match(await metrics(), { allowed: 1, unavailable: 256, shed: 344, in_flight: 0 })
})

t.test('an outage ends with a decision, but not with the 404 of a backend at another path', async t => {
  const statuses = [500, 404, 404, 403]
  const authorizeUrl = await backend(t, (_request, response) => response.writeHead(statuses.shift()!).end())
  const { app, said } = measured(t, { authorizeUrl })
  const given = []
  for (let index = 0; index < 4; index++) given.push([(await app.inject(sendFor(index))).statusCode, said().length])
  t.strictSame(given, [[503, 1], [404, 1], [404, 1], [403, 2]])
  t.strictSame(said()[1], [30, 'authorization is back'])
})

t.test('a backend or a function that decides nothing is unavailable, with one log line', async t => {
  const alive = setInterval(() => {}, 1000) // AbortSignal.timeout alone keeps no process alive
  t.teardown(() => clearInterval(alive))
  const { server, url: authorizeUrl } = await backendServer(t, () => {})
  server.close()
  const served = async (listener: RequestListener) => ({ authorizeUrl: await backend(t, listener) })
  const late = { reason: 'no answer within 100 ms' }
  for (const [what, options, line] of [
    ['a backend that hangs in its body', await served((_request, response) => { response.write('{"allowed":') }), late],
    ['a backend that hangs in a refusal', await served((_request, response) => { response.writeHead(403).write('{"error":') }), late],
    ['a backend that resets the connection', await served(request => { request.socket.destroy() }), { reason: 'UND_ERR_SOCKET' }],
    ['no backend', { authorizeUrl }, { reason: 'ECONNREFUSED' }],
    ['a proxy without a backend', await served(answering(502)), { reason: `status 502: ${expected}` }],
    ['a busy backend', await served(answering(503)), { reason: `status 503: ${expected}` }],
    ['a proxy that has waited', await served(answering(504)), { reason: `status 504: ${expected}` }],
    ['a function that does not settle', { authorize: () => new Promise(() => {}) }, late],
    ['a function that throws', { authorize: () => { throw new Error('the database is away') } }, { err: { message: 'the database is away' } }],
    ['a function that returns nothing', { authorize: () => undefined },
      { reason: 'authorize returned another value: expected true, false, {"allowed":true} or a refusal' }],
    ['a function that rejects with nothing', { authorize: () => Promise.reject() }, {}] // eslint-disable-line prefer-promise-reject-errors
  ] as Array<[string, object, object]>) {
    await t.test(what, async t => {
      clock(t)
      const { app, log, said, metrics } = measured(t, { ...options, authorizeTimeout: line === late ? 100 : 10_000 })
      for (let count = 0; count < 8; count++) t.same((await app.inject(sendFor(count))).json(), unavailable)
      t.equal(said().length, 1)
      t.match(log().split('\n').filter(line => line.includes('"authorization is unavailable"')).map(line => JSON.parse(line)), [line])
      t.match(await metrics(), { unavailable: 8, shed: 0 })
    })
  }
})
