import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import type { Test } from 'tap'
import { testApp } from '../../support/app.js'
import type { TestApp } from '../../support/app.js'
import { run } from '../../support/command-line.js'
import { freePort } from '../../support/free-port.js'
import { portOf } from '../../support/http.js'

const origin = 'https://shop.example'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

async function serving (t: Test, answer: Handler): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const baseOf = async ({ app }: TestApp): Promise<string> => `http://127.0.0.1:${await portOf(app)}`

/** The real service behind something that changes an answer before it goes out, by method and path. */
async function behind (
  t: Test, service: string, change: Record<string, (answer: { status: number, headers: Headers, body: string }) => void>
): Promise<string> {
  return serving(t, async (request, response) => {
    const { method = '', url = '' } = request
    const headers = new Headers(Object.entries(request.headers) as Array<[string, string]>)
    for (const name of ['host', 'connection', 'content-length']) headers.delete(name)
    const body = method === 'POST' ? Buffer.concat(await request.toArray()) : null
    const answer = await fetch(service + url, { method, headers, body, redirect: 'manual' })
    const changed = { status: answer.status, headers: new Headers(answer.headers), body: await answer.text() }
    change[`${method} ${url}`]?.(changed)
    changed.headers.delete('content-length')
    response.writeHead(changed.status, Object.fromEntries(changed.headers)).end(changed.body)
  })
}

interface Report {
  ok: boolean
  checks: Array<{ name: string, status: 'ok' | 'warning' | 'failed' | 'skipped', detail: string, advice: string }>
}

/** What the doctor says about one subject; and that it says so to people and programs alike. */
async function check (t: Test, subject: string, args: string[], env = {}): Promise<Report['checks'][number]> {
  const { code, stdout, stderr } = await run(['doctor', ...args, '--json'], { env })
  t.equal(stderr, '')
  const { ok, checks } = JSON.parse(stdout) as Report
  t.equal(ok, code === 0)
  t.equal(ok, checks.every(({ status }) => status !== 'failed'))
  const found = checks.find(({ name }) => name === subject)
  if (found === undefined) throw new Error(stdout)
  return found
}

const apiPath = '/api/generate-signature'

t.test('a service that is well', async t => {
  const base = await baseOf(testApp(t, { config: { CORS_ORIGIN: origin } }))
  const { code, stdout, stderr } = await run(['doctor', base, '--origin', origin])
  t.equal(stdout.replace(/\d+ ms/, '7 ms'), `${base}
✓ health     variant A, 7 ms
✓ clock      the service and this machine agree
✓ address    POST /api/generate-signature arrives, without a redirect
✓ errors     400 and JSON: merchantAccountNumber or accountNumber is required
✓ cors       pages of https://shop.example may call it and read the response
✓ signature  both parts are right
`)
  t.equal(stderr, '')
  t.equal(code, 0)
})

t.test('of variant B, without a token, an origin, and with the endpoint for a URL', async t => {
  const base = await baseOf(testApp(t, { config: { VARIANT: 'B' } }))
  for (const end of ['/', '/health', '/ready', apiPath]) {
    const { code, stdout } = await run(['doctor', base + end], { env: {} })
    t.ok(stdout.startsWith(`${base}\n✓ health     variant B`))
    t.match(stdout, '- cors       to check it, pass the page\'s --origin\n' +
      '✓ signature  part 1 is right; to check part 2, set MERCHANT_TOKEN or pass --token-file\n')
    t.equal(code, 0)
  }
})

t.test('a service that is not there', async t => {
  const silent = await serving(t, () => {})
  const base = `http://127.0.0.1:${await freePort()}`
  t.same(await run(['doctor', base]), {
    code: 1,
    stdout: `${base}\n✗ connection  ${base}: ECONNREFUSED\n` +
      '              → Is the service running, and does HOST let this machine reach it? Check the host and port of the URL.\n',
    stderr: '',
    terminal: ''
  })
  t.match(await check(t, 'connection', [silent, '--timeout', '50']), {
    detail: `${silent}: no response within 50 ms`, advice: 'Check firewalls and the proxy; --timeout allows more time.'
  })
  t.match(await check(t, 'connection', ['http://nowhere.invalid']), {
    detail: /^http:\/\/nowhere\.invalid: (ENOTFOUND|EAI_AGAIN)$/, advice: /^This host name does not resolve here/
  })
  t.match(await check(t, 'connection', [silent.replace('http:', 'https:'), '--timeout', '1000']), {
    status: 'failed' // the other end does not speak TLS
  })
})

