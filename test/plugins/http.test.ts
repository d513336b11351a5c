import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { testApp, type TestApp } from '../support/app.js'
import { body, request, signature } from '../support/example.js'
import { answer, dial, exchange, isProtected, portOf, raw, type RawAnswer } from '../support/http.js'

const url = '/api/generate-signature'
const json = { 'content-type': 'application/json' }
const health = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n'
const post = (head: string, body = '') => `POST ${url} HTTP/1.1\r\nHost: x\r\n${head}\r\n${body}`
const sign = post(`Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`, body)

/** A request for each kind of response, and the status. */
const requests = [
  [{ method: 'POST', url, payload: body, headers: json }, 200],
  [{ method: 'GET', url: '/health' }, 200],
  [{ method: 'GET', url: '/ready' }, 200],
  [{ method: 'GET', url: '/openapi.json' }, 200],
  [{ method: 'POST', url, payload: {} }, 400],
  [{ method: 'POST', url, payload: '{', headers: json }, 400],
  [{ method: 'POST', url, payload: 'text', headers: { 'content-type': 'text/plain' } }, 415],
  [{ method: 'GET', url: '/nowhere' }, 404],
  [{ method: 'PUT', url }, 405],
  [{ method: 'POST', url, payload: { accountNumber: '1', sid: ' ', clientTimeStamp: 1 } }, 500],
  [{ method: 'GET', url: '/fault' }, 500],
  [{ method: 'GET', url: '/%c0' }, 400]
] as const

t.test('every response has security headers, and an ID: its own, or a short plain one of a proxy', async t => {
  const { app } = testApp(t)
  app.get('/fault', async () => { throw new Error('fault') })
  const ids = new Set<unknown>()
  for (const [request, statusCode] of requests) {
    const response = await app.inject(request)
    t.equal(response.statusCode, statusCode, `${request.method} ${request.url}`)
    isProtected(t, response.headers)
    t.match(response.headers['x-request-id'], /^[0-9a-f]{8}-[0-9a-f-]{27}$/)
    ids.add(response.headers['x-request-id'])
  }
  t.equal(ids.size, requests.length)
  const idFor = async (id: string) => (await app.inject({ url: '/health', headers: { 'x-request-id': id } })).headers['x-request-id']
  t.equal(await idFor('of-the.proxy_1'), 'of-the.proxy_1')
  for (const id of ['', 'x'.repeat(65), 'a b', 'a"b']) t.match(await idFor(id), /^[0-9a-f]{8}-/)
})

t.test('a client that leaves before its response has a line, and its decision the address of its arrival', async t => {
  let decide: () => void
  const decided = new Promise<void>(resolve => { decide = resolve })
  const { app, log, says } = testApp(t, {
    config: { AUDIT: true },
    async authorize () {
      await decided
      return true
    }
  })
  const socket = dial(t, await portOf(app))
  socket.write(sign)
  await once(app.server, 'request')
  socket.destroy()
  await says('"msg":"request aborted"')
  const last = () => JSON.parse(log().trim().split('\n').at(-1)!)
  t.match(last(), { method: 'POST', path: url, statusCode: 499, clientAddress: '127.0.0.1', code: 'connection-ended' })
  decide!()
  await says('"msg":"decision"')
  t.match(last().audit, { outcome: 'signed', clientAddress: '127.0.0.1' })
})

t.test('a client that leaves while its response is sent has a line', async t => {
  const { app, says } = testApp(t)
  app.addHook('onSend', (request, _reply, _payload, done) => {
    request.raw.socket.destroy()
    done()
  })
  const socket = dial(t, await portOf(app)).on('error', () => {})
  socket.write(sign)
  await says('"msg":"request aborted"')
})

