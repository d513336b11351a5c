import t from 'tap'
import { InvalidRequestError, SigningError } from '../../../src/scheme/errors.js'
import { testApp } from '../../support/app.js'
import { embedded } from '../../support/embedded.js'
import { answer } from '../../support/http.js'

const url = '/api/generate-signature'
const json = { 'content-type': 'application/json' }

for (const [what, request, statusCode, error] of [
  ['an unknown path', { method: 'GET', url: '/nowhere?token=canary' }, 404, 'Not Found: GET /nowhere'],
  ['a path with a final slash', { method: 'POST', url: `${url}/`, payload: {} }, 404, `Not Found: POST ${url}/`],
  ['an unknown path and a body of another type',
    { method: 'POST', url: '/nowhere', payload: '<a/>', headers: { 'content-type': 'text/xml' } },
    404, 'Not Found: POST /nowhere'],
  ['an unknown path and a malformed body', { method: 'POST', url: '/nowhere', payload: '{', headers: json },
    404, 'Not Found: POST /nowhere'],
  ['malformed JSON', { method: 'POST', url, payload: '{"amount":', headers: json },
    400, 'Body is not valid JSON but content-type is set to \'application/json\''],
  ['an empty body', { method: 'POST', url, payload: '', headers: json },
    400, 'Body cannot be empty when content-type is set to \'application/json\''],
  ['no body and no type', { method: 'POST', url }, 400, 'Request body must be a JSON object'],
  ['a text/plain body', { method: 'POST', url, payload: '{}', headers: { 'content-type': 'text/plain' } },
    415, 'Unsupported Media Type: send the body as application/json'],
  ['a form', { method: 'POST', url, payload: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    415, 'Unsupported Media Type: send the body as application/json'],
  ['no type', { method: 'POST', url, payload: Buffer.from('{}') },
    415, 'Unsupported Media Type: send the body as application/json'],
  ['a broken type', { method: 'POST', url, payload: '{}', headers: { 'content-type': ';;' } },
    415, 'Unsupported Media Type: send the body as application/json'],
  ['a body over the limit', { method: 'POST', url, payload: { sid: 'x'.repeat(102_400) } }, 413, 'Request body is too large'],
  ['a malformed URL', { method: 'GET', url: '/%c0' }, 400, 'Malformed URL']
] as const) {
  t.test(`${what} is answered with ${statusCode}`, async t => {
    const { app, log } = testApp(t)
    const response = await app.inject(request)
    t.equal(response.statusCode, statusCode)
    t.equal(response.headers['content-type'], 'application/json; charset=utf-8')
    t.equal(response.body, JSON.stringify({ error }))
    t.match(log(), statusCode === 404 ? '"statusCode":404,"responseTime":' : `"statusCode":${statusCode},"error":${JSON.stringify(error)}`)
    t.notMatch(log(), 'canary')
  })
}

t.test('a method that a path does not have is answered with 405', async t => {
  const { app } = testApp(t)
  for (const [method, path, allow] of [
    ['GET', url, 'POST, OPTIONS'],
    ['HEAD', url, 'POST, OPTIONS'],
    ['PUT', url, 'POST, OPTIONS'],
    ['PATCH', `${url}?a=b`, 'POST, OPTIONS'],
    ['DELETE', url, 'POST, OPTIONS'],
    ['GET', '/api/generate%2dsignature?a=%2F', 'POST, OPTIONS'],
    ['POST', '/health', 'HEAD, GET, OPTIONS'],
    ['DELETE', '/', 'HEAD, GET, OPTIONS']
  ] as const) {
    const response = await app.inject({ method, url: path, payload: 'text', headers: { 'content-type': 'text/plain' } })
    t.equal(response.statusCode, 405, `${method} ${path}`)
    t.strictSame(response.headers.allow?.toString().split(', ').sort(), allow.split(', ').sort())
    t.equal(response.headers['content-type'], 'application/json; charset=utf-8')
    if (method !== 'HEAD') t.same(response.json(), { error: `Method Not Allowed: ${method} ${path.split('?')[0]}` })
  }
})

t.test('BODY_LIMIT is the limit', async t => {
  const { app } = testApp(t, { config: { BODY_LIMIT: 60 } })
  const request = '{"accountNumber":"1","sid":"s","clientTimeStamp":1,"a":"xxx"}'
  const post = (payload: string) => app.inject({ method: 'POST', url, payload, headers: json })
  t.equal(request.length, 61)
  const refused = await post(request)
  t.equal(refused.statusCode, 413)
  t.not(refused.headers.connection, 'close', 'which would often take the response with it')
  t.equal((await post(request.replace('xxx', 'xx'))).statusCode, 200)
})

t.test('a URL parameter that is too long', async t => {
  const { app } = testApp(t)
  app.get('/of/:name', async () => ({}))
  t.strictSame(await answer(app, `/of/${'x'.repeat(101)}`), [414, { error: 'URL parameter is too long' }])
})

const statuses = [302, 399, 400, 499, 500, 502, 503, 504]
for (const thrown of [new Error('secret detail'), null, undefined, 'secret detail', { statusCode: 200 }, { statusCode: 418 },
  ...statuses.map(statusCode => Object.assign(new Error('detail'), { statusCode }))]) {
  t.test(`a thrown ${thrown instanceof Error ? 'Error ' : ''}${JSON.stringify(thrown)}`, async t => {
    const { app, log } = testApp(t)
    app.get('/fault', async () => { throw thrown })
    const { statusCode } = Object(thrown)
    const isForClients = thrown instanceof Error && [400, 499, 503].includes(statusCode)
    t.strictSame(await answer(app, '/fault'),
      isForClients ? [statusCode, { error: 'detail' }] : [500, { error: 'Internal Server Error' }])
    t.equal(log().includes('"msg":"unexpected fault"'), !isForClients)
    if (!isForClients && thrown instanceof Error) t.match(log(), thrown.message)
  })
}

t.test('the header Error-Code contains no text of a request or of a custom signer', async t => {
  const { app } = testApp(t, { config: { STRICT: true } })
  const payload = { amount: '1.00', accountNumber: '102551', sid: 's', clientTimeStamp: 1709912345678 }
  const code = async (fields: object) =>
    (await app.inject({ method: 'POST', url, payload: { ...payload, ...fields } })).headers['error-code']
  t.equal(await code({ OrderID: 'x' }), 'strict; field=orderId')
  t.equal(await code({ sid: 'amount\r\nset-cookie: a=b' }), 'strict; field=sid')
  t.equal(await code({ orderId: ['sid'] }), 'strict; field=orderId')

  for (const thrown of [
    new InvalidRequestError('ERR_A\r\nSet-Cookie: a=b' as 'ERR_STRICT', 'amount'),
    new SigningError('ERR_SIGNING_FAILED', 'amount of memory'),
    new Error('amount')
  ]) {
    const signer = { variant: 'A', read: () => { throw thrown }, signReading: () => '' }
    const custom = testApp(t, { signer }).app
    t.equal((await custom.inject({ method: 'POST', url, payload })).headers['error-code'], 'signing-failed')
  }
})

t.test('the header Error-Code of the plugin', async t => {
  for (const [thrown, statusCode, code] of [
    [Object.assign(new Error('no session'), { statusCode: 401 }), 401, 'refused'],
    [Object.assign(new Error('later'), { statusCode: 503 }), 503, 'unavailable'],
    [Object.assign(new Error('no session'), { statusCode: 401, code: 'constructor' }), 401, 'refused'],
    [{ statusCode: 400, message: 7 }, 500, 'fault'],
    [new Error('detail'), 500, 'fault']
  ] as const) {
    const { app } = embedded(t, { authorize: () => true }, app => app.addHook('preHandler', async () => { throw thrown }))
    const response = await app.inject({ method: 'POST', url, payload: { accountNumber: '1', sid: 's', clientTimeStamp: 1 } })
    t.strictSame([response.statusCode, response.headers['error-code']], [statusCode, code])
    t.strictSame(Object.keys(response.json()), ['error'])
  }
  const { app } = embedded(t, { authorize: () => ({ statusCode: 409, error: 'paid' }) })
  const response = await app.inject({ method: 'POST', url, payload: { accountNumber: '1', sid: 's', clientTimeStamp: 1 } })
  t.strictSame([response.statusCode, response.headers['error-code']], [409, 'refused'])
})
