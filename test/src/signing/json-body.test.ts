import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { createGunzip, gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { testApp } from '../../support/app.js'
import { serve } from '../../support/backend.js'
import { embedded } from '../../support/embedded.js'
import { answer, exchange, portOf } from '../../support/http.js'

const post = (payload: string | Buffer, type = 'application/json') => ({
  method: 'POST',
  url: '/api/generate-signature',
  payload,
  headers: { 'content-type': type }
}) as const

const body = '{"accountNumber":"1","sid":"é€😀","clientTimeStamp":1}'
// printf '%s' '1é€😀' | sha256sum
const part1 = 'eea17d1f487a17510da7a7a28f4572f077edef476aaebebc5e9b654ae60718c4'

t.test('UTF-8 in a body is hashed unchanged', async t => {
  const { app } = testApp(t)
  for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"']) {
    const response = await app.inject(post(body, type))
    t.equal(response.json().signature.slice(0, 64), part1, type)
  }
  t.equal((await app.inject(post(`\ufeff${body}`))).json().signature.slice(0, 64), part1, 'after a byte order mark')
})

for (const [what, payload] of [
  ['ISO 8859-1', Buffer.from(body.replace('é€😀', 'é'), 'latin1')],
  ['a lone surrogate in UTF-8', Buffer.from(body.replace('é€😀', '\xed\xa0\x80'), 'latin1')]
] as const) {
  t.test(`${what} is refused, where Fastify would sign U+FFFD`, async t => {
    t.strictSame(await answer(testApp(t).app, post(payload)), [400, { error: 'Request body is not valid UTF-8' }])
  })
}

t.test('keys of prototypes are refused by name', async t => {
  const { app } = testApp(t)
  for (const [payload, key] of [
    ['{"__proto__":{"amount":"1.00"},"accountNumber":"1","sid":"s","clientTimeStamp":1}', '__proto__'],
    ['{"orderId":{"constructor":{"prototype":{"amount":"1.00"}}}}', 'constructor.prototype'],
    ['{"a":[{"\\u005f_proto__":null}]}', '__proto__']
  ] as const) {
    const response = await app.inject(post(payload))
    t.strictSame([response.statusCode, response.headers['error-code'], response.json()],
      [400, 'body-invalid; reason=prototype-key', { error: `the key ${key} is not accepted` }], payload)
  }
})

t.test('another charset than UTF-8 is refused: UTF-16 would be read as UTF-8', async t => {
  const { app } = testApp(t)
  for (const type of ['application/json; charset=utf-16', 'application/json;Charset="ISO-8859-1"', 'application/json; a=b; charset=utf-8x']) {
    const response = await app.inject(post(body, type))
    t.strictSame([response.statusCode, response.headers['error-code'], response.json()],
      [415, 'content-type', { error: 'Unsupported Media Type: send the body in UTF-8' }], type)
  }
})

t.test('STRICT looks for duplicate fields only in JSON: the search of an unfinished string would not end', async t => {
  const { app } = testApp(t, { config: { STRICT: true } })
  t.strictSame(await answer(app, post('{"sid":"a')),
    [400, { error: 'Body is not valid JSON but content-type is set to \'application/json\'' }])
})

const head = 'POST /api/generate-signature HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`
const oneByOne = Buffer.from('1\r\n \r\n'.repeat(102_000))

/** Opens a connection to an app and returns both ends. */
async function connected (app: FastifyInstance): Promise<{ client: Socket, server: Socket }> {
  const port = (app.server.address() as { port?: number } | null)?.port ?? await portOf(app)
  const accepted = once(app.server, 'connection')
  const client = connect(port, '127.0.0.1').on('error', () => {})
  const [server] = await accepted
  return { client, server }
}

async function until (condition: () => boolean): Promise<void> {
  while (!condition()) await turn()
}

t.test('a body in too many small chunks is refused, and its connection ends', async t => {
  const { client, server } = await connected(testApp(t).app)
  client.write(chunked)
  client.write(oneByOne)
  const received = await text(client)
  t.match(received, '400 Bad Request')
  t.match(received, '{"error":"Request body comes in too many small chunks"}')
  t.ok(server.bytesRead < oneByOne.length / 2, `${server.bytesRead} bytes were read`)
})