t.test('the log has a line for each request, with nothing that the client wrote', async t => {
  const { app, log } = testApp(t)
  const headers = { ...json, cookie: 'canary', 'user-agent': 'canary' }
  await app.inject({ method: 'POST', url: `${url}?canary`, payload: body, headers })
  await app.inject({ method: 'POST', url, payload: body.replace('100.00', '0'), headers })
  await app.inject({ url: '/canary?canary' })
  await app.inject({ method: 'PUT', url: '/health', headers })
  await app.inject({ url: '/canary%c0', headers })
  for (const path of ['/', '/health', '/ready']) await app.inject(path) // not in the log
  const lines = log().trim().split('\n').map(line => JSON.parse(line))
  t.match(lines, [
    { level: 30, method: 'POST', path: url, statusCode: 200, clientAddress: '127.0.0.1', msg: 'request completed' },
    { path: url, statusCode: 400, code: 'amount-not-positive', field: 'amount', error: 'Invalid amount: amount must be greater than 0' },
    { path: '(none)', statusCode: 404, code: 'not-found', error: undefined },
    { method: 'PUT', path: '(none)', statusCode: 405, code: 'method-not-allowed' },
    { clientAddress: '127.0.0.1', code: 'http-invalid', statusCode: 400, responseTime: undefined, msg: 'no HTTP request' }
  ])
  t.equal(lines.length, 5)
  t.ok(lines.every(({ caller }) => caller === undefined), 'there is no policy')
  t.ok(lines.slice(0, 4).every(({ responseTime }) => responseTime > 0))
  t.notMatch(log(), /canary|ORDER-12345/)
})

t.test('CORS', async t => {
  const preflight = (origin: string) => ({
    method: 'OPTIONS',
    url,
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' }
  }) as const

  t.test('by default every origin is allowed', async t => {
    const response = await testApp(t).app.inject(preflight('https://shop.example'))
    t.match(response, { statusCode: 204, body: '' })
    t.match(response.headers, {
      'access-control-allow-methods': /^GET, HEAD, POST$/,
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'Retry-After, X-Request-Id, Error-Code',
      'access-control-allow-headers': 'content-type',
      'access-control-max-age': '600'
    })
  })

  for (const [CORS_CREDENTIALS, credentials] of [[true, 'true'], [false, undefined]] as const) {
    t.test(`listed origins can read every response, ${CORS_CREDENTIALS ? 'and send cookies' : 'without cookies'}`, async t => {
      const config = { CORS_ORIGIN: 'https://a.example, https://b.example:8443', CORS_CREDENTIALS }
      const { app } = testApp(t, { config })
      // A malformed URL is refused before any hook.
      const allowed = [preflight('https://a.example'), ...requests.slice(0, -1).map(([request]) => request)]
      for (const request of allowed) {
        for (const [origin, expected] of [
          ['https://a.example', 'https://a.example'], ['https://b.example:8443', 'https://b.example:8443'],
          ['https://b.example', undefined], ['https://evil.example', undefined], ['null', undefined]
        ] as const) {
          const { headers } = await app.inject({ ...request, headers: { ...'headers' in request && request.headers, origin } })
          t.strictSame(
            [headers['access-control-allow-origin'], headers['access-control-allow-credentials'], headers.vary?.slice(0, 6)],
            [expected, credentials, 'Origin'], `${request.method} ${request.url} of ${origin}`)
        }
      }
    })
  }
})

for (const [what, request, statusCode, error] of [
  ['two final slashes', { method: 'POST', url: `${url}//`, payload: {} }, 404, `Not Found: POST ${url}//`],
  ['another letter case', { method: 'POST', url: '/API/generate-signature', payload: {} }, 404, 'Not Found: POST /API/generate-signature'],
  ['an unknown path and a body of another type', { method: 'POST', url: '/x', payload: '<a/>', headers: { 'content-type': 'text/xml' } },
    404, 'Not Found: POST /x'],
  ['no type', { method: 'POST', url, payload: Buffer.from('{}') }, 415, 'Unsupported Media Type: send the body as application/json'],
  ['a broken type', { method: 'POST', url, payload: '{}', headers: { 'content-type': ';;' } },
    415, 'Unsupported Media Type: send the body as application/json']
] as const) {
  t.test(`${what} is answered with ${statusCode}`, async t => {
    const response = await testApp(t).app.inject(request)
    t.strictSame([response.statusCode, response.body], [statusCode, JSON.stringify({ error })])
    t.equal(response.headers['content-type'], 'application/json; charset=utf-8')
  })
}

