import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createGunzip, gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { testApp } from '../../support/app.js'
import { serve } from '../../support/backend.js'
import { embedded } from '../../support/embedded.js'
import { answer, portOf } from '../../support/http.js'

const url = '/api/generate-signature'
const post = (payload: string | Buffer, headers = {}) =>
  ({ method: 'POST', url, payload, headers: { 'content-type': 'application/json', ...headers } }) as const

const body = '{"accountNumber":"1","sid":"é€😀","clientTimeStamp":1}'
// printf '%s' '1é€😀' | sha256sum
const part1 = 'eea17d1f487a17510da7a7a28f4572f077edef476aaebebc5e9b654ae60718c4'

t.test('UTF-8 in a body is hashed unchanged', async t => {
  const { app } = testApp(t)
  for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"']) {
    const response = await app.inject(post(body, { 'content-type': type }))
    t.equal(response.json().signature.slice(0, 64), part1, type)
  }
})

t.test('bodies that would be read as another text are refused', async t => {
  const { app } = testApp(t)
  const latin1 = Buffer.from(body.replace('é€😀', 'é'), 'latin1')
  const surrogate = Buffer.from(body.replace('é€😀', '\xed\xa0\x80'), 'latin1')
  const charset = (type: string) => ({ 'content-type': `application/json;${type}` })
  for (const [payload, headers, status, error] of [
    [latin1, {}, 400, 'Request body is not valid UTF-8'],
    [surrogate, {}, 400, 'Request body is not valid UTF-8'],
    [body, charset(' charset=utf-16'), 415, 'Unsupported Media Type: send the body in UTF-8'],
    [body, charset('Charset="ISO-8859-1"'), 415, 'Unsupported Media Type: send the body in UTF-8'],
    [body, charset(' a=b; charset=utf-8x'), 415, 'Unsupported Media Type: send the body in UTF-8'],
    [gzipSync(body), { 'content-encoding': 'gzip' }, 415, 'Unsupported Media Type: send the body without Content-Encoding']
  ] as const) t.strictSame(await answer(app, post(payload, headers)), [status, { error }])
})

t.test('keys of prototypes are refused', async t => {
  const { app } = testApp(t)
  for (const payload of [
    '{"__proto__":{"amount":"1.00"},"accountNumber":"1","sid":"s","clientTimeStamp":1}',
    '{"orderId":{"constructor":{"prototype":{"amount":"1.00"}}}}', '{"a":[{"\\u005f_proto__":null}]}'
  ]) {
    const response = await app.inject(post(payload))
    t.strictSame([response.statusCode, response.headers['error-code']], [400, 'body-invalid'], payload)
  }
})

t.test('STRICT refuses a field that the body has twice; the specification comes first', async t => {
  const { app } = testApp(t)
  const { app: strict } = testApp(t, { config: { STRICT: 'true' } })
  const purchase = '"amount":"100.00","merchantAccountNumber":"102551","sid":"s","clientTimeStamp":1709912345678}'
  for (const [first, field] of [
    ['"amount":"1.00"', 'amount'],
    ['"\\u0061mount":"100.00"', 'amount'],
    ['"sid":null,"a":[{"sid":1}]', 'sid'],
    ['"merchantToken":"","merchantToken":""', 'merchantToken'],
    ['"amount":"1.00","amount":"1.00","sid":null,"sid":null,"a":[{}]', 'amount'],
    ['"a":{"amount":1,"amount":2},"a":[{"sid":"s"}],"\\u0022":"\\",\\"amount\\":"', undefined]
  ] as const) {
    t.equal((await app.inject(post(`{${first},${purchase}`))).statusCode, 200, first)
    const response = await strict.inject(post(`{${first},${purchase}`))
    t.strictSame([response.headers['error-code'], response.json().error],
      field === undefined ? [undefined, undefined] : [`strict; field=${field}`, `${field} must be given only once`], first)
  }
  t.match((await strict.inject(post(`{"sid":"s",${purchase.replace('100.00', '0')}`))).body, 'Invalid amount')
})

