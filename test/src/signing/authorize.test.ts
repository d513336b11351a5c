import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { Registry } from 'prom-client'
import t, { type Test } from 'tap'
import type { Authorize, AuthorizeInput } from '../../../src/signing/authorize.js'
import type { PaymentSignatureOptions } from '../../../src/fastify.js'
import { answering, backend, backendServer, tcpServer } from '../../support/backend.js'
import { testApp } from '../../support/app.js'
import { embedded } from '../../support/embedded.js'

const request = { accountNumber: '102551', amount: '1.00', sid: 'sid-1', clientTimeStamp: 1, orderId: 'A-1' }
const send = (headers: Record<string, string> = {}, fields = {}) =>
  ({ method: 'POST', url: '/api/generate-signature', payload: { ...request, ...fields }, headers }) as const

const unavailable = 'Authorization is unavailable, try again'

/** An app that asks, with functions for what it logs and measures. */
function asking (t: Test, authorize: unknown, options: Partial<PaymentSignatureOptions> = {}) {
  const metrics = new Registry()
  const { app, log } = embedded(t, { metrics, authorizeTimeout: 10_000, authorize: authorize as Authorize, ...options },
    undefined, { trustProxy: '127.0.0.1' })
  /** Returns status, error and code of a response. */
  async function ask (...given: Parameters<typeof send>) {
    const { statusCode, headers, json } = await app.inject(send(...given))
    return [statusCode, json().error ?? 'signed', headers['error-code']]
  }
  const said = () => log().split('\n').filter(line => line.includes('"authorization is ')).map(line => JSON.parse(line))
    .map(({ level, msg, reason }) => [level, msg, reason].filter(value => value !== undefined))
  const measured = async () => Object.fromEntries([...(await metrics.metrics())
    .matchAll(/^payment_signature_authorize_duration_seconds_count\{result="(\w+)"\} (\d+)$/gm)].map(([, result, count]) => [result, Number(count)]))
  return { app, ask, log, said, measured }
}

/** The fields that the backend judges. */
const judged = {
  operationType: 'purchase', merchantAccountNumber: '102551', amount: '1.00', orderId: 'A-1', sid: 'sid-1', clientTimeStamp: 1
}

t.test('the line of a request without a decision has the reason, and nothing of an error of authorize', async t => {
  for (const [authorize, reason] of [
    [() => 7 as never, 'authorize returned another value: expected true, false or a refusal'],
    [() => { throw new Error('canary') }, 'authorize failed']
  ] as const) {
    const { app, log } = testApp(t, { authorize })
    await app.inject(send())
    t.match(log(), `"code":"authorization-unavailable","error":"${unavailable}","reason":"${reason}","msg":"request completed"`)
    t.notMatch(log().split('\n').find(line => line.includes('request completed'))!, 'canary')
  }
})

t.test('a backend is asked about what is signed, and by whom, without the token', async t => {
  const asked: Array<{ method: unknown, url: unknown, headers: Record<string, unknown>, body: string }> = []
  const url = await backend(t, async (incoming, response) => {
    const { method, url, headers } = incoming
    asked.push({ method, url, headers, body: await text(incoming) })
    response.writeHead(204).end()
  })
  const { app } = asking(t, url)
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  const response = await app.inject(send({
    authorization: 'Bearer session', cookie: 'session=1', traceparent, 'x-other': 'kept back', 'x-forwarded-for': '203.0.113.7:50001'
  }, { merchantToken: 'canary-token' }))
  t.equal(response.statusCode, 200)
  const [{ method, headers, body, ...rest }] = asked as [typeof asked[0]]
  t.strictSame([method, rest.url, body],
    ['POST', '/may-sign?shop=1', JSON.stringify({ ...judged, caller: 'anonymous', clientAddress: '203.0.113.7' })])
  t.match(headers, {
    authorization: 'Bearer session', cookie: 'session=1', traceparent, 'content-type': 'application/json', 'accept-encoding': 'identity', 'x-request-id': 'req-1'
  })
  t.notMatch(JSON.stringify(asked), /canary-token|kept back/)
})

