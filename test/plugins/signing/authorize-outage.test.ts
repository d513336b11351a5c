import { once } from 'node:events'
import type { RequestListener, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import { Registry } from 'prom-client'
import t, { type Test } from 'tap'
import type { Authorize } from '../../../src/backend/backend.js'
import type { GuardOptions } from '../../../src/configuration/guard-options.js'
import paymentSignature from '../../../src/fastify.js'
import { testApp, token } from '../../support/app.js'
import { answering, backend, backendServer } from '../../support/backend.js'
import { embedded } from '../../support/embedded.js'

const send = {
  method: 'POST',
  url: '/api/generate-signature',
  payload: { accountNumber: '102551', amount: '1.00', sid: 'sid-1', clientTimeStamp: 1 }
} as const

/** A request for another order. */
const sendFor = (orderId: string | number, remoteAddress = '127.0.0.1') => ({
  ...send, remoteAddress, payload: { ...send.payload, orderId: `${orderId}` }
})

/** Starts a request at once. `inject` would wait until its result is awaited. */
const started = async (app: FastifyInstance, request: InjectOptions = send) => app.inject(request)

const expected = 'expected 204, or 200 with {"allowed":true} or {"allowed":false} and no duplicate keys'
const unavailable = { error: 'Authorization is unavailable, try again' }

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

/** An app with the route, its metrics, and its log lines about authorize. */
function measured (t: Test, options: GuardOptions) {
  const registry = new Registry()
  const { app, log } = embedded(t, { metrics: registry, ...options })

  const metrics = async () => Object.fromEntries([...(await registry.metrics())
    .matchAll(/^payment_signature_authorize_(\w+?)(?:\{result="(\w+)"\})? (\d+)$/gm)]
    .map(([, name, result, value]) => [result ?? name, Number(value)]))

  return { app, log, said: () => saidIn(log()), metrics }
}

/** Level, message and reason of the lines about authorize. */
const saidIn = (log: string) => log.split('\n').filter(line => line.includes('"authorization is ')).map(line => {
  const { level, msg, reason } = JSON.parse(line)
  return [level, msg, ...reason === undefined ? [] : [reason]]
})

t.test('a hanging backend causes few connections, fast refusals and one log line', async t => {
  const goOn = clock(t)
  const timeOut = timeouts(t)
  let hangs = true
  const asked: unknown[] = []
  let connections = 0
  const { server, url: authorizeUrl } = await backendServer(t, ({ url }, response) => {
    if (!hangs) return response.writeHead(204).end()
    asked.push(url)
    server.emit('asked')
  })
  server.on('connection', () => { connections += 1 })
  const isAsked = async (times: number) => { while (asked.length < times) await once(server, 'asked') }
  const { app, log, metrics, said } = measured(t, { authorizeUrl, authorizeMaxInFlight: 20 })
  await app.ready()

  const finished: unknown[] = []
  const all = Array.from({ length: 500 }, async (_, index) => {
    const { statusCode, headers, body } = await app.inject(sendFor(index))
    finished.push([statusCode, body, headers['retry-after']])
  })
  await isAsked(20)
  await Promise.all(all.slice(20))
  const body = JSON.stringify(unavailable)
  t.strictSame(finished, Array(480).fill([503, body, '1']), 'those that were not asked about have not waited')
  t.match(await metrics(), { unavailable: 0, shed: 480, in_flight: 20, breaker_open: 0 })
  timeOut()
  await Promise.all(all)
  t.strictSame(finished.slice(480), Array(20).fill([503, body, undefined]))
  t.equal(asked.length, 20)
  t.equal(connections, 20)
  t.strictSame(await metrics(), {
    allowed: 0, refused: 0, unavailable: 20, shed: 480, in_flight: 0, breaker_open: 1, duration_seconds_count: 20
  })

  for (let count = 0; count < 50; count++) t.equal((await app.inject(send)).headers['retry-after'], '1')
  goOn(999)
  t.equal((await app.inject(send)).headers['retry-after'], '1')
  t.equal(asked.length, 20, 'nobody was asked')
  goOn(1)
  const probe = started(app)
  t.equal((await app.inject(send)).headers['retry-after'], '1')
  await isAsked(21)
  timeOut()
  t.equal((await probe).headers['retry-after'], undefined, 'one was, after a second')
  t.strictSame(said(), [[50, 'authorization is unavailable', '20 requests wait for an answer']])
  t.notMatch(log(), /"stack"|"err"/)

  hangs = false
  goOn(1000)
  t.equal((await app.inject(send)).statusCode, 200)
  t.equal((await app.inject(send)).statusCode, 200)
  t.strictSame(said(), [
    [50, 'authorization is unavailable', '20 requests wait for an answer'], [30, 'authorization is back']
  ])
  t.match(await metrics(), { allowed: 2, refused: 0, unavailable: 21, shed: 532, in_flight: 0, breaker_open: 0 })
})

// Attacks: order and address of each attacker and of each shopper. The backend does not answer orders named "slow…".
for (const [what, attack, shopper, refused] of [
  ['many slow orders of an IPv6 network', (index: number) => [`slow-${index}`, `2001:db8::${index}`], (index: number) => ['fast', `192.0.2.${index}`], 0],
  ['one slow order where all requests have one address', () => ['slow', '127.0.0.1'], () => ['fast', '127.0.0.1'], 0],
  ['a backend that hangs, asked through two proxies', (index: number) => [`slow-${index}`, `127.0.0.${index % 2}`], () => ['slow', '127.0.0.1'], 30],
  ['a backend that hangs where all requests have one address', (index: number) => [`slow-${index}`, '127.0.0.1'], () => ['slow', '127.0.0.1'], 30]
] as Array<[string, (index: number) => [string, string], (index: number) => [string, string], number]>) {
  t.test(`45 time-outs of ${what}: ${refused} of 30 shoppers get 503`, async t => {
    clock(t)
    const timeOut = timeouts(t)
    const asked: string[] = []
    const { server, url: authorizeUrl } = await backendServer(t, async (request, response) => {
      const question = await text(request)
      if (!question.includes('"slow')) return response.writeHead(204).end()
      asked.push(question)
      server.emit('asked')
    })
    const { app, metrics } = measured(t, { authorizeUrl })
    const attacks = Array.from({ length: 45 }, (_, index) => started(app, sendFor(...attack(index))))
    while (asked.length < 45) await once(server, 'asked')
    timeOut()
    for (const response of attacks) t.equal((await response).statusCode, 503)

    const statuses: number[] = []
    for (let index = 0; index < 30; index++) statuses.push((await app.inject(sendFor(...shopper(index)))).statusCode)
    t.equal(statuses.filter(status => status === 503).length, refused)
    t.match(await metrics(), { unavailable: 45, shed: refused, breaker_open: refused === 0 ? 0 : 1 })
  })
}

t.test('a backend that does not answer is unavailable, with one log line', async t => {
  const { server, url: closed } = await backendServer(t, () => {})
  server.close()
  for (const [what, answer, reason, unavailable] of [
    ['a backend that hangs', () => {}, 'no answer within 100 ms', 5],
    ['a backend that hangs in its body', (_request, response) => { response.write('{"allowed":') }, 'no answer within 100 ms', 5],
    ['a backend that hangs in a refusal', (_request, response) => { response.writeHead(403).write('{"error":') }, 'no answer within 100 ms', 5],
    ['a backend that resets the connection', request => { request.socket.destroy() }, 'UND_ERR_SOCKET', 5],
    // The first opens the circuit breaker, and the second is a probe.
    ['no backend', closed, 'ECONNREFUSED', 2],
    ['a proxy without a backend', answering(502), `status 502: ${expected}`, 2],
    ['a busy backend', answering(503), `status 503: ${expected}`, 2],
    ['a proxy that has waited', answering(504), `status 504: ${expected}`, 2]
  ] as Array<[string, RequestListener | string, string, number]>) {
    await t.test(what, async t => {
      clock(t)
      const authorizeTimeout = reason.startsWith('no answer') ? 100 : 60_000
      const authorizeUrl = typeof answer === 'string' ? answer : await backend(t, answer)
      const { app, said, metrics } = measured(t, { authorizeUrl, authorizeTimeout })
      t.same((await app.inject(sendFor('first'))).json(), { error: 'Authorization is unavailable, try again' })
      t.equal((await metrics()).breaker_open, unavailable === 2 ? 1 : 0)
      for (let count = 1; count < 8; count++) t.equal((await app.inject(sendFor(count))).statusCode, 503)
      t.strictSame(said(), [[50, 'authorization is unavailable', reason]])
      t.match(await metrics(), { unavailable, shed: 8 - unavailable, breaker_open: 1 })
    })
  }
})

t.test('an authorize function that does not settle, and one that throws', async t => {
  const { server } = await backendServer(t, () => {}) // it listens and does not answer, so that the time-out passes
  t.ok(server.listening)
  for (const [what, authorize, calls, details] of [
    ['never', () => new Promise(() => {}), 5, { reason: 'no answer within 50 ms' }],
    ['throws', () => { throw new Error('the database is away') }, 8, { err: { message: 'the database is away' } }],
    ['decides nothing', () => undefined, 8, { reason: 'authorize returned another value: expected true, {"allowed":true} or a refusal' }],
    ['rejects with nothing', () => Promise.reject(), 8, {}] // eslint-disable-line prefer-promise-reject-errors
  ] as Array<[string, Authorize, number, object]>) {
    await t.test(what, async t => {
      clock(t)
      let called = 0
      const { app, log, said } = measured(t, {
        authorizeTimeout: 50,
        authorize (input, signal) {
          called += 1
          return authorize(input, signal)
        }
      })
      for (let count = 0; count < 8; count++) t.same((await app.inject(sendFor(count))).json(), unavailable)
      t.equal(called, calls)
      t.equal(said().length, 1)
      t.match(log().split('\n').filter(line => line.includes('"authorization is ')).map(line => JSON.parse(line)), [details])
    })
  }
})

t.test('a slow backend is reported as back only after the outage', async t => {
  const waiting: ServerResponse[] = []
  const { server, url: authorizeUrl } = await backendServer(t, (_request, response) => {
    waiting.push(response)
    server.emit('waiting')
  })
  const { app, said, metrics } = measured(t, {
    authorizeUrl, authorizeMaxInFlight: 4, authorizeTimeout: 60_000
  })
  await app.ready()
  const reached = async (count: number) => { while (waiting.length < count) await once(server, 'waiting') }

  const first = [1, 2, 3, 4].map(() => started(app))
  await reached(4)
  t.equal((await app.inject(send)).headers['retry-after'], '1')
  t.match(await metrics(), { in_flight: 4, shed: 1 })
  waiting.shift()?.writeHead(204).end()
  t.equal((await Promise.race(first)).statusCode, 200)
  const more = started(app)
  await reached(4)
  t.equal((await app.inject(send)).statusCode, 503)
  t.strictSame(said(), [[50, 'authorization is unavailable', '4 requests wait for an answer']])
  while (waiting.length > 0) waiting.pop()?.writeHead(204).end()
  for (const response of [...first, more]) t.equal((await response).statusCode, 200)
  t.strictSame(said(), [
    [50, 'authorization is unavailable', '4 requests wait for an answer'], [30, 'authorization is back']
  ])
})

t.test('AUTHORIZE_MAX_IN_FLIGHT bounds the waiting requests; with a bound of 1, the backend can come back', async t => {
  let answer: RequestListener = (request, response) => answering(500)(request, response)
  const { server, url: AUTHORIZE_URL } = await backendServer(t, (request, response) => {
    answer(request, response)
    server.emit('asked')
  })
  const { app, log } = testApp(t, { config: { AUTHORIZE_URL, AUTHORIZE_MAX_IN_FLIGHT: 1, AUTHORIZE_TIMEOUT: 60_000 } })
  await app.inject(send)
  const waiting: ServerResponse[] = []
  answer = (_request, response) => { waiting.push(response) }
  const asked = once(server, 'asked')
  const first = started(app)
  await asked
  t.equal((await app.inject(send)).statusCode, 503)
  waiting[0]?.writeHead(204).end()
  t.equal((await first).statusCode, 200)
  t.strictSame(saidIn(log()), [[50, 'authorization is unavailable', `status 500: ${expected}`], [30, 'authorization is back']])
})

t.test('under a rate limit, one address cannot use all waiting places', async t => {
  const authorize: Authorize = ({ request }) => request.orderId === 'slow' ? new Promise(() => {}) : true
  const limits = { authorizeTimeout: 60_000, authorizeMaxInFlight: 20, rateLimitMax: 19 }
  const { app, metrics } = measured(t, { authorize, ...limits })
  await app.ready()
  const attacks = Array.from({ length: 45 }, async () => app.inject(sendFor('slow', '198.51.100.1')))
  t.equal((await Promise.race(attacks)).statusCode, 429)
  for (let index = 0; index < 30; index++) t.equal((await app.inject(sendFor('fast', `192.0.2.${index}`))).statusCode, 200)
  t.match(await metrics(), { in_flight: 19, shed: 0 })
})

t.test('two plugins with one registry share their metrics', async t => {
  const app = Fastify()
  t.teardown(() => app.close())
  const metrics = new Registry()
  const options = { variant: 'A', merchantToken: token, metrics } as const
  app.register(paymentSignature, { prefix: '/one', ...options, authorize: () => true })
  app.register(paymentSignature, { prefix: '/two', ...options, authorize: () => ({ statusCode: 402, error: 'pay first' }) })
  for (const prefix of ['/one', '/two', '/two']) await app.inject({ ...send, url: prefix + send.url })
  const text = await metrics.metrics()
  for (const line of [
    'payment_signature_authorize_decisions_total{result="allowed"} 1',
    'payment_signature_authorize_decisions_total{result="refused"} 2',
    'payment_signature_authorize_decisions_total{result="unavailable"} 0',
    'payment_signature_authorize_decisions_total{result="shed"} 0',
    'payment_signature_authorize_duration_seconds_bucket{le="10"} 3',
    'payment_signature_authorize_duration_seconds_count 3',
    'payment_signature_authorize_in_flight 0',
    'payment_signature_authorize_breaker_open 0'
  ]) t.match(text, `\n${line}\n`)
  const limits = [...text.matchAll(/authorize_duration_seconds_bucket{le="([^"]+)"/g)].map(([, limit]) => limit)
  t.equal(limits.join(' '), '0.001 0.0025 0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10 +Inf')
})
