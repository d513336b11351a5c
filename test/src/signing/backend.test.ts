import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { answerIn, decisionOf, refusedBy } from '../../../src/signing/backend.js'
import { answering, backend, backendServer, tcpServer } from '../../support/backend.js'
import { embedded } from '../../support/embedded.js'
import { portOf, raw } from '../../support/http.js'

const url = '/api/generate-signature'
const payload = { accountNumber: '102551', amount: '1.00', sid: 'sid-1', clientTimeStamp: 1 }
const unavailable = 'Authorization is unavailable, try again'

/** Time-out for a busy machine, in milliseconds. */
const authorizeTimeout = 10_000

/** Returns the status and the error of a response, and the reason in the log. */
async function asked (t: Test, authorizeUrl: string) {
  const { app, log } = embedded(t, { authorizeUrl, authorizeTimeout })
  const response = await app.inject({ method: 'POST', url, payload })
  const said = log().split('\n').find(line => line.includes('"authorization is unavailable"'))
  return [response.statusCode, response.json().error, said && JSON.parse(said).reason]
}

/** A body that is shorter than its Content-Length. */
const cutOff = (statusCode: number, body: string): RequestListener => async (request, response) => {
  await text(request) // unread data would cause a reset, which may overtake the head
  response.writeHead(statusCode, { 'content-length': 1000 })
  response.write(body, () => response.destroy())
}

const hint = 'expected 204, or 200 with {"allowed":true} or {"allowed":false} and no duplicate keys'
const unclear = `status 200, with another body: ${hint}`
const yes = '{"allowed":true}'
const html = { 'content-type': 'text/html' }
const gzip = { 'content-encoding': 'gzip' }

/** Common answers of backends. The test of bodies, below, has the others. */
for (const [what, answer, ...expected] of [
  ['204', answering(204), 200],
  ['200 with a yes', answering(200, yes, { 'content-type': 'application/json' }), 200],
  ['200 with a yes as HTML', answering(200, yes, html), 200],
  ['200 with a byte order mark', answering(200, `\ufeff${yes}`), 200],
  ['200 that says that it is not compressed', answering(200, yes, { 'content-encoding': 'identity' }), 200],
  ['200 with JSON of 16 KiB', answering(200, yes.padEnd(16_384)), 200],
  ['200 and a no that says why', answering(200, '{"allowed":false,"error":"not your order"}'), 403, 'not your order'],
  ...['', '\ufeff', '<html>', '{"allowed":true,"data":{"id":1,"id":2}}'].map(body =>
    [`200 with ${JSON.stringify(body)}`, answering(200, body), 503, unavailable, unclear]),
  ...[201, 206, 299].map(status => [`${status}`, answering(status, yes), 503, unavailable, `status ${status}: ${hint}`]),
  ['a longer 2xx', answering(200, yes.padEnd(16_385)), 503, unavailable, 'status 200, with a body over 16384 bytes'],
  ['a longer 4xx', answering(409, '{"error":"paid"}'.padEnd(16_385)), 409, 'Refused by the merchant'],
  ['a compressed 2xx', answering(200, gzipSync(yes), gzip), 503, unavailable, 'status 200, with a compressed body'],
  ['a compressed 4xx', answering(409, gzipSync('{"error":"paid"}'), gzip), 409, 'Refused by the merchant'],
  ['a cut-off 2xx', cutOff(200, yes), 503, unavailable, 'UND_ERR_SOCKET'],
  ['a cut-off 4xx', cutOff(409, '{"error":"paid"}'), 409, 'Refused by the merchant'],
  ['a 4xx with a yes', answering(400, yes), 400, 'Refused by the merchant'],
  ['499', answering(499, '{"error":"paid"}'), 499, 'paid'],
  ['a 5xx status', answering(500, yes), 503, unavailable, `status 500: ${hint}`],
  ['405', answering(405, '{"error":"paid"}'), 503, unavailable, 'status 405: the URL does not accept POST'],
  ['a 304 status', answering(304), 503, unavailable, `status 304: ${hint}`]
] as Array<[string, RequestListener, number, string?, string?]>) {
  t.test(`${what} is ${expected[0]}`, async t => {
    const found = await asked(t, await backend(t, answer))
    t.strictSame(found, [expected[0], expected[1], expected[2]])
  })
}