t.test('a function gets the same, the context, and what else the signature serves for', async t => {
  let given: AuthorizeInput | undefined
  const { ask } = asking(t, (input: AuthorizeInput) => Boolean(given = input), { context: () => ({ user: 7 }) })
  t.match(await ask({ cookie: 'session=1', 'x-forwarded-for': '[2001:db8::7]:50001' }, { merchantToken: 'canary-token' }), [200])
  t.strictSame(given, {
    request: judged,
    context: { user: 7 },
    alsoSignedLike: undefined,
    caller: 'anonymous',
    clientAddress: '2001:db8::7',
    headers: { authorization: undefined, cookie: 'session=1', traceparent: undefined },
    id: 'req-1'
  })
  await ask({}, { operationType: 'inquiry', transactionId: '987654', idType: 'fcrn' })
  t.match(given, { request: { operationType: 'inquiry', transactionId: '987654', idType: 'FCRN' }, alsoSignedLike: 'void' })
})

t.test('only a yes is a yes: what a function returns', async t => {
  for (const [returned, status, error, code] of [
    [true, 200, 'signed', undefined],
    [Promise.resolve(true), 200, 'signed', undefined],
    [false, 403, 'Refused by the merchant', 'refused'],
    [{ statusCode: 402, error: 'pay first' }, 402, 'pay first', 'refused'],
    [{ statusCode: 499, error: '', code: 'ALREADY_PAID' }, 499, 'Refused by the merchant', 'refused; reason=ALREADY_PAID'],
    [{ statusCode: 400, error: 7, code: 'a;b' }, 400, 'Refused by the merchant', 'refused'],
    ...[200, 399, 400.5, 500, NaN, '403'].map(statusCode => ({ statusCode })).concat([
      { allowed: true }, {}, [true], null, undefined, 'true', 1, () => true
    ] as never[]).map(value => [value, 503, unavailable, 'authorization-unavailable'] as const)
  ] as const) {
    const { ask } = asking(t, () => returned)
    t.strictSame(await ask(), [status, error, code], JSON.stringify(returned))
  }
})

/** A body that is shorter than its Content-Length, or whose chunks have no end. */
const cutOff = (status: number, body: string, headers: object): RequestListener => async (request, response) => {
  await text(request) // unread data would cause a reset, which may overtake the head
  response.writeHead(status, { ...headers })
  response.write(body, () => response.destroy())
}
const [yes, no, html, gzip] = ['{"allowed":true}', '{"allowed":false}', { 'content-type': 'text/html' }, { 'content-encoding': 'gzip' }]
const type = 'no content type, decides nothing; likely'
const route = `${type} log-in, CSRF protection or a check of the Host in front of the route`
const [page, empty] = ['<!doctype html><h1>Log in</h1>', { 'content-type': 'text/html; charset=utf-8' }]
const large = 'with a body that is compressed or over 16384 bytes'
const signed = [200, 'signed'] as const
const refused = (status: number, error = 'Refused by the merchant', code = 'refused') => [status, error, code] as const

