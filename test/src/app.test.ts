import { spawnSync } from 'node:child_process'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { ConfigurationError, createApp } from '../../src/embed.js'
import { testApp } from '../support/app.js'
import { backend } from '../support/backend.js'
import { body, sign, signature } from '../support/example.js'
import { portOf } from '../support/http.js'
import { Log } from '../support/log.js'

const post = { method: 'POST', url: '/api/generate-signature', payload: body, headers: { 'content-type': 'application/json' } } as const

t.test('the address behind a proxy of TRUST_PROXY counts and is logged, that of others is not believed', async t => {
  const { app, log } = testApp(t, { config: { TRUST_PROXY: '10.0.0.5,2001:db8::/32', RATE_LIMIT_MAX: 1 } })
  const ask = async (remoteAddress: string, forwarded: string) =>
    (await app.inject({ ...post, remoteAddress, headers: { ...post.headers, 'x-forwarded-for': forwarded } })).statusCode
  t.strictSame([
    await ask('10.0.0.5', '192.0.2.1'), await ask('2001:db8::1', '192.0.2.1:4000'), await ask('10.0.0.5', '192.0.2.2'),
    await ask('198.51.100.7', '192.0.2.3'), await ask('198.51.100.7', '192.0.2.4')
  ], [200, 429, 200, 200, 429])
  t.strictSame([...log().matchAll(/"clientAddress":"([^"]+)"/g)].map(([, address]) => address), ['192.0.2.1', '192.0.2.1', '192.0.2.2', '198.51.100.7', '198.51.100.7'])
})

t.test('a request without a decision has its cause in its line, and the request id in the line of the outage', async t => {
  const AUTHORIZE_URL = await backend(t, (_request, response) => { response.writeHead(404).end('<h1>Not Found</h1>') })
  const { app, log } = testApp(t, { config: { AUTHORIZE_URL } })
  for (const id of ['one', 'two']) await app.inject({ ...post, headers: { ...post.headers, 'x-request-id': id } })
  const cause = 'status 404, no content type, decides nothing: likely the path of AUTHORIZE_URL is wrong'
  t.strictSame(log().trim().split('\n').map(line => JSON.parse(line)).filter(line => line.cause)
    .map(({ requestId, msg, cause }) => [requestId, msg, cause]), [
    ['one', 'authorization is unavailable', cause], ['one', 'request completed', cause], ['two', 'request completed', cause]
  ])
})

t.test('a logger of the host gets every line without the token, behind its own hook; AUDIT=true through it at any level', async t => {
  const log = new Log()
  const app = createApp({
    config: { MERCHANT_TOKEN: 'a-token-of-the-test', NODE_ENV: 'test', AUDIT: true, LOG_LEVEL: 'silent' },
    logger: { stream: log, hooks: { streamWrite: line => line.replace('decision', 'decision a-token-of-the-test') } }
  })
  t.teardown(() => app.close())
  await app.inject(post)
  t.match(JSON.parse(log.text), { level: 30, audit: { outcome: 'signed' }, msg: 'decision [redacted]' })
})

t.test('the schemas of routes that you add count', async t => {
  const schema = {
    querystring: { type: 'object', properties: { page: { type: 'integer', default: 1 } } },
    body: { type: 'object', required: ['count'], properties: { count: { type: 'integer', maximum: 9 } } },
    response: { 200: { type: 'object', properties: { count: { type: 'string' }, page: { type: 'integer' } } } }
  }
  const { app } = testApp(t)
  app.post<{ Body: { count: number }, Querystring: { page: number } }>('/own', { schema }, async ({ body, query }) =>
    ({ count: body.count, page: query.page, password: 'canary' }))
  const ask = async (query: string, payload: object) => app.inject({ method: 'POST', url: `/own${query}`, payload })
  t.equal((await ask('?page=2', { count: '5' })).body, '{"count":"5","page":2}')
  t.equal((await ask('', { count: 9 })).body, '{"count":"9","page":1}')
  for (const [query, payload] of [['', { count: 10 }], ['', {}], ['?page=x', { count: 5 }]] as const) {
    t.equal((await ask(query, payload)).statusCode, 400, `${query}, ${JSON.stringify(payload)}`)
  }
  t.strictSame((await app.inject(post)).json(), { signature })
})

t.test('a hook that delays the body of a request loses nothing of it', async t => {
  const { app } = testApp(t)
  app.addHook('preParsing', async (_request, _reply, payload) => {
    await setImmediate()
    return payload
  })
  t.strictSame(await sign(await portOf(app)), { signature })
  t.strictSame((await app.inject(post)).json(), { signature })
})

t.test('faults have the classes that the entry point exports, and their codes', async t => {
  t.throws(() => createApp({ logger: false, autorize: () => true } as object), new ConfigurationError('autorize is not an option', 'ERR_OPTIONS'))
  for (const [config, code, message] of [
    [{ AUDIT_FILE: '/nowhere/audit' }, 'ERR_CONFIGURATION', 'AUDIT_FILE is "/nowhere/audit", which cannot be opened (ENOENT)'],
    [{ AUDIT_FILE: './audit' }, 'ERR_CONFIGURATION', 'AUDIT_FILE and the option audit are both set; set one of them'],
    [{ AUTHORIZE_URL: 'http://127.0.0.1:9/may-sign' }, 'ERR_CONFIGURATION', 'AUTHORIZE_URL and the option authorize are both set; set one of them'],
    [{ MERCHANTS_FILE: './nowhere', VARIANT: 'B' }, 'ERR_CONFIGURATION', 'VARIANT is B, but each merchant of MERCHANTS_FILE has its own; leave it out'],
    [{ POLICY_FILE: './nowhere' }, 'ERR_POLICY', 'POLICY_FILE is "./nowhere", which cannot be used: ENOENT'],
    [{ MERCHANTS_FILE: './nowhere' }, 'ERR_TOKEN', 'MERCHANTS_FILE is "./nowhere", which cannot be used: ENOENT']
  ] as const) {
    const [, name] = /option (\w+)/.exec(message) ?? []
    const { app } = testApp(t, { config, ...name !== undefined && { [name]: () => true } })
    const error = await app.ready().then(() => undefined, error => error)
    t.ok(error instanceof ConfigurationError, code)
    t.match(error, { code, message })
  }
})

t.test('a program that closes the app and ends at once loses no line of the log', async t => {
  const program = `import { createApp } from '${new URL('../../src/embed.js', import.meta.url)}'
    const app = createApp({ config: { NODE_ENV: 'test', MERCHANT_TOKEN: 'a-token', AUDIT: true } })
    for (let sent = 0; sent < 50; sent++) await app.inject(${JSON.stringify(post)})
    await app.close()
    process.exit()`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })
  t.equal(stdout.split('"msg":"decision"').length, 51)
})

t.test('a handler of yours for unknown paths stands for ours', async t => {
  const { app } = testApp(t)
  const handler = (name: string) => async () => name
  app.register(async child => { child.setNotFoundHandler(handler('of the child')) }, { prefix: '/child' })
  t.match((await app.inject('/nowhere')).json(), { error: 'Not Found: GET /nowhere' })
  t.equal((await app.inject('/child/nowhere')).body, 'of the child')
  const { app: own } = testApp(t)
  own.setNotFoundHandler(handler('of the app'))
  t.equal((await own.inject('/nowhere')).body, 'of the app')
})

t.test('AUDIT=true without a log is a fault of the start, because it would record nothing', async t => {
  const { app } = testApp(t, { config: { AUDIT: true }, logger: false })
  await t.rejects(async () => app.ready(), { code: 'ERR_CONFIGURATION', message: /^AUDIT is true, but the option logger is false/ })
})