t.test('a certificate that is not trusted', async t => {
  const { adviceOn } = await import('../../../tools/command-line/doctor/examine.js')
  const advice = 'This machine does not trust the certificate: set NODE_EXTRA_CA_CERTS to its CA\'s file, or fix the certificate.'
  for (const code of ['DEPTH_ZERO_SELF_SIGNED_CERT', 'CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE']) {
    t.equal(adviceOn(code), advice, code)
  }
})

t.test('a fault that is not the service\'s is not taken for one', async t => {
  const { examine } = await import('../../../tools/command-line/doctor/examine.js')
  const base = await baseOf(testApp(t))
  const subject = { base, origin: undefined, merchantToken: undefined, probe: { sid: '1', clientTimeStamp: 1 }, timeout: 1000 }
  await t.rejects(examine({ ...subject, apiKey: '\n' }), { code: 'ERR_INVALID_CHAR' })
})

t.test('an answer that breaks off, and one that does not end', async t => {
  const cut = await serving(t, (_request, response) => {
    response.writeHead(200, { 'content-length': '10' }).write('{')
    setImmediate(() => response.destroy())
  })
  t.match(await check(t, 'connection', [cut]), { detail: /: ECONNRESET$/ })
  const endless = await serving(t, (_request, response) => {
    response.on('error', () => {})
    response.write('x'.repeat(70_000))
  })
  t.match(await check(t, 'health', [endless]), { detail: 'GET /health: 200, no content type' })
})

t.test('a path prefix that the proxy does not strip', async t => {
  const base = await baseOf(testApp(t))
  t.match(await check(t, 'health', [`${base}/payments/`]), {
    status: 'failed',
    detail: 'GET /health: 404, Not Found: GET /payments/health',
    advice: 'The service received /payments/health: have the proxy strip the prefix, so that it receives /health.'
  })
  t.match(await check(t, 'address', [`${base}/payments/`]), {
    advice: 'The service received /payments/api/generate-signature: have the proxy strip the prefix, so that it ' +
      'receives /api/generate-signature.'
  })
  t.match(await check(t, 'errors', [`${base}/payments`]), { status: 'skipped' })
  t.match(await check(t, 'signature', [`${base}/payments`]), { status: 'skipped' })
})

t.test('something else answers', async t => {
  const base = await serving(t, (_request, response) => { response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>') })
  const advice = 'Something else responds there: check the host, port and path prefix of the URL, and where the proxy sends it.'
  t.match(await check(t, 'health', [base]), { status: 'failed', detail: 'GET /health: 404, text/html', advice })
  t.match(await check(t, 'address', [base]), { detail: `POST ${apiPath}: 404, text/html`, advice })
  const other = await serving(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true,"service":"another","variant":"A"}')
  })
  t.match(await check(t, 'health', [other]), { status: 'failed', detail: 'GET /health: 200, application/json', advice })
  const away = await behind(t, await baseOf(testApp(t)), { 'GET /health': answer => { answer.status = 503 } })
  t.match(await check(t, 'health', [away]), { status: 'failed', detail: 'GET /health: 503, application/json; charset=utf-8', advice })
  t.match(await check(t, 'signature', [away]), { status: 'skipped', detail: 'health and address have to pass first' })
})

t.test('redirects', async t => {
  const base = await serving(t, (request, response) => {
    response.writeHead(301, { location: `https://pay.example${request.url}` }).end()
  })
  const advice = `Give clients the URL that ${base} redirects to: a redirected POST arrives as a GET or not at all, and ` +
    'browsers refuse a redirected preflight.'
  for (const [name, what] of [['health', 'GET /health'], ['address', `POST ${apiPath}`], ['cors', `OPTIONS ${apiPath}`]] as const) {
    const path = what.slice(what.indexOf('/'))
    t.match(await check(t, name, [base, '--origin', origin]), {
      status: 'failed', detail: `${what}: 301, a redirect to https://pay.example${path}`, advice
    })
  }
  const nowhere = await serving(t, (_request, response) => { response.writeHead(307).end() })
  t.match(await check(t, 'health', [nowhere]), { detail: 'GET /health: 307, a redirect to nowhere' })
})