t.test('a method that a path does not have is answered with 405; a final slash makes no difference', async t => {
  const { app } = testApp(t)
  for (const [method, path, allow] of [
    ['GET', url, 'OPTIONS, POST'],
    ['HEAD', url, 'OPTIONS, POST'],
    ['PATCH', `${url}/?a=b`, 'OPTIONS, POST'],
    ['POST', '/health', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/', 'GET, HEAD, OPTIONS']
  ] as const) {
    const response = await app.inject({ method, url: path, payload: 'text', headers: { 'content-type': 'text/plain' } })
    t.equal(response.statusCode, 405, `${method} ${path}`)
    t.equal(response.headers.allow?.toString().split(', ').sort().join(', '), allow)
    if (method !== 'HEAD') t.same(response.json(), { error: `Method Not Allowed: ${method} ${path.split('?')[0]}` })
  }
  for (const path of [`${url}/`, `${url}/?a=b/`]) {
    t.match((await app.inject({ method: 'POST', url: path, payload: body, headers: json })).json(), { signature })
  }
})

t.test('a client gets the message of an error with 503, and of no other fault; the log has no member of either', async t => {
  const config = { headers: { 'x-vault-token': 'canary' } }
  for (const [thrown, status, error, isUnexpected] of [
    [Object.assign(new Error('detail'), { statusCode: 503, config }), 503, 'detail', false],
    [Object.assign(new Error('secret detail'), { config }), 500, 'Internal Server Error', true]
  ] as const) {
    const { app, log } = testApp(t)
    app.get('/fault', async () => { throw thrown })
    t.strictSame(await answer(app, '/fault'), [status, { error }])
    t.equal(/"stack":"Error: secret detail.*"msg":"unexpected fault"/.test(log()), isUnexpected)
    t.notMatch(log(), 'canary')
  }
})

// Requests that Node.js cannot parse, and requests that do not arrive in time.

const answers: Record<number, readonly [code: string, error: string]> = {
  400: ['http-invalid', 'Malformed HTTP request'],
  408: ['time-out', 'Request Timeout: the request did not arrive in time'],
  413: ['body-too-large', 'Request body is too large'],
  431: ['headers-too-large', 'Request Header Fields Too Large']
}

/** Requests after which the start of the next request is unknown: one short answer, and the connection ends. */
const malformed: ReadonlyArray<readonly [what: string, request: string, statusCode: number]> = [
  ['no HTTP at all', 'canary\r\n\r\n', 400],
  ['a bad chunk', post('Transfer-Encoding: chunked\r\nContent-Type: application/json\r\n', 'zcanary\r\n'), 400],
  ['headers of more than 16 KiB', `GET / HTTP/1.1\r\nHost: x\r\nCookie: ${'canary'.repeat(2800)}\r\n\r\n`, 431],
  ['chunk extensions of 20 kB', post('Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n', `1;${'canary'.repeat(4000)}\r\n{\r\n`), 413]
]

const isError = (t: Test, { statusCode, headers, body }: RawAnswer, status: number): void => {
  t.strictSame([statusCode, headers['content-type'], headers.connection, headers['content-length']],
    [status, 'application/json; charset=utf-8', 'close', String(body.length)])
  t.strictSame([headers['error-code'], JSON.parse(body).error], answers[status])
}

t.test('malformed HTTP gets one short answer, and the log nothing of it', async t => {
  const { app, log } = testApp(t)
  const port = await portOf(app)
  for (const [what, request, statusCode] of malformed) {
    t.equal((await exchange(port, `${request}${health}`)).split('HTTP/1').length, 2, what)
    isError(t, await raw(port, request), statusCode)
    t.equal((await raw(port, health)).statusCode, 200, 'and the service goes on')
  }
  t.match(log(), '"clientAddress":"127.0.0.1","code":"HPE_INVALID_METHOD","statusCode":400,"msg":"no HTTP request"')
  t.notMatch(log(), /canary|rawPacket/)
})

t.test('a request that is refused has its answer when its body is complete; a malformed rest gets the only answer', async t => {
  const port = await portOf(testApp(t).app)
  const refused = dial(t, port).setEncoding('utf8')
  refused.write(post('Content-Type: text/xml\r\nTransfer-Encoding: chunked\r\n', '2\r\n<a\r\n'))
  await setImmediate()
  refused.write('zz\r\n')
  t.match((await refused.toArray()).join('').split(/(?=HTTP\/1)/), [/^HTTP\/1\.1 400 /])
})

const [signed, malformedJson] = [/"signature"/, /"Body is not valid JSON/]
const tooShort = sign.replace(/(?<=Content-Length: )\d+/, String(body.length - 1))
for (const [what, code, bytes, status, content] of [
  ['a byte', 'HPE_INVALID_METHOD', `${sign}\0`, 200, signed],
  ['the end of a body', 'HPE_INVALID_METHOD', tooShort, 400, malformedJson],
  ['a request', 'pipelined', sign + sign, 200, signed]
] as const) {
  t.test(`${what} behind a complete request: it gets the only response, and the connection ends`, async t => {
    const behind = `"code":"${code}","msg":"bytes behind a request: the connection ends after its response"`
    const { app, log, says }: TestApp = testApp(t, {
      async authorize () {
        await says(behind)
        return true
      }
    })
    const answers = (await exchange(await portOf(app), bytes)).split(/(?=HTTP\/1)/)
    t.equal(answers.length, 1)
    t.match(answers[0], new RegExp(`^HTTP/1\\.1 ${status} [^]*\\r\\nconnection: close\\r\\n`, 'i'))
    t.match(answers[0], content)
    t.equal(log().split('"request completed"').length, 2)
  })
}

t.test('many requests that come together end the connection at once', async t => {
  const { app, log, says } = testApp(t)
  const socket = dial(t, await portOf(app)).on('error', () => {})
  socket.write(sign.repeat(100))
  await once(socket.resume(), 'close')
  await says('"msg":"request aborted"')
  t.equal(log().split('"code":"pipelined"').length, 2)
  t.equal(log().split('"msg":"request ').length, 2, 'nothing else was routed')
})

t.test('a byte behind the response on a kept connection gets no second response; what begins as a request gets its own', async t => {
  const { app, says } = testApp(t)
  const port = await portOf(app)
  for (const [next, line, second] of [
    ['\0', '"code":"HPE_INVALID_METHOD","msg":"bytes behind a request: the connection ends"', undefined],
    [`GET / HTTP/1.1\r\nHost: x\r\nCookie: ${'c'.repeat(17_000)}\r\n\r\n`, '"code":"HPE_HEADER_OVERFLOW","statusCode":431', /^HTTP\/1\.1 431 /]
  ] as const) {
    const socket = dial(t, port).setEncoding('utf8')
    socket.write(sign)
    t.match((await once(socket, 'data'))[0], /^HTTP\/1\.1 200 /)
    socket.write(next)
    await says(line)
    t.match(await socket.toArray(), second === undefined ? [] : [second])
  }
})

t.test('Node.js answers no request itself: one with an unknown Expect gets its own response, and no second one', async t => {
  const port = await portOf(testApp(t).app)
  const expecting = (more: string) => `Content-Type: application/json\r\nExpect: x\r\n${more}`
  t.equal((await raw(port, post(expecting(`Content-Length: ${body.length}\r\n`), body))).statusCode, 200)
  const malformed = await exchange(port, post(expecting('Transfer-Encoding: chunked\r\n'), '5\r\nhello\r\n0\r\nContent-Length: 7\r\n\r\n'))
  t.match(malformed.split(/(?=HTTP\/1)/), [/^HTTP\/1\.1 400 /])
})

t.test('a connection ends after a malformed URL', async t => {
  const port = await portOf(testApp(t).app)
  t.match(await raw(port, 'GET /%c0 HTTP/1.1\r\nHost: x\r\n\r\n'), { statusCode: 400, headers: { connection: 'close' } })
})

for (const [what, head, part, times] of [
  ['20 MB in chunks of 4 KiB', 'Transfer-Encoding: chunked', `1000\r\n${'x'.repeat(4096)}\r\n`, 5000],
  ['150 MB with a Content-Length', 'Content-Length: 150000000', 'x'.repeat(100_000), 1500],
  ['2,000 bytes with a Content-Length, one by one', 'Content-Length: 2000', 'x', 2000]
] as const) {
  t.test(`${what} to a path that is refused: the client reads the status at the end`, async t => {
    const port = await portOf(testApp(t).app)
    for (const path of ['/nowhere', url]) {
      const socket = dial(t, port).pause().setEncoding('utf8')
      socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n${head}\r\n\r\n`)
      for (let sent = 0; sent < times; sent++) {
        if (!socket.write(part)) await once(socket, 'drain')
        if (part.length === 1) await setImmediate() // the server, in this process, reads the byte
      }
      if (head.startsWith('T')) socket.write('0\r\n\r\n')
      t.match((await once(socket.resume(), 'data'))[0], path === url ? /^HTTP\/1\.1 415 / : /^HTTP\/1\.1 404 /)
      socket.write(health) // the connection is still of use
      t.match((await once(socket, 'data'))[0], /^HTTP\/1\.1 200 /)
      socket.destroy()
    }
  })
}

t.test('a connection that is too many is counted and logged; one with a 400 ends, if its client does not close it, too', async t => {
  const { app, says } = testApp(t, { config: { ADMIN_PORT: 1 } })
  const port = await portOf(app)
  app.server.maxConnections = 3
  for (const connection of ['keep-alive', 'close']) { // beyond half of the limit
    const socket = dial(t, port).setEncoding('utf8')
    socket.write(health)
    t.match((await once(socket, 'data'))[0], new RegExp(`\r\nconnection: ${connection}\r\n`, 'i'))
  }
  app.server.maxConnections = 1
  for (let times = 1; times <= 2; times++) {
    dial(t, port).on('error', () => {})
    await once(app.server, 'drop')
  }
  await says('"connections":1,"msg":"connections are refused: too many are open"')
  t.match(await app.metrics!.registry.metrics(), '\npayment_signature_connections_refused_total 2\n')
  app.server.maxConnections = 4000
  const accepted = once(app.server, 'connection') as Promise<Socket[]>
  const silent = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).resume() // does not close the connection
  t.teardown(() => silent.destroy())
  silent.write('GARBAGE\r\n\r\n')
  const [socket] = await accepted
  const open = once(silent.setTimeout(5000), 'timeout').then(() => 'open')
  t.equal(await Promise.race([once(socket!, 'close').then(() => 'closed'), open]), 'closed')
})

for (const [what, begun] of [
  ['a connection that sends nothing', ''],
  ['a header that does not end', `POST ${url} HTTP/1.1\r\nHost: x\r\n`],
  ['a body that does not end', post('Content-Type: application/json\r\nContent-Length: 10\r\n', '{')]
] as const) {
  t.test(`${what} times out`, async t => {
    const { app, log } = testApp(t)
    const port = await portOf(app)
    t.match(app.server, { requestTimeout: 10_000, headersTimeout: 10_000, timeout: 90_000 })
    t.match(app.server, { keepAliveTimeout: 72_000, maxConnections: 4000 })
    Object.assign(app.server, { headersTimeout: 50, requestTimeout: 50 })
    isError(t, await raw(port, begun), 408)
    t.match(log(), '"code":"ERR_HTTP_REQUEST_TIMEOUT","statusCode":408')
  })
}

t.test('a body that is far too large is answered while it is being sent', async t => {
  const port = await portOf(testApp(t).app)
  for (let sent = 0; sent < 3; sent++) {
    const response = await request(port, 'x'.repeat(5_000_000))
    t.strictSame([response.status, await response.json()], [413, { error: 'Request body is too large' }])
  }
})

t.test('a fault of the server, such as a lack of descriptors, is logged, and the service goes on', async t => {
  const { app, log } = testApp(t)
  const port = await portOf(app)
  app.server.emit('error', Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' }))
  t.match(log(), /"level":50.*accept EMFILE.*"fault of the server"/)
  t.equal((await raw(port, health)).statusCode, 200)
})