t.test('404 refuses each request: it may be about an order that a stranger invented, and is no outage', async t => {
  const { app, log } = embedded(t, { authorizeUrl: await backend(t, answering(404)), authorizeTimeout })
  for (let count = 0; count < 21; count++) {
    t.equal((await app.inject({ method: 'POST', url, payload })).statusCode, 404)
  }
  t.notMatch(log(), 'unavailable')
})

const head = 'HTTP/1.1 200 OK\r\n'
const chunked = 'Transfer-Encoding: chunked\r\n'

for (const [what, response, ...expected] of [
  ['complete chunks', `${head}${chunked}\r\n10\r\n${yes}\r\n0\r\n\r\n`, 200],
  ['an object of HTTP/1.0, as Python sends it', `HTTP/1.0 200 OK\r\n\r\n${yes}`, 200],
  ['no length', `${head}\r\n`, 503, unavailable, unclear],
  ['JSON that ends early', `${head}\r\n{"allowed":true,"unti`, 503, unavailable, unclear],
  ['a chunk that ends early', `${head}${chunked}Connection: close\r\n\r\n10\r\n{"allowed":true`, 503, unavailable],
  ['chunks without their end', `${head}${chunked}\r\n`, 503, unavailable, 'UND_ERR_SOCKET'],
  ['a body that is shorter than its Content-Length', `${head}Content-Length: 17\r\nConnection: close\r\n\r\n${yes}`, 503, unavailable,
    'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'],
  // fetch of Node.js 20 reports that these chunks are complete.
  ['chunks without their end and Connection: close', `${head}${chunked}Connection: keep-alive, Close\r\n\r\n`, 503, unavailable],
  ['a whole object in chunks without their end and Connection: close',
    `${head}${chunked}Connection: close\r\n\r\n10\r\n${yes}\r\n`, process.version.startsWith('v20.') ? 200 : 503]
] as const) {
  t.test(`${what}, then the end of the connection, is ${expected[0]}`, async t => {
    const port = await tcpServer(t, socket => { socket.once('data', () => socket.end(response)) })
    t.match(await asked(t, `http://127.0.0.1:${port}/`), expected)
  })
}

/** Writes until the reader stops. */
function endless (chunk: Buffer) {
  return (response: ServerResponse): void => {
    const write = () => { while (response.write(chunk)); }
    response.on('drain', write)
    write()
  }
}

const zeros = gzipSync(Buffer.alloc(16 * 2 ** 20))

for (const [what, status, headers, chunk, expected] of [
  ['an endless 403', 403, {}, Buffer.alloc(65_536), [403, 'Refused by the merchant', undefined]],
  ['an endless 200', 200, {}, Buffer.alloc(65_536), [503, unavailable, 'status 200, with a body over 16384 bytes']],
  ['a gzip bomb of 403', 403, gzip, zeros, [403, 'Refused by the merchant', undefined]],
  ['a gzip bomb of 200', 200, gzip, zeros, [503, unavailable, 'status 200, with a compressed body']],
  ['an endless 500', 500, {}, Buffer.alloc(65_536), [503, unavailable, `status 500: ${hint}`]]
] as const) {
  t.test(`${what} is not read to its end`, async t => {
    let closed: Promise<unknown> | undefined
    let written = 0
    const authorizeUrl = await backend(t, (_request, response) => {
      const { socket } = response
      closed = once(response, 'close').then(() => { written = socket?.bytesWritten ?? 0 })
      response.writeHead(status, headers)
      endless(chunk)(response)
    })
    t.strictSame(await asked(t, authorizeUrl), expected)
    await closed
    t.ok(written < 2 ** 25, `${written} bytes, buffers of the operating system included`)
  })
}