t.test('clocks', async t => {
  const service = await baseOf(testApp(t))
  const off = (seconds: number) => behind(t, service, {
    'GET /health': ({ headers }) => headers.set('date', new Date(Date.now() + seconds * 1000).toUTCString())
  })
  t.match(await check(t, 'clock', [await off(1)]), { status: 'ok' })
  const advice = 'Set both clocks by NTP: the payment side may refuse a clientTimeStamp that is off.'
  t.match(await check(t, 'clock', [await off(20)]), { status: 'warning', detail: /^the service is \d\d s ahead of this machine$/, advice })
  t.match(await check(t, 'clock', [await off(-60)]), { status: 'failed', detail: /^the service is \d\d s behind this machine$/, advice })
  const without = await serving(t, (_request, response) => {
    response.sendDate = false
    response.end()
  })
  t.match(await check(t, 'clock', [without]), { status: 'skipped', detail: 'the response has no Date header' })
})

t.test('errors that are not the service\'s', async t => {
  const service = await baseOf(testApp(t))
  const changed = (change: Parameters<typeof behind>[2][string]) => behind(t, service, { [`POST ${apiPath}`]: change })
  const html = await changed(answer => {
    answer.headers.set('content-type', 'text/html')
    answer.body = '<h1>Bad Request</h1>'
  })
  t.match(await check(t, 'errors', [html]), {
    status: 'failed',
    detail: 'a bad request gets 400, text/html',
    advice: 'The proxy responds itself, or rewrites errors: clients need the service\'s JSON, { "error": "…" }.'
  })
  const more = await changed(answer => { answer.body = '{"error":"x","statusCode":400}' })
  t.match(await check(t, 'errors', [more]), { status: 'failed' })
  const overloaded = await changed(answer => { answer.status = 503 })
  t.match(await check(t, 'errors', [overloaded]), { advice: 'The service is in trouble: check its log.' })
  const limited = await changed(answer => {
    answer.status = 429
    answer.headers.set('retry-after', '7')
  })
  t.match(await check(t, 'errors', [limited]), { advice: 'Too many requests: wait 7 seconds and try again.' })
  const limitedFor = await changed(answer => { answer.status = 429 })
  t.match(await check(t, 'errors', [limitedFor]), { advice: 'Too many requests: wait some seconds and try again.' })
})

t.test('CORS', async t => {
  const service = await baseOf(testApp(t, { config: { CORS_ORIGIN: origin } }))
  const cors = (base: string, of = origin) => check(t, 'cors', [base, '--origin', of])
  t.match(await cors(service, 'https://other.example'), {
    status: 'failed',
    detail: 'the preflight allows no origin',
    advice: 'Add exactly https://other.example to CORS_ORIGIN and restart; if it is there already, the proxy drops the header.'
  })
  const options = `OPTIONS ${apiPath}`
  t.match(await cors(await behind(t, service, { [options]: answer => { answer.status = 401 } })), {
    status: 'failed', advice: 'Browsers send preflights without credentials: have the proxy pass OPTIONS on to the service.'
  })
  t.match(await cors(await behind(t, service, {
    [options]: ({ headers }) => headers.append('access-control-allow-origin', '*')
  })), {
    detail: 'the preflight allows https://shop.example, *',
    advice: 'There are two headers: have either the proxy or the service write Access-Control-Allow-Origin, not both.'
  })
  t.match(await cors(await behind(t, service, {
    [`POST ${apiPath}`]: ({ headers }) => headers.delete('access-control-allow-origin')
  })), { detail: 'the response allows no origin' })
  t.match(await cors(await behind(t, service, {
    [options]: ({ headers }) => headers.delete('access-control-allow-headers')
  })), { detail: 'the preflight does not allow Content-Type' })
  t.match(await cors(await behind(t, service, {
    [options]: ({ headers }) => headers.set('access-control-allow-headers', '*')
  })), { status: 'ok' })
})

t.test('a page that browsers keep from plain http', async t => {
  const { checkCors } = await import('../../../tools/command-line/doctor/checks.js')
  const answer = { status: 204, headers: { 'access-control-allow-origin': '*' }, body: '', took: 1, receivedAt: 0 }
  t.match(checkCors('http://pay.example', origin, answer, answer), {
    status: 'failed',
    detail: 'a page of https://shop.example may not call http://pay.example',
    advice: 'Browsers block http requests from an https page: put the service behind TLS.'
  })
  for (const base of ['https://pay.example', 'http://localhost:3001', 'http://[::1]', 'http://127.0.0.1']) {
    t.match(checkCors(base, origin, answer, answer), { detail: 'the preflight does not allow Content-Type' })
  }
  t.match(checkCors('http://pay.example', 'http://shop.example', answer, answer), { detail: 'the preflight does not allow Content-Type' })
})

