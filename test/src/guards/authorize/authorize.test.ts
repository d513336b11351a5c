import { once } from 'node:events'
import type { RequestListener, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import type { AppOptions, Authorize, AuthorizeInput } from '../../../../src/embed.js'
import { clock, testApp } from '../../../support/app.js'
import { answering, backend, backendServer, deafServer, tcpServer } from '../../../support/backend.js'

const request = { accountNumber: '102551', amount: '1.00', sid: 'sid-1', clientTimeStamp: 1, orderId: 'A-1' }
const send = (headers: Record<string, string> = {}, fields = {}) => ({
  method: 'POST', url: '/api/generate-signature', payload: { ...request, ...fields }, headers: { 'x-request-id': 'req-1', ...headers }
}) as const

const unavailable = 'Authorization is unavailable, try again'

/** An app that asks, with functions for what it logs and measures. */
function asking (t: Test, authorize: unknown, AUTHORIZE_TIMEOUT = 10_000, options: AppOptions = {}) {
  const config = { ADMIN_PORT: 1, TRUST_PROXY: '127.0.0.1', AUTHORIZE_TIMEOUT }
  const { app, log } = testApp(t, typeof authorize === 'string'
    ? { config: { ...config, AUTHORIZE_URL: authorize } }
    : { config, authorize: authorize as Authorize, ...options })
  /** Returns status, error and code of a response. */
  async function ask (...given: Parameters<typeof send>) {
    const { statusCode, headers, json } = await app.inject(send(...given))
    return [statusCode, json().error ?? 'signed', headers['error-code']]
  }
  const said = () => log().split('\n').filter(line => line.includes('"authorization is ')).map(line => JSON.parse(line))
    .map(({ level, msg, cause }) => [level, msg, cause].filter(value => value !== undefined))
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
    requestId: 'req-1'
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
const outage = (cause: string) => [50, 'authorization is unavailable', cause]
const undecided = (cause: string) => [[503, unavailable, 'authorization-unavailable'], [outage(cause)]]

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

/** Causes: those that were observed, and likely ones. */
const nothing = 'likely the route returned nothing'
const redirect = 'likely a redirect to a log-in page, to https or to another path'
const host = 'likely CSRF protection (Flask-WTF), or a check of the Host or the body in front of the route'
const check = 'likely the route\'s own check of the body (FastAPI), or CSRF protection'
const door = 'likely log-in, CSRF protection or a check of the Host in front of the route'
const path = 'likely the path of AUTHORIZE_URL is wrong'
const notPost = 'likely the route does not accept POST'
const trouble = 'likely an error or a limit of the backend or its proxy: read their logs'
const mixed = 'likely text before or behind the JSON, such as a warning of PHP, or not UTF-8'
const other = 'likely another page, or a body that is compressed or over 16 KiB'
const without = 'the JSON body has no member allowed; '
const wrongStatus = 'only 200 allows, and only 200 and 4xx refuse'
const inside = 'allowed is inside of another member: send it at the top of the object'
const is = (what: string) => `allowed is ${what}: only true and false decide`

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
    [200, 403], [400, 400], [401, 401], [402, 402], [403, 403], [404, 404], [405, 403], [407, 403], [408, 403],
    [409, 409], [410, 410], [421, 403], [422, 422], [423, 423], [425, 403], [429, 429], [431, 403], [451, 451],
    [200, 403, '{"allowed":false,"error":"paid","code":"stock.empty-2"}', 'paid', 'refused; reason=stock.empty-2'],
    [409, 409, '{"allowed":false,"error":{"message":"no"},"code":7}']
  ] as ReadonlyArray<readonly [given: number, status: number, body?: string, error?: string, code?: string]>) {
    t.strictSame(await to(answering(given, body, html)), [[status, error, code], []], `${given} ${body}`)
  }
})

type Undecided = readonly [status: number, type: string, cause: string, body?: string | Buffer, headers?: object]