t.test('which responses of a backend allow, which refuse, and which decide nothing', async t => {
  for (const [what, listener, expected] of [
    ['204', answering(204), signed],
    ['200 with yes', answering(200, yes), signed],
    ['yes among others', answering(200, ' {"allowed":true,"error":"ignored","data":{"allowed":false}}\n', html), signed],
    ['yes of 16 KiB', answering(200, yes + ' '.repeat(16_384 - yes.length)), signed],
    ['no', answering(200, no), refused(403)],
    ['no with error and code', answering(200, '{"allowed":false,"error":"paid","code":"stock.empty-2"}'), refused(403, 'paid', 'refused; reason=stock.empty-2')],
    ...[400, 401, 403, 404, 405, 409, 422, 499].map(status => [`${status}, with a no`, answering(status, no), refused(status)] as const),
    ...[401, 403, 409].flatMap(status => ['', 'Forbidden', yes, '{"error":"Forbidden"}', page].map(body =>
      [`${status} with ${body}`, answering(status, body, empty), `status ${status}, ${route.replace('no content type', 'text/html')}`] as const)),
    ['an error that is no text', answering(409, '{"allowed":false,"error":{"message":"no"},"code":7}'), refused(409)],
    ['a compressed refusal', answering(409, gzipSync('{"error":"paid"}'), gzip), `status 409, ${large}`],
    ['a large refusal', answering(403, `{"error":"${'x'.repeat(16_384)}"}`), `status 403, ${large}`],
    ['a cut refusal', cutOff(401, '{"error":"no', { 'content-length': 99 }), 'UND_ERR_SOCKET'],
    ['a page with 404', answering(404, page, html), 'status 404, text/html, decides nothing; likely the path of AUTHORIZE_URL is wrong'],
    ['a strange content type', answering(404, '', { 'content-type': 'secret' }), `status 404, ${type} the path of AUTHORIZE_URL is wrong`],
    ...([
      [201, 'another page, or a body without the member allowed'],
      [301, 'a redirect to a log-in page, to https or to another path'],
      [307, 'a redirect to a log-in page, to https or to another path'],
      [400, 'the backend does not know the Host of AUTHORIZE_URL'],
      [402, 'an error or a limit of the backend or its proxy: read their logs'],
      [405, 'the route does not accept POST'],
      [419, 'log-in, CSRF protection or a check of the Host in front of the route'],
      [429, 'an error or a limit of the backend or its proxy: read their logs'],
      [502, 'an error or a limit of the backend or its proxy: read their logs']
    ] as const).map(([status, cause]) =>
      [`${status}, with a yes`, answering(status, yes, { location: '/yes' }), `status ${status}, ${type} ${cause}`] as const),
    ['500, with a no', answering(500, no), `status 500, ${type} an error or a limit of the backend or its proxy: read their logs`],
    ...[
      '{"allowed":"true"}', '{"allowed":1}', '{"allowed":null}', '{"allowed":[true]}', '{"Allowed":true}', '{"allow ed":true}',
      '{"ok":true}', '{"data":{"allowed":true}}', '{"__proto__":{"allowed":true}}', '{}', '', 'null', 'true', '"true"', 'OK',
      '[true]', '[{"allowed":true}]', '{"allowed":true', '{"allowed":true,}', `${yes}${yes}`
    ].map(body => [`200 with ${body}`, answering(200, body), `status 200, ${type} another page, or a body without the member allowed`] as const),
    ['a compressed yes', answering(200, gzipSync(yes), gzip), `status 200, ${large}`],
    ['a yes above 16 KiB', answering(200, yes + ' '.repeat(16_385 - yes.length)), `status 200, ${large}`],
    ['a yes that is shorter than its length', cutOff(200, yes, { 'content-length': 99 }), 'UND_ERR_SOCKET'],
    ['a yes whose chunks have no end', cutOff(200, yes, {}), 'UND_ERR_SOCKET'],
    // fetch takes the end of such a connection as that of the body.
    ['a yes whose chunks have no end, before the end of the connection', cutOff(200, yes, { connection: 'close' }), signed],
    ['407, for which fetch has no response', answering(407, yes), 'fetch failed'],
    ['a reset', request => { request.socket.destroy() }, 'UND_ERR_SOCKET']
  ] as Array<[what: string, listener: RequestListener, expected: string | readonly [number, string, string?]]>) {
    const { ask, said } = asking(t, await backend(t, listener))
    const [status, error, code] = typeof expected === 'string' ? [503, unavailable, 'authorization-unavailable'] : expected
    t.strictSame(await ask(), [status, error, code], what)
    t.strictSame(said(), typeof expected === 'string' ? [[50, 'authorization is unavailable', expected]] : [], what)
  }
})