t.test('a service with a policy', async t => {
  const folder = t.testdir({
    key: 'example-key\n',
    'policy.json': '{"callers":[{"name":"back-office","operations":["refund"],"accountNumbers":["654321"],' +
      '"apiKeySha256":"c018c41c1afaf2c0b66c64f97d0ee135657b699ad260f299234cd40a5d625e0e"}]}'
  })
  const base = await baseOf(testApp(t, { config: { POLICY_FILE: join(folder, 'policy.json') } }))
  t.match(await check(t, 'errors', [base]), { status: 'ok', detail: /^401 and JSON/ })
  t.match(await check(t, 'signature', [base]), {
    status: 'failed', advice: 'It has a policy: set PAYMENT_SIGNATURE_API_KEY, or pass --api-key-file.'
  })
  t.match(await check(t, 'signature', [base], { PAYMENT_SIGNATURE_API_KEY: 'canary-key' }), {
    status: 'failed', advice: 'The policy does not know this API key: compare its SHA-256 with apiKeySha256.'
  })
  t.match(await check(t, 'signature', [base], { PAYMENT_SIGNATURE_API_KEY: 'example-key' }), {
    status: 'failed',
    detail: '403, caller "back-office" may not sign this operation (operations)',
    advice: 'It does not sign the request of this check: describe one that it signs, with flags such as --merchant-account-number.'
  })
  const fields = ['--operation-type', 'refund', '--amount', '1.00', '--transaction-fcrn', '1', '--account-number', '654321']
  t.match(await check(t, 'signature', [base, '--api-key-file', join(folder, 'key'), ...fields]), { status: 'ok' })
})

t.test('an API key over plain http', async t => {
  const base = await baseOf(testApp(t)) // to the doctor 0.0.0.0 is another machine
  const key = { PAYMENT_SIGNATURE_API_KEY: 'canary-key' }
  const report = async (base: string, env = {}) => (await run(['doctor', base], { env })).stdout.split('\n').slice(0, 3)
  t.match(await report(base.replace('127.0.0.1', '0.0.0.0'), key), [
    /^http:\/\/0\.0\.0\.0:\d+$/, '! encryption  the API key is sent to 0.0.0.0 over plain http, readable on the way',
    '              → Use the https URL of the service. If this one is public, replace the key.'
  ])
  for (const [url, env] of [[base, key], [base.replace('127.0.0.1', '0.0.0.0'), {}], ['https://127.0.0.1:1', key]] as const) {
    t.notMatch((await report(url, env)).join(), 'encryption')
  }
})

t.test('signatures that are wrong', async t => {
  const base = await baseOf(testApp(t))
  t.match(await check(t, 'signature', [base], { MERCHANT_TOKEN: 'another-token-of-a-test' }), {
    status: 'failed',
    detail: 'part 1 is right, part 2 is not: the service has another token',
    advice: 'Compare the output of payment-signature kcv with the key check value in the service\'s start line.'
  })
  const other = await behind(t, base, {
    [`POST ${apiPath}`]: answer => { answer.body = answer.body.replace(/"[0-9a-f]/, '"_') }
  })
  t.match(await check(t, 'signature', [other]), {
    status: 'failed', detail: 'part 1, which holds no secret, is not that of the request'
  })
})

t.test('wrong usage', async t => {
  const folder = t.testdir({ key: 'two words' })
  const cases: Array<[string[], string]> = [
    [[], 'pass the URL of the service, such as http://localhost:3001'],
    [['localhost:3001'], 'the URL must begin with http:// or https://, such as http://localhost:3001, and have no user name or password'],
    [['http://localhost', '--origin', `${origin}/`], '--origin must be an origin as browsers send it, such as https://shop.example: no path, no trailing slash'],
    [['http://localhost', '--api-key-file', join(folder, 'key')], 'the API key must be ASCII without spaces'],
    [['http://localhost', '--api-key-file', 'canary'], '--api-key-file cannot be read (ENOENT): it must be the path of a file, such as ./token; what was given is not shown, since it may be the secret itself']
  ]
  for (const [args, message] of cases) {
    const { code, stderr } = await run(['doctor', ...args])
    t.equal(stderr, `payment-signature: ${message}\n`)
    t.equal(code, 2)
  }
})