t.test('all else is no decision, and the log has status, type and cause', async t => {
  const to = await answered(t)
  for (const [status, type, cause, body, headers] of [
    [204, '', nothing], [200, '', nothing, ''], [200, 'text/html', nothing, '', html],
    [201, '', 'only 200 allows (NestJS: @HttpCode(200)), and only 200 and 4xx refuse', yes],
    ...[202, 203, 206].flatMap(status => [yes, no].map(body => [status, '', wrongStatus, body] as const)), [205, '', other],
    [301, '', redirect, yes, { location: '/yes' }], [302, 'text/html', redirect, yes, { ...html, location: '/yes' }],
    [307, '', redirect, no, { location: '/no' }], [304, '', redirect],
    ...([[401, door], [403, door], [409, door], [419, door], [422, check]] as const).flatMap(([status, cause]) => [
      ['', cause], ['Forbidden', cause], [yes, wrongStatus], ['{"error":"Forbidden"}', without + cause], [page, cause]
    ].map(([body, all = '']) => [status, 'text/html', all, body, html] as const)),
    [422, 'application/json', without + check, '{"detail":[{"loc":["body","sid"],"msg":"Field required"}]}', asJson],
    [400, 'text/html', host, '<h1>Bad Request</h1><p>The CSRF token is missing.</p>', html], [400, '', wrongStatus, yes],
    ...['The plain HTTP request was sent to HTTPS port', 'speaking plain HTTP to an SSL-enabled server port', 'Client sent an HTTP request to an HTTPS server.']
      .map(body => [400, 'text/html', 'likely the port speaks https: write https into the URL', body, html] as const),
    [404, 'text/html', path, '<pre>Cannot POST /may-sign</pre>', html], [404, '', wrongStatus, yes], [405, '', notPost, 'x'],
    ...[402, 408, 413, 421, 425, 429, 431, 451].map(status => [status, '', trouble, 'x'] as const),
    ...[500, 502, 503, 599].flatMap(status => [yes, no, page].map(body => [status, '', trouble, body] as const)),
    ...[
      ['{"allowed":"true"}', is('"true", of the type string')], ['{"allowed":"false"}', is('"false", of the type string')],
      ['{"allowed":"canary"}', is('of the type string')], ['{"allowed":1}', is('1, of the type number')],
      ['{"allowed":0}', is('0, of the type number')], ['{"allowed":null}', is('null')],
      ['{"allowed":[true]}', is('of the type object')], ['{"allowed":{}}', is('of the type object')],
      ['{"Allowed":true}', 'the member is Allowed, not allowed'], ['{"ok":1,"ALLOWED":false}', 'the member is ALLOWED, not allowed'],
      ['{"data":{"allowed":true}}', inside], ['{"__proto__":{"allowed":true}}', inside],
      ...['{"allow ed":true}', '{"allowed\\u0000":true}', '{"ok":true}', '{"constructor":{"prototype":{"allowed":true}}}', '{}']
        .map(body => [body, `${without}likely another page`]),
      ['"{\\"allowed\\":true}"', 'the body is JSON in a JSON text: serialize it once'],
      ['[true]', 'the body is a list: send one object'], [`[${yes}]`, 'the body is a list: send one object'],
      ...[' ', 'null', 'true', 'false', '"true"', '"allowed"', 'OK', "{'allowed':true}", page].map(body => [body, other])
    ].map(([body, cause = '']) => [200, 'application/json', cause, body, asJson] as const),
    ...[
      '{"allowed":true', `${no}\n${yes}`, `<br />\n<b>Warning</b>:  Undefined array key "user" in /srv/may-sign/may-sign.php on line 20<br />\n${no}`
    ].flatMap(body => [200, 401, 403].map(status => [status, 'text/html', mixed, body, html] as const)),
    [200, '', mixed, Buffer.from('{"allowed":true,"error":"\xe9"}', 'latin1')],
    [409, '', mixed, Buffer.from('{"allowed":false,"error":"d\xe9j\xe0 pay\xe9"}', 'latin1')],
    [200, '', 'the body has zero bytes, likely UTF-16: send UTF-8', Buffer.from(yes, 'utf16le')],
    [200, '', other, gzipSync(yes), gzip], [200, '', other, yes, gzip], [409, '', door, gzipSync(no), gzip],
    [200, '', other, yes + ' '.repeat(16_385 - yes.length)],
    [404, 'text/html', path, no + ' '.repeat(16_385 - no.length), html],
    [403, '', 'likely AUTHORIZE_URL leads to this service: set it to the route of your backend', '{"error":"x"}', { 'error-code': 'policy' }],
    // The type in the log is short and plain.
    [404, '', path, '', { 'content-type': 'canary' }], [404, '', path, '', { 'content-type': `${'x'.repeat(33)}/html` }],
    [404, `text/${'x'.repeat(64)}`, path, '', { 'content-type': `text/${'x'.repeat(200)}` }],
    [404, 'text/html', path, '', { 'content-type': 'text/html; user=canary' }]
  ] as readonly Undecided[]) {
    const reason = `status ${status}, ${type || 'no content type'}, decides nothing: ${cause}`
    t.strictSame(await to(answering(status, body, headers)), undecided(reason), `${status} ${JSON.stringify(body?.toString().slice(0, 100))}`)
  }
})

t.test('a member allowed of all objects, which another package has added, is no decision', async t => {
  const to = await answered(t)
  t.intercept(Object.prototype, 'allowed' as never, { value: true as never })
  t.strictSame(await to(answering(200, '{}')), undecided(`status 200, no content type, decides nothing: ${without}likely another page`))
})

