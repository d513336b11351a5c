import { connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { listen } from '../../../src/process/listen.js'
import { testApp } from '../../support/app.js'
import { request } from '../../support/example.js'
import { exchange, isProtected, portOf, raw, type RawAnswer } from '../../support/http.js'

const post = (head: string, body = '') => `POST /api/generate-signature HTTP/1.1\r\nHost: x\r\n${head}\r\n${body}`

const codes: Record<number, string> = {
  400: 'http-invalid',
  404: 'not-found',
  405: 'method-not-allowed',
  408: 'time-out',
  413: 'body-too-large',
  417: 'expect',
  431: 'headers-too-large'
}

function isError (t: Test, answer: RawAnswer, statusCode: number, error: string): void {
  t.equal(answer.statusCode, statusCode)
  t.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
  t.equal(answer.headers['error-code'], codes[statusCode])
  t.equal(answer.headers['access-control-allow-origin'], '*')
  t.equal(answer.headers['access-control-expose-headers'], 'Retry-After, X-Request-Id, Error-Code')
  t.equal(answer.headers['content-length'], String(answer.body.length))
  t.strictSame(JSON.parse(answer.body), { error })
  isProtected(t, answer.headers)
}

type Case = [what: string, request: string, statusCode: number, error: string]

/** After these requests, the start of the next request is unknown. */
const malformed: Case[] = [
  ['no HTTP at all', 'garbage\r\n\r\n', 400, 'Malformed HTTP request'],
  ['a bad chunk', post('Transfer-Encoding: chunked\r\nContent-Type: application/json\r\n', 'zz\r\n'), 400,
    'Malformed HTTP request'],
  ['TLS', '\x16\x03\x01\x02\x00\x01', 400, 'Malformed HTTP request'],
  ['headers of more than 16 KiB', `GET / HTTP/1.1\r\nHost: x\r\nCookie: ${'c'.repeat(16_384)}\r\n\r\n`, 431,
    'Request Header Fields Too Large'],
  ['chunk extensions of 20 kB', post('Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n', `1;${'e'.repeat(20_000)}\r\n{\r\n`), 413,
    'Chunk extensions are too large'],
  ['a CONNECT', 'CONNECT shop.example:443 HTTP/1.1\r\nHost: shop.example:443\r\n\r\n', 405, 'Method Not Allowed: CONNECT']
]

const cases: Case[] = [
  ...malformed,
  ['129 headers', `GET / HTTP/1.1\r\nHost: x\r\n${'A: b\r\n'.repeat(127)}X-Forwarded-For: 192.0.2.1\r\n\r\n`, 431,
    'Request Header Fields Too Large'],
  ['a missing Host', 'GET /health HTTP/1.1\r\n\r\n', 400, 'Host header is required'],
  ['two Hosts', 'GET /health HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n', 400, 'Malformed HTTP request'],
  ['a Host with a space', 'GET /health HTTP/1.1\r\nHost: x y\r\n\r\n', 400, 'Malformed HTTP request'],
  ['a Host with a path', 'GET /health HTTP/1.1\r\nHost: x/y\r\n\r\n', 400, 'Malformed HTTP request'],
  ['a Host with a user', 'GET /health HTTP/1.1\r\nHost: x@y\r\n\r\n', 400, 'Malformed HTTP request'],
  ['a port that is no number', 'GET /health HTTP/1.1\r\nHost: x:8a\r\n\r\n', 400, 'Malformed HTTP request'],
  ['HTTP/2.0 in the request line', 'GET /health HTTP/2.0\r\nHost: x\r\n\r\n', 400, 'Malformed HTTP request'],
  ['a request line without a version', 'GET /health\r\nHost: x\r\n\r\n', 400, 'Malformed HTTP request'],
  ['a coding before chunked', post('Transfer-Encoding: gzip, chunked\r\n', '0\r\n\r\n'), 400, 'Malformed HTTP request'],
  ['an unknown expectation', 'GET /health HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n', 417,
    'Expectation Failed: only 100-continue is understood'],
  ['a malformed URL', 'GET /%c0 HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'Malformed URL'],
  ['a wrong method, absolute', 'DELETE http://x/health HTTP/1.1\r\nHost: x\r\n\r\n', 405,
    'Method Not Allowed: DELETE http://x/health'],
  ['an upgrade', 'GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n', 404,
    'Not Found: GET /nowhere']
]

const health = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n'

const { app: common } = testApp(t)
const commonUrl = await listen(common, '127.0.0.1', 0)

for (const [what, request, statusCode, error] of cases) {
  t.test(`${what} is answered with ${statusCode}`, async t => {
    const port = Number(new URL(commonUrl).port)
    for (const host of ['127.0.0.1', '127.0.0.1']) {
      isError(t, await raw(port, request, host), statusCode, error)
      t.equal((await raw(port, health, host)).statusCode, 200, 'and the service goes on')
    }
    if (!malformed.some(([fault]) => fault === what)) return
    const answers = (await exchange(port, `${request}${health}`)).split(/^HTTP/m)
    t.equal(answers.length, 2, 'one answer, after which the connection ends')
    t.match(answers[1], '\r\nconnection: close\r\n')
  })
}

t.test('a body that is far too large is answered while it is being sent', async t => {
  const { app } = testApp(t)
  const port = await portOf(app)
  for (let sent = 0; sent < 3; sent++) {
    const response = await request(port, 'x'.repeat(5_000_000))
    t.equal(response.status, 413)
    t.same(await response.json(), { error: 'Request body is too large' })
  }
})

t.test('a chunked body in HTTP/1.0 is refused, and the next request is not served', async t => {
  const { app } = testApp(t)
  const served: string[] = []
  app.addHook('preHandler', async ({ method, url }) => { served.push(`${method} ${url}`) })
  const chunked = 'POST /nowhere HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'
  const received = await exchange(await portOf(app), `${chunked}GET /health HTTP/1.1\r\nHost: x\r\n\r\n`)
  t.match(received, /^HTTP\/1\.1 400 Bad Request\r\n/)
  t.equal(received.match(/HTTP\/1\.1/g)?.length, 1)
  await setImmediate()
  t.strictSame(served, [])
})

for (const [what, request] of [
  ['a connection that sends nothing', ''],
  ['a header that does not end', 'POST /api/generate-signature HTTP/1.1\r\nHost: x\r\n'],
  ['a body that does not end', post('Content-Type: application/json\r\nContent-Length: 10\r\n', '{')]
] as const) {
  t.test(`${what} times out`, async t => {
    const { app, log } = testApp(t)
    Object.assign(app.server, { headersTimeout: 50, requestTimeout: 50, connectionsCheckingInterval: 25 })
    const port = await portOf(app)
    isError(t, await raw(port, request), 408, 'Request Timeout: the request did not arrive in time')
    t.match(log(), '"statusCode":408')
  })
}

const connect405 = 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'
for (const [what, last, statusCode, error, isDraining] of [
  ['a fault', 'garbage\r\n\r\n', '400', 'Malformed HTTP request', false],
  ['a CONNECT', connect405, '405', 'Method Not Allowed: CONNECT', false],
  ['an upgrade', 'GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n', '404',
    'Not Found: GET /nowhere', false],
  ['a CONNECT, while the service drains,', connect405, undefined, '', true]
] as const) {
  t.test(`${what} behind a waiting POST is answered after the POST, or the connection ends`, async t => {
    const { app } = testApp(t)
    const arrived = new Promise<() => void>(resolve => {
      app.addHook('preHandler', (request, _reply, done) => { request.method === 'POST' ? resolve(done) : done() })
    })
    const body = '{"accountNumber":"1","sid":"s","clientTimeStamp":1}'
    const request = post(`Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`, body)
    const socket = connect(await portOf(app), '127.0.0.1').setEncoding('utf8')
    if (isDraining) app.drain()
    socket.write(isDraining ? request + last : `${request}GET /health HTTP/1.1\r\nHost: x\r\n\r\n${last}`)
    const proceed = await arrived
    await setImmediate()
    proceed()
    const answers = (await socket.toArray()).join('').split(/(?=HTTP\/1\.1 )/)
    t.strictSame(answers.map(answer => answer.split(' ')[1]), isDraining ? ['200'] : ['200', '200', statusCode])
    t.match(answers[0], '"signature"')
    t.match(answers.at(-1), isDraining ? '"signature"' : `"${error}"`)
  })
}

t.test('a request that was answered before its body had arrived is not answered again', async t => {
  const { app } = testApp(t)
  const request = post('Content-Type: text/xml\r\nTransfer-Encoding: chunked\r\n', 'zz\r\n')
  const answers = (await exchange(await portOf(app), request)).split(/(?=HTTP\/1\.1 )/)
  t.strictSame(answers.map(answer => answer.split(' ')[1]), ['415'])
})