t.test('no redirect is followed, not even to a page that says yes', async t => {
  for (const status of [301, 302, 303, 307, 308]) {
    const paths: unknown[] = []
    const authorizeUrl = await backend(t, ({ url }, response) => {
      paths.push(url)
      if (url === '/yes') response.end(yes)
      else response.writeHead(status, { location: '/yes' }).end(yes)
    })
    t.strictSame(await asked(t, authorizeUrl), [503, unavailable, `status ${status}: ${hint}`])
    t.strictSame(new Set(paths), new Set(['/may-sign?shop=1']))
  }
})

t.test('the request to the backend has Accept-Encoding: identity, and a valid traceparent or that of a tracer', async t => {
  const asked: IncomingMessage['headers'][] = []
  const authorizeUrl = await backend(t, async (request, response) => {
    asked.push(request.headers)
    await text(request)
    response.writeHead(204).end()
  })
  const { app } = embedded(t, { authorizeUrl, authorizeTimeout })
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  for (const headers of [{ traceparent }, { traceparent: 'canary' }, {}]) {
    t.equal((await app.inject({ method: 'POST', url, payload, headers })).statusCode, 200)
  }
  const tracer = (message: any) => message.request.addHeader('traceparent', 'of the tracer')
  subscribe('undici:request:create', tracer)
  t.teardown(() => unsubscribe('undici:request:create', tracer))
  t.equal((await app.inject({ method: 'POST', url, payload, headers: { traceparent } })).statusCode, 200)
  t.strictSame(asked.map(headers => headers.traceparent), [traceparent, undefined, undefined, 'of the tracer'])
  t.strictSame(asked.map(headers => headers['accept-encoding']), Array(4).fill('identity'))
})

t.test('no fault logs a part of the URL', async t => {
  const { server, url: free } = await backendServer(t, () => {})
  server.close()
  await once(server, 'close')
  for (const [origin, reason] of [
    [new URL(free).origin, 'ECONNREFUSED'],
    ['http://127.0.0.1:6000', 'fetch failed: bad port'], // a port that fetch refuses
    [new URL(await backend(t, request => { request.socket.destroy() })).origin, 'UND_ERR_SOCKET']
  ] as const) {
    const { app, log } = embedded(t, { authorizeUrl: `${origin}/canary?token=canary`, authorizeTimeout })
    t.equal((await app.inject({ method: 'POST', url, payload })).statusCode, 503)
    const line = log().split('\n').find(line => line.includes('"authorization is unavailable"')) ?? ''
    t.match(JSON.parse(line), { level: 50, host: new URL(origin).host, reason })
    t.notMatch(log(), 'canary')
  }
})

t.test('unusual client headers do not prevent the question to the backend', async t => {
  let asked = 0
  const authorizeUrl = await backend(t, (_request, response) => {
    asked += 1
    response.writeHead(204).end()
  })
  const { app } = embedded(t, { authorizeUrl, authorizeTimeout })
  const port = await portOf(app)
  const body = JSON.stringify(payload)
  for (const cookie of ['a=\u00e4\u20ac', 'a=\t;', 'a="\\";;=', `a=${'x'.repeat(8000)}`, '']) {
    const { statusCode } = await raw(port, `POST ${url} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nCookie: ${cookie}\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`)
    t.equal(statusCode, 200, `${cookie.slice(0, 9)}, of ${cookie.length}`)
  }
  t.equal(asked, 5)
})

t.test('a request that cannot be forwarded does not affect other requests', async t => {
  const { app, log } = embedded(t, { authorizeUrl: await backend(t, answering(204)), authorizeTimeout })
  const headers = { cookie: '\u20ac' } // which no parser lets through
  for (let count = 0; count < 8; count++) t.equal((await app.inject({ method: 'POST', url, payload, headers })).statusCode, 503)
  t.equal((await app.inject({ method: 'POST', url, payload })).statusCode, 200)
  t.match(log(), '"reason":"fetch failed: no reason given"')
})