t.test('an outage is logged once, and ends with a decision', async t => {
  const alive = setInterval(() => {}, 1000) // AbortSignal.timeout alone keeps no process alive
  t.teardown(() => clearInterval(alive))
  const late = 'no answer within 100 ms'
  const closed = await backendServer(t, () => {})
  closed.server.close()
  const garbage = `http://127.0.0.1:${await tcpServer(t, socket => socket.end('yes\r\n\r\n'))}`
  const hanging = await backend(t, (_request, response) => { response.write('{"allowed":') })
  for (const [what, authorize, reason, authorizeTimeout = 10_000] of [
    ['no backend', closed.url, 'ECONNREFUSED'],
    ['a backend that hangs in its body', hanging, late, 100],
    ['a backend that speaks no HTTP', garbage, 'HPE_INVALID_CONSTANT'],
    ['a function that does not settle', () => new Promise(() => {}), late, 100],
    ['a function that throws at once', () => { throw new Error('the database is away') }, 'authorize failed'],
    ['a function that rejects', async () => { throw new Error('the database is away') }, 'authorize failed'],
    // eslint-disable-next-line no-throw-literal
    ['a function that rejects with null', async () => { throw null }, 'authorize failed'],
    ['a function that returns nothing', () => {}, 'authorize returned another value: expected true, false or a refusal']
  ] as const) {
    const { ask, said, measured } = asking(t, authorize, { authorizeTimeout })
    for (let sent = 0; sent < 3; sent++) t.match(await ask(), [503, unavailable], what)
    t.strictSame(said(), [[50, 'authorization is unavailable', reason]], what)
    t.strictSame(await measured(), { unavailable: 3 })
  }
  const statuses = [500, 502, 502, 200, 204]
  const { ask, said, measured } = asking(t, await backend(t, (_request, response) => {
    const status = statuses.shift()!
    response.writeHead(status).end(status === 200 ? no : '')
  }))
  const given = []
  for (let sent = 0; sent < 5; sent++) given.push([(await ask())[0], said().length])
  t.strictSame(given, [[503, 1], [503, 2], [503, 2], [403, 3], [200, 3]], 'another reason is logged, too')
  t.strictSame([said()[2], await measured()], [[30, 'authorization is back'], { unavailable: 3, refused: 1, allowed: 1 }])
})

t.test('the log has no header of a client or a vault, though errors quote them', async t => {
  const vault = Object.assign(new Error('Request failed'), { config: { headers: { 'X-Vault-Token': 'canary' } } })
  const { ask, log } = asking(t, () => { throw vault })
  t.match(await ask(), [503])
  t.match(log(), /"err":\{"type":"Error","stack":"Error: Request failed/)
  t.notMatch(log(), 'canary')

  const quoting = asking(t, await backend(t, answering(204)))
  t.match(await quoting.ask({ cookie: 'session=canary\u0000' }), [503]) // fetch quotes a header that it refuses
  t.notMatch(quoting.log(), 'canary')
  t.match(quoting.said(), [[50, 'authorization is unavailable']])
})

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

t.test('256 requests may wait, 64 of one address without a key; the others get 503 at once', async t => {
  const timeOut = timeouts(t)
  let hangs = true
  const asked: unknown[] = []
  const { server, url } = await backendServer(t, ({ url }, response) => {
    if (!hangs) return response.writeHead(204).end()
    asked.push(url)
    server.emit('asked')
  })
  const isAsked = async (times: number) => { while (asked.length < times) await once(server, 'asked') }
  const { app, ask, said } = asking(t, url)
  await app.ready()

  const finished: unknown[] = []
  const send300 = (addressOf: (index: number) => string) => Array.from({ length: 300 }, async (_, index) => {
    const { statusCode, headers } = await app.inject(send({ 'x-forwarded-for': addressOf(index) }))
    finished.push([statusCode, headers['retry-after']])
  })
  const ofOne = send300(index => `2001:db8::${index}`) // one network
  await isAsked(64)
  await Promise.all(ofOne.slice(64))
  t.strictSame(finished, Array(236).fill([503, '1']), 'those that were not asked about have not waited')
  t.match(said(), [[50, 'authorization is unavailable', '64 requests of one address wait; if it is your proxy, set TRUST_PROXY']])
  const ofMany = send300(index => `192.0.2.${index % 250}`)
  await isAsked(256)
  await Promise.all(ofMany.slice(192))
  t.equal(said().at(-1)?.at(-1), '256 requests wait for an answer')
  t.strictSame([finished.length, asked.length], [344, 256])
  timeOut()
  await Promise.all([...ofOne, ...ofMany])
  hangs = false
  t.match(await ask(), [200])
  t.match(await ask({ 'x-forwarded-for': '2001:db8::1' }), [200], 'nobody waits any more')
})

t.test('functions that fail at once take no place of those who wait', async t => {
  const { ask, said } = asking(t, () => { throw new Error('away') })
  for (let sent = 0; sent < 65; sent++) t.match(await ask(), [503])
  t.equal(said().length, 1)
})