t.test('a response that fails on its way is no decision', async t => {
  const to = await answered(t)
  for (const [what, listener] of [
    ['a yes that is shorter than its length', cutOff(200, yes, { 'content-length': 99 })],
    ['a yes whose chunks have no end', cutOff(200, yes, {})],
    ['a reset', request => { request.socket.destroy() }]
  ] as ReadonlyArray<[what: string, listener: RequestListener]>) {
    t.strictSame(await to(listener), undecided('ECONNRESET'), what)
  }
})

t.test('questions on one connection leave no listeners on it', async t => {
  const warnings: Error[] = []
  const note = (warning: Error) => warnings.push(warning)
  process.on('warning', note)
  t.teardown(() => process.off('warning', note))
  const { ask } = asking(t, await backend(t, answering(200, yes)))
  for (let question = 0; question < 12; question++) t.match(await ask(), [200]) // Node.js warns of the eleventh
  t.strictSame(warnings, [])
})

/** An answer after which the backend keeps the connection. It closes the connection after all else that it writes. */
const whole = `HTTP/1.1 200 OK\r\nContent-Length: ${yes.length}\r\n\r\n${yes}`
for (const [what, parts, status, asked] of [
  ['a kept connection that ends without a byte', [whole, '', whole], [200, 200], 3],
  ['two kept connections in a row', [whole, '', ''], [200, 503], 3],
  ['a kept connection that ends within its answer', [whole, 'HTTP/1.1 200'], [200, 503], 2],
  ['a new connection that ends without a byte', ['', whole], [503, 200], 2]
] as ReadonlyArray<[string, string[], number[], number]>) {
  for (const how of ['destroy', 'resetAndDestroy'] as const) {
    t.test(`${what} (${how}): only a question without an answer is asked once more`, async t => {
      const next = [...parts]
      const port = await tcpServer(t, socket => socket.on('error', () => {}).on('data', () => {
        const part = next.shift() ?? ''
        socket.write(part, () => { if (part !== whole) socket[how]() })
      }))
      const { ask } = asking(t, `http://127.0.0.1:${port}`)
      for (const expected of status) t.match(await ask(), [expected])
      t.equal(parts.length - next.length, asked)
    })
  }
}

t.test('the body of an answer is in no line of the log', async t => {
  const body = '{"allowed":"canary","error":"canary","code":"canary"}'
  for (const status of [200, 403, 404, 500]) {
    const { app, log } = testApp(t, { config: { AUTHORIZE_URL: await backend(t, answering(status, body, asJson)) } })
    await app.inject(send({ cookie: 'session=canary' }))
    t.match(log(), `"cause":"status ${status}, application/json, decides nothing: `)
    t.notMatch(log(), 'canary')
  }
})

t.test('a cause is logged once a minute, and the metric counts each request', async t => {
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
    ['a backend that hangs in its body', hanging, `${late}; likely the backend is overloaded, or waits for the request that waits for this answer: one worker, or a locked session`, 30],
    ['a backend that accepts no connection', await deafServer(t), 'no connection within 30 ms; likely a firewall or an egress rule drops the packets', 30],
    ['a backend that speaks no HTTP', garbage, 'HPE_INVALID_CONSTANT'],
    ['a function that does not settle', () => new Promise(() => {}), late, 30],
    ['a function that throws at once', () => { throw new Error('the database is away') }, 'authorize failed'],
    ['a function that rejects', async () => { throw new Error('the database is away') }, 'authorize failed'],
    ['a function whose fetch fails', () => fetch(closed.url), 'ECONNREFUSED'],
    // eslint-disable-next-line no-throw-literal
    ['a function that rejects with null', async () => { throw null }, 'authorize failed'],
    // eslint-disable-next-line no-throw-literal
    ['a function whose error has a stack of another type', () => { throw { stack: 5, cause: { code: 7 } } }, 'authorize failed'],
    ['a function whose error cannot be read', () => { throw new Proxy({}, { get () { throw new Error('canary') } }) }, 'authorize failed'],
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
    [0, [404], 503, outage(`status 404, no content type, decides nothing: ${path}`)],
    [0, [200, yes], 200], // the page of one shopper is not the answer to another
    [0, [404], 503],
    [0, [200, no], 403],
    [0, [204], 503, outage(`status 204, no content type, decides nothing: ${nothing}`)],
    [0, [200, yes], 200],
    [0, [502], 503, outage(`status 502, no content type, decides nothing: ${trouble}`)],
    [0, [500], 503, outage(`status 500, no content type, decides nothing: ${trouble}`)],
    [0, [404], 503],
    [0, [409, no], 409, back],
    [0, [502], 503, outage(`status 502, no content type, decides nothing: ${trouble}`)], // within the same minute
    [0, [200, yes], 200, back],
    [60_000, [502], 503, outage(`status 502, no content type, decides nothing: ${trouble}`)],
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