const head = `POST ${url} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`
const chunked = `${head}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n`

/** Opens a connection to an app. */
async function dial (app: FastifyInstance): Promise<Socket> {
  const port = (app.server.address() as { port: number } | null)?.port ?? await portOf(app)
  return connect(port, '127.0.0.1').on('error', () => {})
}

/** Sends a body in chunks of one byte, and returns the response. */
async function inBytes (app: FastifyInstance, bytes: Buffer): Promise<string> {
  const client = await dial(app)
  client.write(chunked)
  client.write(Buffer.concat([...bytes].flatMap(byte => [Buffer.from('1\r\n'), Buffer.of(byte), Buffer.from('\r\n')])))
  client.write('0\r\n\r\n')
  return text(client)
}

t.test('a body may have 1,000 chunks', async t => {
  const { app } = testApp(t)
  const padded = (length: number) => Buffer.concat([Buffer.from(body), Buffer.alloc(length, ' ')]).subarray(0, length)
  t.match(await inBytes(app, padded(1000)), part1)
  for (const length of [1001, 50_000]) {
    const response = await inBytes(app, padded(length))
    t.match(response, /^HTTP\/1\.1 400 [^]*\r\nerror-code: body-invalid\r\n/)
    t.match(response, '{"error":"Request body comes in too many small chunks"}')
  }
})

t.test('a hook of the host may replace the body with a stream, and a refusal of that stream ends nothing', async t => {
  const { app } = embedded(t, {}, app => app.addHook('preParsing', async ({ headers }, _reply, payload) => {
    const kind = headers['x-kind']
    if (kind === 'gzip') return payload.pipe(createGunzip())
    return payload.pipe(new PassThrough())
  }))
  await portOf(app)

  /** Sends a body in chunks, as Fastify compares a whole body with its Content-Length. */
  async function send (kind: string, payload: string | Buffer, type = 'application/json'): Promise<string> {
    const client = await dial(app)
    client.write(chunked.replace('application/json', type).replace('\r\n', `\r\nX-Kind: ${kind}\r\n`))
    const size = type === 'text/plain' ? 100 : 1000 // more than 1,000 chunks behind a response are not counted
    for (let at = 0; at < payload.length; at += size) {
      const part = Buffer.from(payload).subarray(at, at + size)
      client.write(Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]))
    }
    client.write('0\r\n\r\n')
    return text(client)
  }
  const large = ' '.repeat(200_000)
  for (const [kind, payload, status, content, type] of [
    ['gzip', gzipSync(body), 200, part1],
    ['copy', body, 200, part1],
    ['gzip', gzipSync(' '.repeat(102_401)), 413, 'Request body is too large'],
    ['copy', large, 413, 'Request body is too large'],
    ['copy', large, 415, 'Unsupported Media Type', 'text/plain'],
    ['gzip', Buffer.from('not gzip'), 400, '{"error":"incorrect header check"}']
  ] as const) {
    const response = await send(kind, payload, type)
    t.match(response, `HTTP/1.1 ${status} `, kind)
    t.match(response, content)
  }
  t.match(await send('copy', body), part1, 'the process lives')
})

t.test('a body that something else has read, or reads, is refused by name', async t => {
  const { app } = embedded(t, {}, app => app.addHook('onRequest', async ({ raw }) => { raw.resume() }))
  const client = await dial(app)
  client.write(`${head}Content-Length: 2\r\n\r\n{`)
  t.match(String((await once(client, 'data'))[0]), /^HTTP\/1\.1 500 [^]*error-code: body-read\r\n[^]*\{"error":"The body of the request was read before: [^"]+"\}$/)
  client.destroy()

  const { app: behind, log } = embedded(t, {})
  await behind.ready()
  const { origin } = await serve(t, (request, response) => request.resume().on('end', () => behind.routing(request, response)))
  const response = await fetch(`${origin}${url}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  t.strictSame([response.status, response.headers.get('error-code')], [500, 'body-read'])
  t.match(log(), 'The body of the request was read before: mount before the body parser, or pass rawBody')
})
