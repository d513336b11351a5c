import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { testApp } from '../../support/app.js'
import { answer, portOf } from '../../support/http.js'

const url = '/api/generate-signature'
const post = (payload: string | Buffer, headers = {}) =>
  ({ method: 'POST', url, payload, headers: { 'content-type': 'application/json', ...headers } }) as const

const body = '{"accountNumber":"1","sid":"é€😀","clientTimeStamp":1}'
// printf '%s' '1é€😀' | sha256sum
const part1 = 'eea17d1f487a17510da7a7a28f4572f077edef476aaebebc5e9b654ae60718c4'

t.test('UTF-8 in a body is hashed unchanged', async t => {
  const { app } = testApp(t)
  for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"', 'application/json;charset= utf-8']) {
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

t.test('the refusal of a body that was serialized twice, or not at all, says so without its text', async t => {
  const { app } = testApp(t)
  const twice = 'Request body must be a JSON object, and is a JSON string: serialize the object only once'
  for (const [payload, error] of [
    [JSON.stringify(body), twice],
    ['"canary"', twice],
    ['[object Object]', 'Request body is "[object Object]": serialize the object as JSON'],
    ['[object Objects]', 'Body is not valid JSON but content-type is set to \'application/json\''],
    [`[${body}]`, 'Request body must be a JSON object']
  ] as const) {
    const response = await app.inject(post(payload))
    t.strictSame([response.statusCode, response.headers['error-code'], response.json()], [400, 'body-invalid', { error }])
  }
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

const chunked = `POST ${url} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`

/** Sends a body in chunks of one byte, and returns the response, behind which the service ends a long body. */
async function inBytes (port: number, bytes: Buffer): Promise<string> {
  const client = connect(port, '127.0.0.1')
  client.write(chunked)
  client.write(Buffer.concat([...bytes].flatMap(byte => [Buffer.from('1\r\n'), Buffer.of(byte), Buffer.from('\r\n')])))
  client.write('0\r\n\r\n')
  let received = ''
  client.setEncoding('utf8').on('data', data => { received += data }).on('error', () => {})
  await new Promise(resolve => client.once('close', resolve))
  return received
}

t.test('a body may have any number of chunks, and at most 16 KiB', async t => {
  const port = await portOf(testApp(t).app)
  const padded = (length: number) => Buffer.concat([Buffer.from(body), Buffer.alloc(length, ' ')]).subarray(0, length)
  t.match(await inBytes(port, padded(16_384)), part1)
  const tooLarge = await inBytes(port, padded(16_385))
  t.match(tooLarge, /^HTTP\/1\.1 413 [^]*\r\nerror-code: body-too-large\r\n/)
  t.match(tooLarge, '{"error":"Request body is too large"}')
})

t.test('only Node.js judges Content-Length: a length that an injected request has, or a hook makes wrong, changes nothing', async t => {
  for (const length of ['-1', 'abc', '5', '99999']) {
    const { app, log } = testApp(t)
    const response = await app.inject(post(body, { 'content-length': length }))
    t.equal(response.statusCode, 200, length)
    t.notMatch(log(), '"level":50')
  }
  const { app } = testApp(t)
  app.addHook('preParsing', async (_request, _reply, payload) =>
    Readable.from([...await (payload as Readable).toArray(), Buffer.from(' '.repeat(2000))]))
  t.equal((await app.inject(post(body))).statusCode, 200)
})