t.test('a body in many chunks or segments is signed', async t => {
  const { app } = testApp(t)
  const bytes = Buffer.from(body)
  const { client: one } = await connected(app)
  one.write(`${chunked}${[...bytes].map(byte => `1\r\n${String.fromCharCode(byte)}\r\n`).join('')}0\r\n\r\n`, 'latin1')
  t.match(String((await once(one, 'data'))[0]), part1, 'chunks')
  one.destroy()

  const { client: other, server } = await connected(app)
  const start = `${head}Content-Length: ${bytes.length}\r\n\r\n`
  other.write(start)
  for (const [index, byte] of bytes.entries()) {
    other.write(Buffer.of(byte))
    if (index < bytes.length - 1) await until(() => server.bytesRead === start.length + index + 1)
  }
  t.match(String((await once(other, 'data'))[0]), part1, 'segments')
  other.destroy()

  const empty = `${chunked.replace('\r\n', '\r\nConnection: close\r\n')}0\r\n\r\n`
  t.match(await exchange(await portOf(testApp(t).app), empty), 'Body cannot be empty')
})

t.test('all bodies that are being read share 8 MiB', async t => {
  const { app } = testApp(t)
  await portOf(app)
  interface Upload { client: Socket, server: Socket, received: string }

  /** Starts bodies, and resolves when the app has read them so far. */
  async function begin (count: number, text: string): Promise<Upload[]> {
    const all: Upload[] = []
    for (let index = 0; index < count; index++) {
      const connection = { ...await connected(app), received: '' }
      connection.client.on('data', data => { connection.received += data })
      connection.client.write(text)
      await until(() => connection.server.bytesRead === text.length)
      all.push(connection)
    }
    return all
  }

  for (const round of ['at first', 'after the others were aborted']) {
    const large = await begin(85, `${chunked}${(102_000).toString(16)}\r\n${' '.repeat(102_000)}`)
    const refused = () => large.filter(({ received }) => received !== '')
    await until(() => refused().length >= 4)
    await app.inject('/health') // takes longer than a refusal
    t.equal(refused().length, 4, `81 of 102,400 bytes are 8 MiB, ${round}`)
    const small = await begin(48, `${chunked}${`1f4\r\n${' '.repeat(500)}\r\n`.repeat(2)}`) // each uses 2000 bytes of memory
    await until(() => refused().length >= 5)
    await app.inject('/health')
    t.equal(refused().length, 5)
    t.strictSame(small.filter(({ received }) => received !== ''), [], 'no small body is refused while there is a large one')
    for (const { received } of refused()) {
      t.match(received, /^HTTP\/1.1 503 [^]*retry-after: 2\r\n[^]*\{"error":"Service Unavailable: too many request bodies at a time, try again later"\}$/)
    }
    const response = await app.inject(post(body))
    t.equal(response.statusCode, 200, 'a small body is read')
    const all = [...large, ...small]
    const closed = Promise.all(all.map(async ({ server }) => once(server, 'close')))
    for (const { client } of all) client.destroy()
    await closed
  }
})

