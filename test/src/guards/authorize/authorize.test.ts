import { once } from 'node:events'
import type { RequestListener, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import type { AppOptions, Authorize, AuthorizeInput } from '../../../../src/app.js'
import { clock, testApp } from '../../../support/app.js'
import { answering, backend, backendServer, tcpServer } from '../../../support/backend.js'

const request = { accountNumber: '102551', amount: '1.00', sid: 'sid-1', clientTimeStamp: 1, orderId: 'A-1' }
const send = (headers: Record<string, string> = {}, fields = {}) => ({
  method: 'POST', url: '/api/generate-signature', payload: { ...request, ...fields }, headers: { 'x-request-id': 'req-1', ...headers }
}) as const

const unavailable = 'Authorization is unavailable, try again'

/** An app that asks, with functions for what it logs and measures. */
function asking (t: Test, authorize: unknown, AUTHORIZE_TIMEOUT = 10_000, options: AppOptions = {}) {
  const config = { ADMIN_PORT: '1', TRUST_PROXY: '127.0.0.1', AUTHORIZE_TIMEOUT }
  const { app, log } = testApp(t, typeof authorize === 'string'
    ? { config: { ...config, AUTHORIZE_URL: authorize } }
    : { config, authorize: authorize as Authorize, ...options })
  /** Returns status, error and code of a response. */
  async function ask (...given: Parameters<typeof send>) {
    const { statusCode, headers, json } = await app.inject(send(...given))
    return [statusCode, json().error ?? 'signed', headers['error-code']]
  }
  const said = () => log().split('\n').filter(line => line.includes('"authorization is ')).map(line => JSON.parse(line))
    .map(({ level, msg, reason }) => [level, msg, reason].filter(value => value !== undefined))
  const measured = async () => Object.fromEntries([...(await app.metrics!.registry.metrics())
    .matchAll(/^payment_signature_authorize_duration_seconds_count\{result="(\w+)"\} (\d+)$/gm)].map(([, result, count]) => [result, Number(count)]))
  return { app, ask, log, said, measured }
}

/** The fields that the backend judges. */
const judged = {
  operationType: 'purchase', merchantAccountNumber: '102551', amount: '1.00', orderId: 'A-1', sid: 'sid-1', clientTimeStamp: 1
}

t.test('a backend is asked about what is signed, and by whom, without the token', async t => {
  const asked: Array<{ method: unknown, url: unknown, headers: Record<string, unknown>, body: string }> = []
  const url = await backend(t, async (incoming, response) => {
    const { method, url, headers } = incoming
    asked.push({ method, url, headers, body: await text(incoming) })
    response.end(yes)
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
    authorization: 'Bearer session', cookie: 'session=1', traceparent, 'content-type': 'application/json', accept: 'application/json', 'accept-encoding': 'identity', 'x-request-id': 'req-1'
  })
  t.notMatch(JSON.stringify(asked), /canary-token|kept back/)
})

t.test('a function gets the same, and what else the signature serves for', async t => {
  let given: AuthorizeInput | undefined
  const authorize = (input: AuthorizeInput) => Boolean(given = input)
  const { ask } = asking(t, authorize)
  t.match(await ask({ cookie: 'session=1', 'x-forwarded-for': '[2001:db8::7]:50001' }, { merchantToken: 'canary-token' }), [200])
  t.strictSame(given, {
    request: judged,
    context: undefined,
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
    [{ allowed: true, auditAs: 'me' }, 200, 'signed', undefined],
    [{ allowed: false }, 403, 'Refused by the merchant', 'refused'],
    [{ allowed: false, statusCode: 402, error: 'pay first' }, 402, 'pay first', 'refused'],
    [{ allowed: false, statusCode: 499, error: '', code: 'ALREADY_PAID' }, 499, 'Refused by the merchant', 'refused; reason=ALREADY_PAID'],
    [{ allowed: false, statusCode: 400, error: 7, code: 'a;b' }, 400, 'Refused by the merchant', 'refused'],
    ...[200, 399, 400.5, 500, NaN, '403'].map(statusCode => ({ allowed: false, statusCode })).concat([
      { statusCode: 403 }, { allowed: 'true' }, Object.create({ allowed: true }), {}, [true], null, undefined, 'true', 1, () => true
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
const [yes, no] = ['{"allowed":true}', '{"allowed":false}']
const [html, gzip, asJson] = [{ 'content-type': 'text/html; charset=utf-8' }, { 'content-encoding': 'gzip' }, { 'content-type': 'application/json' }]
const page = '<!doctype html><h1>Log in</h1>'
const outage = (reason: string) => [50, 'authorization is unavailable', reason]
const undecided = (reason: string) => [[503, unavailable, 'authorization-unavailable'], [outage(reason)]]

/** An app with a backend that answers in a given way. Returns what the client gets, and the lines about it. */
async function answered (t: Test) {
  const pass = clock(t)
  let answer: RequestListener
  const { ask, said } = asking(t, await backend(t, (request, response) => answer(request, response)))
  let lines = 0
  return async (given: RequestListener) => {
    answer = given
    pass(60_000)
    const got = await ask()
    const own = said().slice(lines)
    lines += own.length
    return [got, own]
  }
}

/** Likely causes. */
const nothing = 'the route returned nothing'
const redirect = 'a redirect to a log-in page, to https or to another path'
const host = 'a check of the Host, or of the body, in front of the route'
const door = 'log-in, CSRF protection or a check of the Host in front of the route, or a body without allowed'
const path = 'the path of AUTHORIZE_URL is wrong'
const notPost = 'the route does not accept POST'
const trouble = 'an error or a limit of the backend or its proxy: read their logs'
const mixed = 'text before or behind the JSON, such as a warning of PHP, or not UTF-8'
const other = 'another page, or a body without allowed, compressed or over 16 KiB'

t.test('only 200 and one JSON object with "allowed": true sign, whatever their type', async t => {
  const to = await answered(t)
  for (const [body, headers] of [
    [yes], [yes, html], [yes, asJson], [yes, { 'content-encoding': 'identity' }], [yes, { 'content-type': 'x'.repeat(200) }],
    [' {"allowed":true,"error":"ignored","data":{"allowed":false}}\n'],
    [`\ufeff${yes}`], // .NET writes a byte order mark
    ['{"allowed":false,"allowed":true}'], // JSON.parse keeps the last
    [yes + ' '.repeat(16_384 - yes.length)]
  ] as const) {
    t.strictSame(await to(answering(200, body, headers)), [[200, 'signed', undefined], []], body.slice(0, 100))
  }
})

t.test('"allowed": false refuses, with a status on which no browser or proxy acts', async t => {
  const to = await answered(t)
  const usual = 'Refused by the merchant'
  for (const [given, status, body = no, error = usual, code = 'refused'] of [
    [200, 403], [400, 400], [401, 401], [402, 402], [403, 403], [404, 404], [405, 403], [406, 403], [408, 403],
    [409, 409], [410, 410], [411, 403], [412, 403], [413, 403], [414, 403], [415, 403], [416, 403], [417, 403],
    [418, 403], [419, 403], [421, 403], [422, 422], [423, 423], [424, 403], [425, 403], [426, 403], [428, 403],
    [429, 429], [431, 403], [451, 451], [499, 403],
    [200, 403, '{"allowed":true,"allowed":false}'],
    [200, 403, '{"allowed":false,"error":"paid","code":"stock.empty-2"}', 'paid', 'refused; reason=stock.empty-2'],
    [409, 409, '{"allowed":false,"error":"paid","code":"ALREADY_PAID"}', 'paid', 'refused; reason=ALREADY_PAID'],
    [409, 409, '{"allowed":false,"error":{"message":"no"},"code":7}']
  ] as ReadonlyArray<readonly [given: number, status: number, body?: string, error?: string, code?: string]>) {
    t.strictSame(await to(answering(given, body, html)), [[status, error, code], []], `${given} ${body}`)
  }
})

type Undecided = readonly [status: number, type: string, cause: string, body?: string | Buffer, headers?: object]

t.test('all else is no decision, and the log has status, type and likely cause', async t => {
  const to = await answered(t)
  for (const [status, type, cause, body, headers] of [
    [204, '', nothing], [200, '', nothing, ''], [200, 'text/html', nothing, '', html],
    [201, '', other, yes], [202, '', other, yes], [203, '', other, yes], [205, '', other], [206, '', other, yes],
    [301, '', redirect, yes, { location: '/yes' }], [302, 'text/html', redirect, yes, { ...html, location: '/yes' }],
    [307, '', redirect, no, { location: '/no' }], [304, '', redirect],
    ...[401, 403, 409, 419, 422].flatMap(status => ['', 'Forbidden', yes, '{"error":"Forbidden"}', page].map(body =>
      [status, 'text/html', door, body, html] as const)),
    [400, 'text/html', host, '<h1>Bad Request (400)</h1>', html], [400, '', host, yes],
    [404, 'text/html', path, '<pre>Cannot POST /may-sign</pre>', html], [404, '', path, yes], [405, '', notPost, yes],
    ...[402, 408, 413, 421, 425, 429, 431, 451].map(status => [status, '', trouble, yes] as const),
    ...[500, 502, 503, 599].flatMap(status => [yes, no, page].map(body => [status, '', trouble, body] as const)),
    ...[
      '{"allowed":"true"}', '{"allowed":"false"}', '{"allowed":1}', '{"allowed":0}', '{"allowed":null}', '{"allowed":[true]}',
      '{"allowed":{}}', '{"Allowed":true}', '{"allow ed":true}', '{"allowed\\u0000":true}', '{"ok":true}',
      '{"data":{"allowed":true}}', '{"__proto__":{"allowed":true}}', '{"constructor":{"prototype":{"allowed":true}}}', '{}', ' ',
      'null', 'true', 'false', '"true"', '"allowed"', 'OK', '[true]', '[{"allowed":true}]', "{'allowed':true}", page
    ].map(body => [200, 'application/json', other, body, asJson] as const),
    ...[
      '{"allowed":true', '{"allowed":true,}', `${yes}${yes}`, `${no}\n${yes}`, `<!-- -->${yes}`, `/**/${yes}`,
      `<br />\n<b>Warning</b>:  Undefined array key "user" in /srv/may-sign/may-sign.php on line 20<br />\n${no}`
    ].flatMap(body => [200, 401, 403].map(status => [status, 'text/html', mixed, body, html] as const)),
    [200, '', mixed, Buffer.from('{"allowed":true,"error":"\xe9"}', 'latin1')],
    [409, '', mixed, Buffer.from('{"allowed":false,"error":"d\xe9j\xe0 pay\xe9"}', 'latin1')],
    [200, '', other, Buffer.from(yes, 'utf16le')],
    [200, '', other, gzipSync(yes), gzip], [200, '', other, yes, gzip], [409, '', door, gzipSync(no), gzip],
    [200, '', other, yes + ' '.repeat(16_385 - yes.length)],
    [404, 'text/html', path, no + ' '.repeat(16_385 - no.length), html],
    // The type in the log is short and plain.
    [404, '', path, '', { 'content-type': 'canary' }], [404, '', path, '', { 'content-type': `${'x'.repeat(33)}/html` }],
    [404, `text/${'x'.repeat(64)}`, path, '', { 'content-type': `text/${'x'.repeat(200)}` }],
    [404, 'text/html', path, '', { 'content-type': 'text/html; user=canary' }]
  ] as readonly Undecided[]) {
    const reason = `status ${status}, ${type || 'no content type'}, decides nothing; likely ${cause}`
    t.strictSame(await to(answering(status, body, headers)), undecided(reason), `${status} ${JSON.stringify(body?.toString().slice(0, 100))}`)
  }
})

t.test('a member allowed of all objects, which another package has added, is no decision', async t => {
  const to = await answered(t)
  t.intercept(Object.prototype, 'allowed' as never, { value: true as never })
  t.strictSame(await to(answering(200, '{}')), undecided(`status 200, no content type, decides nothing; likely ${other}`))
})

t.test('a response that fails on its way is no decision', async t => {
  const to = await answered(t)
  for (const [what, listener, reason] of [
    ['a yes that is shorter than its length', cutOff(200, yes, { 'content-length': 99 }), 'UND_ERR_SOCKET'],
    ['a yes whose chunks have no end', cutOff(200, yes, {}), 'UND_ERR_SOCKET'],
    ['a no that is shorter than its length', cutOff(401, no, { 'content-length': 99 }), 'UND_ERR_SOCKET'],
    ['407, for which fetch has no response', answering(407, no), 'fetch failed'],
    ['a reset', request => { request.socket.destroy() }, 'UND_ERR_SOCKET']
  ] as ReadonlyArray<[what: string, listener: RequestListener, reason: string]>) {
    t.strictSame(await to(listener), undecided(reason), what)
  }
  // fetch takes the end of such a connection as that of the body.
  t.match(await to(cutOff(200, yes, { connection: 'close' })), [[200]])
})

t.test('the body of an answer is in no line of the log', async t => {
  const body = '{"allowed":"canary","error":"canary","code":"canary"}'
  for (const status of [200, 403, 404, 500]) {
    const { app, log } = testApp(t, { config: { AUTHORIZE_URL: await backend(t, answering(status, body, asJson)) } })
    await app.inject(send({ cookie: 'session=canary' }))
    t.match(log(), `"reason":"status ${status}, application/json, decides nothing; likely `)
    t.notMatch(log(), 'canary')
  }
})

t.test('a reason is logged once a minute, and the metric counts each request', async t => {
  const alive = setInterval(() => {}, 1000) // the time-out of a decision keeps no process alive
  t.teardown(() => clearInterval(alive))
  const pass = clock(t)
  const late = 'no answer within 30 ms'
  const closed = await backendServer(t, () => {})
  closed.server.close()
  const garbage = `http://127.0.0.1:${await tcpServer(t, socket => socket.end('yes\r\n\r\n'))}`
  const hanging = await backend(t, (_request, response) => { response.write('{"allowed":') })
  for (const [what, authorize, reason, authorizeTimeout = 10_000] of [
    ['no backend', closed.url, 'ECONNREFUSED'],
    ['a port that fetch refuses', 'http://127.0.0.1:6000/may-sign', 'fetch refuses the port of AUTHORIZE_URL: use another'],
    ['a backend that hangs in its body', hanging, late, 30],
    ['a backend that speaks no HTTP', garbage, 'HPE_INVALID_CONSTANT'],
    ['a function that does not settle', () => new Promise(() => {}), late, 30],
    ['a function that throws at once', () => { throw new Error('the database is away') }, 'authorize failed'],
    ['a function that rejects', async () => { throw new Error('the database is away') }, 'authorize failed'],
    ['a function whose fetch fails', () => fetch(closed.url), 'ECONNREFUSED'],
    // eslint-disable-next-line no-throw-literal
    ['a function that rejects with null', async () => { throw null }, 'authorize failed'],
    ['a function that returns nothing', () => {}, 'authorize returned another value: expected true, false or { allowed }']
  ] as const) {
    const { ask, said, measured } = asking(t, authorize, authorizeTimeout)
    for (const [milliseconds, lines] of [[0, 1], [0, 1], [59_999, 1], [1, 2], [59_999, 2]] as const) {
      pass(milliseconds)
      t.match(await ask(), [503, unavailable], what)
      t.strictSame(said(), Array(lines).fill(outage(reason)), what)
    }
    t.strictSame(await measured(), { unavailable: 5 })
  }
})

t.test('an outage ends with a decision; a page in front of the route is no outage', async t => {
  const pass = clock(t)
  const back = [30, 'authorization is back']
  const next: Array<readonly [status: number, body?: string]> = []
  const { ask, said, measured } = asking(t, await backend(t, (_request, response) => {
    const [status, body] = next.shift()!
    response.writeHead(status).end(body)
  }))
  let lines = 0
  for (const [milliseconds, answer, status, ...expected] of [
    [0, [404], 503, outage(`status 404, no content type, decides nothing; likely ${path}`)],
    [0, [200, yes], 200], // the page of one shopper is not the answer to another
    [0, [404], 503],
    [0, [200, no], 403],
    [0, [204], 503, outage(`status 204, no content type, decides nothing; likely ${nothing}`)],
    [0, [200, yes], 200],
    [0, [502], 503, outage(`status 502, no content type, decides nothing; likely ${trouble}`)],
    [0, [500], 503, outage(`status 500, no content type, decides nothing; likely ${trouble}`)],
    [0, [404], 503],
    [0, [409, no], 409, back],
    [0, [502], 503], // within the same minute
    [0, [200, yes], 200],
    [60_000, [502], 503, outage(`status 502, no content type, decides nothing; likely ${trouble}`)],
    [0, [200, yes], 200, back],
    [0, [200, yes], 200]
  ] as ReadonlyArray<readonly [number, readonly [number, string?], number, ...unknown[]]>) {
    pass(milliseconds)
    next.push(answer)
    t.match(await ask(), [status], String(answer))
    t.strictSame(said().slice(lines), expected, String(answer))
    lines += expected.length
  }
  t.strictSame(await measured(), { unavailable: 8, refused: 2, allowed: 5 })
})

t.test('the log has no header of a client or a vault, though errors quote them', async t => {
  const vault = Object.assign(new Error('Request failed'), { config: { headers: { 'X-Vault-Token': 'canary' } } })
  const { ask, log } = asking(t, () => { throw vault })
  t.match(await ask(), [503])
  t.match(log(), /"err":\{"type":"Error","stack":"Error: Request failed/)
  t.notMatch(log(), 'canary')

  const quoting = asking(t, await backend(t, answering(200, yes)))
  t.match(await quoting.ask({ cookie: 'session=canary\u0000' }), [503]) // fetch quotes a header that it refuses
  t.notMatch(quoting.log(), 'canary')
  t.match(quoting.said(), [[50, 'authorization is unavailable']])
})

t.test('256 requests may wait, 64 of one address without a key; the others get 503 at once', async t => {
  const waiting: ServerResponse[] = []
  const { server, url } = await backendServer(t, (_request, response) => {
    waiting.push(response)
    server.emit('asked')
  })
  const isAsked = async (times: number) => { while (waiting.length < times) await once(server, 'asked') }
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
  t.strictSame([finished.length, waiting.length], [344, 256])
  server.on('request', (_request, response) => response.end(yes))
  for (const response of waiting) response.end(yes)
  await Promise.all([...ofOne, ...ofMany])
  t.match(await ask(), [200])
  t.match(await ask({ 'x-forwarded-for': '2001:db8::1' }), [200], 'nobody waits any more')
})

t.test('the signal of a decision that came in time is not aborted later', async t => {
  const signals: AbortSignal[] = []
  const { app } = testApp(t, {
    config: { AUTHORIZE_TIMEOUT: 20 },
    authorize (_input, signal) {
      signals.push(signal)
      return true
    }
  })
  t.equal((await app.inject(send())).statusCode, 200)
  await setTimeout(40) // after the time-out
  t.equal(signals[0]?.aborted, false)
})