/** Returns the decision in the body of a response with status 200; undefined if it has none. */
function verdictOf (text: string): boolean | undefined {
  try {
    return decisionOf(answerIn(text), 'no decision') === true
  } catch {
    return undefined
  }
}

/** Returns the refusal of a response with status 409 and this body. */
const refusalIn = (text: string) => refusedBy({ ...answerIn(text), statusCode: 409 })

const bodies: ReadonlyArray<readonly [verdict: boolean | undefined, texts: readonly string[]]> = [
  [true, [
    '{"allowed":true}', '\n{"allowed" : true }\n', '{"\\u0061llowed":true}', '{"allowed":true,"error":"ignored","statusCode":403}',
    '{"allowed":true,"Allowed":false}', '{"allowed":true,"data":{"allowed":false}}',
    `{"allowed":true,"data":${'{"data":'.repeat(1800)}{}${'}'.repeat(1800)}}`
  ]],
  [false, ['{"allowed":false,"ok":true}', '{"error":{"error":0},"allowed":false}',
    `{"allowed":false,"error":${'['.repeat(8000)}${']'.repeat(8000)}}`]],
  [undefined, [
    // Other values and other names.
    '{"allowed":"true"}', '{"allowed":1}', '{"allowed":0}', '{"allowed":null}', '{"allowed":[true]}', '{"allowed":{"allowed":true}}',
    '{"Allowed":true}', '{"ok":true}', '{"data":{"allowed":true}}', '{"error":"not yours"}', '{"__proto__":{"allowed":true}}', '{}',
    // Envelopes that once got a signature.
    '{"success":true,"data":false}', '{"ok":true,"status":"denied"}',
    // Anything but one object.
    '', 'null', 'true', '"true"', '1', 'OK', '[true]', '[{"allowed":true}]', '\ufeff{"allowed":true}',
    '{"allowed":true', '{"allowed":true,}', '{"allowed":true}{"allowed":true}', '{"allowed":true}\n.',
    // Duplicate keys.
    '{"allowed":false,"allowed":true}', '{"allowed":true,"\\u0061llowed":false}',
    '{"id":1,"id":2,"allowed":true}', '{"allowed":true,"data":{"id":1,"id":2}}', '{"allowed":false,"data":[{"":1,"":2}]}'
  ]]
]

t.test('which bodies allow, which refuse, and which decide nothing', async t => {
  for (const [verdict, texts] of bodies) for (const text of texts) t.equal(verdictOf(text), verdict, text.slice(0, 99))
})

t.test('the message of a refusal', async t => {
  for (const [text, message] of [
    ['{"error":"not yours"}', 'not yours'],
    ['{"error":"not yours","error":"paid"}', 'paid'],
    ...['{"error":""}', '{"error":{"message":"not yours"}}', '{"allowed":false}', 'null', 'not yours', '']
      .map(text => [text, 'Refused by the merchant'] as const)
  ] as const) t.match(refusalIn(text), { message, headers: {} }, text)
})

t.test('the reason of a refusal', async t => {
  for (const code of ['a', 'ALREADY_PAID', 'stock.empty-2', 'x'.repeat(64)]) {
    const { message, headers } = refusalIn(JSON.stringify({ code }))
    t.equal(message, 'Refused by the merchant')
    t.strictSame(headers, { 'error-code': `refused; reason=${code}` })
  }
  for (const code of [undefined, null, 7, {}, ['PAID'], '', 'x'.repeat(65), 'a b', 'a;b', 'a\n', 'a\r\nx: y', '"a"', 'a=b', 'é']) {
    const { message, headers } = refusalIn(JSON.stringify({ code, error: 'no' }))
    t.equal(message, 'no')
    t.strictSame(headers, {})
  }
})