t.test('a hook of the host can replace the body with a stream', async t => {
  const { app, log } = embedded(t, {})
  app.addHook('preParsing', async ({ headers }, _reply, payload) => {
    const kind = headers['x-kind']
    if (kind === 'gzip') return payload.pipe(createGunzip())
    const stream = new PassThrough({ encoding: 'utf8' })
    if (kind === 'text') return payload.pipe(stream)
    if (kind === 'ended') return stream.end('{}')
    if (kind === 'failed') return stream.on('error', () => {}).destroy(Object.assign(new Error('no such key'), { statusCode: 422 }))
    if (kind === 'broken') return stream.on('error', () => {}).destroy('a text' as never)
    if (kind === 'closed') return stream.destroy()
    return kind === 'closing' ? setImmediate(() => stream.destroy()) && stream : stream
  })
  await portOf(app)

  /** The response to a chunked body, as Fastify compares a body with its Content-Length. */
  async function send (kind: string, payload: string | Buffer): Promise<string> {
    const { client } = await connected(app)
    client.write(chunked.replace('\r\n', `\r\nX-Kind: ${kind}\r\nConnection: close\r\n`))
    client.write(`${Buffer.byteLength(payload).toString(16)}\r\n`)
    client.write(payload)
    client.write('\r\n0\r\n\r\n')
    return text(client)
  }
  for (const [kind, payload, statusCode, content] of [
    ['gzip', gzipSync(body), 200, part1],
    ['gzip', gzipSync(' '.repeat(102_401)), 413, 'Request body is too large'],
    ['gzip', Buffer.from('not gzip'), 400, 'The request body is incomplete'],
    ['broken', body, 400, 'The request body is incomplete'],
    ['text', body, 200, part1],
    ['failed', body, 422, 'no such key'],
    ['closed', body, 400, 'The request body is incomplete'],
    ['closing', body, 400, 'The request body is incomplete']
  ] as const) {
    const response = await send(kind, payload)
    t.match(response, `HTTP/1.1 ${statusCode} `, kind)
    t.match(response, content)
  }
  const mismatch = await app.inject({ ...post(body), headers: { 'content-type': 'application/json', 'x-kind': 'ended' } })
  t.same([mismatch.statusCode, mismatch.json()], [400, { error: 'Request body size did not match Content-Length' }])

  const { client, server } = await connected(app)
  client.write(chunked)
  client.write('1\r\n{\r\n')
  await until(() => server.bytesRead > chunked.length)
  client.destroy()
  await until(() => log().includes('request dropped, no response can be sent'))
  t.notMatch(log(), /"level":[4-6]0/, 'which is no error')
})

t.test('a body that a hook of the host reads is refused', async t => {
  const { app } = embedded(t, {}, app => app.addHook('onRequest', async ({ raw }) => { raw.resume() }))
  await portOf(app)
  const { client } = await connected(app)
  client.write(`${head}Content-Length: 2\r\n\r\n{`)
  t.match(String((await once(client, 'data'))[0]), /^HTTP\/1.1 500 [^]*\{"error":"The body of the request was read before: [^"]+"\}$/)
  client.destroy()
})

t.test('behind a body parser, each response names the mistake, and the log once', async t => {
  const { app, log } = embedded(t, {})
  await app.ready()
  const { origin } = await serve(t, (request, response) => request.resume().on('end', () => app.routing(request, response)))
  for (let count = 0; count < 2; count++) {
    const { method, headers } = post(body)
    const response = await fetch(`${origin}/api/generate-signature`, { method, headers, body })
    t.strictSame([response.status, response.headers.get('error-code')], [500, 'body-read'])
  }
  t.equal(log().split('The body of the request was read before: mount before the body parser, or pass rawBody').length, 2)
})

/** A request whose amount is an array, with this many arrays, objects and commas. */
const withValues = (count: number) =>
  `{"accountNumber":"1","sid":"[{,\\",","clientTimeStamp":1,"amount":["5.00"],"a":[${'{"a":[1,2]},'.repeat(3)}${'[],'.repeat((count - 20) / 2)}{}]}`

t.test('a body with more than 1000 arrays, objects and commas is refused before it is parsed', async t => {
  const { app } = testApp(t)
  const largest = await app.inject(post(withValues(1000)))
  // printf '%s' '1[{,",5.00' | sha256sum
  t.equal(largest.json().signature.slice(0, 64), '6cc6c69b0fc604bfdb5945c8763df8e19381785f59511442806d0821c27c35e6')
  t.equal((await app.inject(post(`{"sid":"${'[{,:\\"'.repeat(1000)}","accountNumber":"1","clientTimeStamp":1}`))).statusCode, 200, 'text')
  const parsed = t.capture(JSON, 'parse', JSON.parse)
  for (const payload of [
    withValues(1002),
    `{"amount":[${`${'['.repeat(98)}${']'.repeat(98)},`.repeat(480)}1]}`,
    `{${Array.from({ length: 9500 }, (_, index) => `"${index}":0`).join()}}`,
    '['.repeat(100_000)
  ]) {
    const response = await app.inject(post(payload))
    t.equal(response.statusCode, 400)
    t.equal(response.body, '{"error":"Request body has more than 1000 arrays, objects and commas"}')
  }
  t.strictSame(parsed(), [])
  t.equal((await app.inject(post(`{"${'x'.repeat(1001)}`))).statusCode, 400)
})
