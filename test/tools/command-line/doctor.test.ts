import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { AppOptions } from '../../../src/embed.js'
import { testApp, token } from '../../support/app.js'
import { answering, serving } from '../../support/backend.js'
import { refuses, run } from '../../support/command-line.js'
import { freePort } from '../../support/free-port.js'
import { portOf } from '../../support/http.js'

delete process.env.npm_command // `npx tap` sets it, and errors would name the program with npx

const origin = 'https://shop.example'
const apiPath = '/api/generate-signature'

const service = async (t: Test, config = {}): Promise<string> =>
  `http://127.0.0.1:${await portOf(testApp(t, { config: { CORS_ORIGIN: origin, ...config } }).app)}`

/** Changes a response. A header that is null is removed. */
interface Change { status?: number, headers?: Record<string, string | null>, body?: string }

/** Starts a proxy of the service, which changes the responses and may drop a header of the requests. */
const proxyOf = (t: Test, base: string, change: (route: string, status: number) => Change, dropped = ''): Promise<string> =>
  serving(t, async (request, response) => {
    const { method = '', url = '' } = request
    const sent = Object.entries(request.headers).filter(([name]) => !['host', 'connection', 'content-length', dropped].includes(name))
    const content = method === 'POST' ? Buffer.concat(await request.toArray()) : null
    const answer = await fetch(base + url, { method, headers: sent as Array<[string, string]>, body: content })
    const { status = answer.status, headers, body = await answer.text() } = change(`${method} ${url}`, answer.status)
    for (const [name, value] of Object.entries({ ...Object.fromEntries(answer.headers), ...headers, 'content-length': null })) {
      if (value !== null) response.setHeader(name, value)
    }
    response.writeHead(status).end(body)
  })

/** Starts the service behind a proxy that changes the responses to `route`. */
const behind = (t: Test, base: string, route: string, change: Change) =>
  proxyOf(t, base, asked => asked === route ? change : {})

/** Returns the arguments for headers. */
const headersFrom = (t: Test, headers: string): string[] => ['--headers-file', join(t.testdir({ headers }), 'headers')]

/** Returns status, detail and advice of each check of a purchase that must be signed, with BASE for the URL. */
const findings = async (t: Test, base: string, args: string[] = [], env = {}) => examined(t, base, ['amount=1.00', ...args], env)

/** Returns status, detail and advice of each check, with BASE for the URL. */
async function examined (t: Test, base: string, args: string[], env = {}): Promise<Record<string, string[]>> {
  const { code, stdout, stderr } = await run(['doctor', base, ...args, '--json'], { env })
  t.equal(stderr, '')
  const { url, ok, checks } = JSON.parse(stdout)
  t.equal(ok, code === 0)
  const shown = (text: string): string => text.replaceAll(url, 'BASE')
  const found = (checks as Array<Record<string, string>>).map(({ name, status, detail = '', advice = '' }) =>
    [name, [status, shown(detail), shown(advice)]])
  t.equal(ok, !JSON.stringify(found).includes('"failed"'))
  return Object.fromEntries(found)
}

t.test('a healthy service passes all checks', async t => {
  const base = await service(t)
  const { code, stdout, stderr } = await run(['doctor', base, '--origin', origin, 'amount=1.00'])
  t.equal(stdout, `${base}
✓ reachable  variant A, POST /api/generate-signature arrives
✓ ready      it takes requests
✓ signature  both parts are right
✓ cors       pages of https://shop.example may call it without cookies and read the response; a page with cookies needs CORS_ORIGIN=https://shop.example and CORS_CREDENTIALS=true
`)
  t.equal(stderr, '')
  t.equal(code, 0)
})

t.test('variant B, without a token and an origin, with the URL of the endpoint', async t => {
  const base = await service(t, { VARIANT: 'B' })
  for (const end of ['/', '/health', '/ready', apiPath]) {
    const { code, stdout } = await run(['doctor', base + end, 'amount=1.00'], { env: {} })
    t.ok(stdout.startsWith(`${base}\n✓ reachable  variant B, `))
    t.match(stdout, '✓ signature  part 1 is right; to check part 2, set MERCHANT_TOKEN or pass --token-file\n' +
      '- cors       to check pages of another origin, pass --origin\n')
    t.equal(code, 0)
  }
})

t.test('a service that does not respond', async t => {
  const silent = await serving(t, () => {})
  const cut = await serving(t, (_request, response) => {
    response.writeHead(200, { 'content-length': '10' }).write('{')
    setImmediate(() => response.destroy())
  })
  const start = 'Is the service running, and does HOST let this machine reach it? Check the host and port of the URL.'
  const base = `http://127.0.0.1:${await freePort()}`
  t.same(await run(['doctor', base]), {
    code: 1, stdout: `${base}\n✗ connection  ${base}: ECONNREFUSED\n              → ${start}\n`, stderr: ''
  })
  t.strictSame(await findings(t, silent), {
    connection: ['failed', 'BASE: no response within 5000 ms', start]
  })
  t.strictSame(await findings(t, cut), { connection: ['failed', 'BASE: UND_ERR_SOCKET', start] })
  t.match(await findings(t, 'http://nowhere.invalid'), {
    connection: ['failed', /^BASE: (ENOTFOUND|EAI_AGAIN)$/, start]
  })
  t.match(await findings(t, (await service(t)).replace('http:', 'https:')), {
    connection: ['failed', /^BASE: (EPROTO|ERR_SSL_.+)$/, 'The TLS handshake failed. If the service has no TLS, use http:// in the URL.']
  })
})

t.test('a path prefix that the proxy does not strip', async t => {
  const { reachable, signature } = await findings(t, `${await service(t)}/payments/`)
  t.strictSame([reachable, signature], [
    ['failed', 'POST /api/generate-signature: 404, Not Found: POST /payments/api/generate-signature',
      'The service received /payments/api/generate-signature: have the proxy strip the prefix.'],
    ['skipped', 'it has to be reachable first', '']
  ])
})

const elsewhere = 'Another server responds, not this service: check the URL, and where the proxy sends the request.'
const redirects = 'Give clients the URL that it redirects to: a redirected POST arrives as a GET or not at all, and browsers refuse a ' +
  'redirected preflight.'
const replaced = 'The proxy replaces the service\'s error responses, or a firewall answers. Have it pass them on: nginx ' +
  'proxy_intercept_errors off, IIS existingResponse="PassThrough".'
const passOn = 'Have the proxy pass OPTIONS on to the service, and its response back.'
const notAdded = `Add exactly ${origin} to CORS_ORIGIN and restart; if it is there already, the proxy drops the header.`
const html = { headers: { 'content-type': 'text/html' }, body: '<h1>' }
const moved = { status: 301, headers: { location: 'https://pay.example' } }
const unchanged = service(t)
const [health, post, preflight] = ['GET /health', `POST ${apiPath}`, `OPTIONS ${apiPath}`]

for (const [name, route, change, ...expected] of [
  ['signature', health, { ...html, status: 404 }, 'ok', 'part 1 is right; to check part 2, set MERCHANT_TOKEN or pass --token-file', ''],
  ['reachable', health, { body: '{"ok":true,"service":"another","variant":"A"}' }, 'ok', `${post} arrives`, ''],
  ['reachable', post, { ...html, status: 502 }, 'failed', `${post}: 502, text/html`,
    'The proxy does not reach the service: is it running, and at the address that the proxy has?'],
  ['reachable', post, { ...html, status: 200 }, 'failed', `${post}: 200, text/html`, elsewhere],
  ['reachable', post, { ...html, status: 400 }, 'failed', `${post}: 400, text/html`, replaced],
  ['reachable', post, { ...html, status: 404 }, 'failed', `${post}: 404, text/html`, elsewhere],
  ['reachable', post, moved, 'failed', `${post}: 301, a redirect to https://pay.example`, redirects],
  ['signature', post, { status: 503, body: '{"error":"no token"}' }, 'failed', '503, no token', 'The service, or something behind it, is in trouble: check its log.'],
  ['signature', post, { status: 429, body: '{"error":"Too many"}' }, 'failed', '429, Too many', 'Too many requests: try again later.'],
  ['ready', 'GET /ready', { status: 503, body: '{"error":"no token"}' }, 'failed', '503, no token', 'It starts or stops, or what it needs is missing: check its log.'],
  ['cors', preflight, moved, 'failed', `${preflight}: 301, a redirect to https://pay.example`, redirects],
  ['cors', preflight, { status: 401 }, 'failed', `${preflight}: 401, no content type`, passOn],
  ['cors', preflight, { headers: { 'access-control-allow-origin': null } }, 'failed', 'the preflight allows no origin', notAdded],
  ['cors', post, { headers: { 'access-control-allow-origin': null } }, 'failed', 'the response allows no origin', notAdded],
  ['cors', preflight, { headers: { 'access-control-allow-origin': `${origin}, *` } }, 'failed', `the preflight allows ${origin}, *`,
    'There are two headers: have either the proxy or the service write Access-Control-Allow-Origin, not both.'],
  ['cors', preflight, { headers: { 'access-control-allow-headers': null } }, 'failed',
    'a page that sends content-type, authorization is blocked: the preflight allows no header only', passOn],
  ['cors', preflight, { headers: { 'access-control-allow-headers': 'Content-Type' } }, 'warning',
    'a page that sends authorization is blocked: the preflight allows content-type only', passOn]
] as ReadonlyArray<[name: string, route: string, change: Change, ...expected: string[]]>) {
  t.test(`${name}: ${route} changed by ${JSON.stringify(change)}`, async t => {
    const base = await behind(t, await unchanged, route, change)
    t.strictSame((await findings(t, base, ['--origin', origin]))[name], expected)
  })
}

t.test('a proxy that replaces error pages: the signature is checked', async t => {
  const base = await service(t, { STRICT: 'true' })
  for (const [isHeaderKept, isAlone] of [[false, false], [true, false], [false, true], [true, true]]) {
    const page = { 'content-type': 'text/html', ...!isHeaderKept && { 'error-code': null, 'access-control-allow-origin': null } }
    const proxy = await proxyOf(t, base, (route, status) => {
      if (isAlone && !route.endsWith(apiPath)) return { ...html, status: 404 }
      return status < 300 ? {} : { headers: page, body: '<h1>An error occurred</h1>' }
    })
    for (const url of isAlone ? [proxy + apiPath] : [proxy, proxy + apiPath]) {
      const found = await findings(t, url, ['--origin', origin], { MERCHANT_TOKEN: token })
      t.strictSame(found.reachable, ['failed', `${post}: 400, text/html`, replaced])
      t.strictSame(found.signature, ['ok', 'both parts are right', ''])
      t.equal(found.cors?.[0], 'ok')
      const { reachable } = await examined(t, url, ['operationType=sale'])
      t.equal(reachable?.[2], isAlone && !isHeaderKept ? elsewhere : replaced, 'the request of the check is refused')
    }
  }
})

t.test('a page of the same origin, and clocks that differ', async t => {
  const base = await service(t, { STRICT: 'true' })
  t.strictSame((await findings(t, base, ['--origin', base])).cors,
    ['ok', 'a page of BASE has the same origin: it sends its cookies and needs no CORS', ''])
  t.match((await findings(t, base, [`clientTimeStamp=${Date.now() + 172_800_000}`])).signature,
    ['failed', /^400, clientTimeStamp /, 'Set the clocks of this machine and of the service: they differ by more than a day.'])
})

t.test('pages with cookies, and with headers of their own', async t => {
  const base = await service(t, { CORS_CREDENTIALS: 'true' })
  const args = ['--origin', origin, ...headersFrom(t, 'Cookie: session=1\nX-Session: 2\n')]
  t.strictSame((await findings(t, base, args)).cors, ['ok', `pages of ${origin} may call it, also with cookies, and read the response`, ''])
  const blocked = await behind(t, base, preflight, { headers: { 'access-control-allow-headers': 'content-type, authorization' } })
  t.match((await findings(t, blocked, args)).cors, ['warning', /^a page that sends x-session is blocked/])
})

t.test('a service with a policy, and with another token', async t => {
  const folder = t.testdir({
    key: 'example-key\n',
    other: 'canary-key',
    'policy.json': '{"callers":[{"name":"back-office","operations":["refund"],"accountNumbers":["654321"],' +
      '"apiKeySha256":"c018c41c1afaf2c0b66c64f97d0ee135657b699ad260f299234cd40a5d625e0e"}]}'
  })
  const base = await service(t, { POLICY_FILE: join(folder, 'policy.json') })
  const [key, other] = ['key', 'other'].map(name => ['--api-key-file', join(folder, name)]) as [string[], string[]]
  const withKey = [...key, 'operationType=refund', 'amount=1.00', 'transactionFCRN=1', 'accountNumber=654321']
  const required = '401, An API key is required: send it as Authorization: Bearer'
  for (const [args, env, ...expected] of [
    [[], {}, 'failed', required, 'It has a policy: pass --api-key-file.'],
    [other, {}, 'failed', '401, The API key is not known',
      'The policy does not know the key that arrived: compare its SHA-256 with apiKeySha256.'],
    [key, {}, 'failed', '403, caller "back-office" may not sign this operation (operations)',
      'It does not sign the request of this check: describe one that it signs, such as merchantAccountNumber=102551.'],
    [withKey, {}, 'ok', 'part 1 is right; to check part 2, set MERCHANT_TOKEN or pass --token-file', ''],
    [withKey, { MERCHANT_TOKEN: 'another-token-of-a-test' }, 'failed', 'part 1 is right, part 2 is not: the service has another token',
      'Compare the key check values of serve --check and of the service\'s start line.']
  ] as ReadonlyArray<[args: string[], env: object, ...expected: string[]]>) {
    t.strictSame((await examined(t, base, args.length === 0 || args.length === 2 ? [...args, 'amount=1.00'] : args, env)).signature, expected)
  }
  const withoutKey = await proxyOf(t, base, () => ({}), 'authorization')
  t.strictSame((await examined(t, withoutKey, withKey)).signature, ['failed', required,
    'The key did not arrive: a proxy drops or replaces Authorization. Have it pass the header on.'])
})

t.test('a backend that refuses the request of the check', async t => {
  const [base, other] = await Promise.all(['{"allowed":false}', '{"allowed":false,"code":"LOG_IN"}'].map(async body =>
    service(t, { AUTHORIZE_URL: await serving(t, answering(401, body)) })))
  const refused = 'Your backend (AUTHORIZE_URL) refused it: describe a request that it allows, such as an unpaid order, and pass its cookie or session ' +
    'with --headers-file. The check sent '
  const passed = '; the service passes on authorization, cookie and traceparent.'
  const folder = t.testdir({ headers: 'Cookie: session=canary\nX-Session: canary', key: 'canary' })
  for (const [args, names] of [
    [[], 'neither cookie nor session'],
    [['--origin', origin, '--headers-file', join(folder, 'headers')], 'cookie, x-session'],
    [['--api-key-file', join(folder, 'key')], 'authorization']
  ] as const) {
    t.strictSame((await findings(t, base!, [...args])).signature, ['failed', '401, Refused by the merchant', refused + names + passed])
    t.match((await findings(t, other!, [...args])).signature, ['failed', '401, Refused by the merchant (reason=LOG_IN)'])
  }
})

t.test('a backend that decides nothing, such as the page of a framework', async t => {
  const advice = 'Your backend (AUTHORIZE_URL) gave no decision: the service\'s log has the likely cause, and on its machine doctor --authorize-url asks ' +
    'the route itself. The check sent cookie; the service passes on authorization, cookie and traceparent.'
  for (const [status, body] of [[404, '<pre>Cannot POST /may-sign</pre>'], [403, '<h1>Forbidden</h1>'], [204, '']] as const) {
    const AUTHORIZE_URL = await serving(t, answering(status, body, { 'content-type': 'text/html' }))
    const found = await findings(t, await service(t, { AUTHORIZE_URL }), headersFrom(t, 'Cookie: session=canary'))
    t.strictSame(found.signature, ['failed', '503, Authorization is unavailable, try again', advice])
  }
})

/** Starts a server that passes one path to an app, for a shopper with a session. Returns its URL with a prefix. */
async function embedding (t: Test, config: AppOptions['config'] = {}): Promise<string> {
  const { app } = testApp(t, { config, authorize: ({ headers }) => headers.cookie === 'session=1' })
  const origin = await serving(t, async (request, response) => {
    if (request.url !== `/payments${apiPath}`) return response.writeHead(404).end('not here')
    const payload = Buffer.concat(await request.toArray())
    const passed = await app.inject({ method: 'POST', url: apiPath, headers: request.headers as Record<string, string>, payload })
    response.writeHead(passed.statusCode, { 'content-type': 'application/json', 'error-code': passed.headers['error-code'] ?? '' })
    response.end(passed.body)
  })
  return `${origin}/payments`
}

t.test('an embedded route, which has no /health: with a session, a token and a variant', async t => {
  const session = headersFrom(t, 'Cookie: session=1')
  const base = await embedding(t)
  const arrives = `${post} arrives`
  const right = ['ok', 'both parts are right', '']
  for (const url of [base, base + apiPath]) {
    t.match(await findings(t, url, session, { MERCHANT_TOKEN: token }), { reachable: ['ok', arrives, ''], signature: right })
    t.match((await findings(t, url, session, { MERCHANT_TOKEN: 'another-token-of-a-test' })).signature, ['failed',
      'part 1 is right, part 2 is not: the service has another token', / Or it signs the other variant: pass --variant\.$/])
    t.match((await findings(t, url)).signature, ['failed', '403, Refused by the merchant', / The check sent neither cookie nor session;/])
  }
  const ofB = await embedding(t, { VARIANT: 'B' }) + apiPath
  t.strictSame((await findings(t, ofB, ['--variant', 'B', ...session], { MERCHANT_TOKEN: token })).signature, right)
})

t.test('the URL of the endpoint, where the shop answers every other path', async t => {
  for (const change of [moved, { ...html, status: 404 }, { ...html, status: 200 }, { body: '{"variant":"B"}' }]) {
    const base = await behind(t, await unchanged, health, change)
    const found = await findings(t, base + apiPath, [], { MERCHANT_TOKEN: token })
    t.strictSame(found.reachable, ['ok', `${post} arrives`, ''])
    t.strictSame(found.signature, ['ok', 'both parts are right', ''])
  }
  const shop = await serving(t, answering(404, '{"error":"not here"}', { 'content-type': 'application/json' }))
  t.strictSame(await findings(t, shop + apiPath), {
    reachable: ['failed', `${post}: 404, not here`, elsewhere],
    signature: ['skipped', 'it has to be reachable first', ''],
    cors: ['skipped', 'to check pages of another origin, pass --origin', '']
  })
})

// A stranger's purchase, which the recommended setup refuses: the default.

const anonymous = '{"name":"anonymous","operations":["purchase"],"accountNumbers":["102551"]}'
// printf '%s' example-key | sha256sum
const probe = '{"name":"probe","operations":["inquiry"],"accountNumbers":["102551"],' +
  '"apiKeySha256":"c018c41c1afaf2c0b66c64f97d0ee135657b699ad260f299234cd40a5d625e0e"}'

t.test('the recommended setup needs only the URL', async t => {
  const folder = t.testdir({ 'policy.json': `{"callers":[${anonymous},${probe}]}`, 'without.json': `{"callers":[${probe}]}`, key: 'example-key' })
  const POLICY_FILE = join(folder, 'policy.json')
  const AUTHORIZE_URL = await serving(t, async (request, response) => {
    const { caller } = JSON.parse(Buffer.concat(await request.toArray()).toString())
    const isAllowed = caller !== 'anonymous'
    response.writeHead(isAllowed ? 200 : 401).end(JSON.stringify({ allowed: isAllowed, code: 'LOG_IN' }))
  })
  const base = await service(t, { POLICY_FILE, AUTHORIZE_URL })
  const shop = await behind(t, base, health, moved) // the shop has the other paths
  t.strictSame(await run(['doctor', shop], { env: {} }), {
    code: 0,
    stdout: `${shop}
✓ reachable  POST /api/generate-signature arrives
✓ strangers  a purchase without a session and a key is refused: 401 refused; reason=LOG_IN
- signature  to check it, pass --api-key-file, or describe a request that it signs
- cors       to check pages of another origin, pass --origin
`,
    stderr: ''
  })
  t.match(await examined(t, base, ['--api-key-file', join(folder, 'key')], { MERCHANT_TOKEN: token }), { signature: ['ok', 'both parts are right'] })
  const asked = 'a purchase without a session and a key is refused: 403 policy; reason=accountNumbers; to ask your backend, too, add an account of ' +
    'the policy: merchantAccountNumber=…'
  t.strictSame((await examined(t, base, ['merchantAccountNumber=102552'])).strangers, ['ok', asked, ''])
  const withoutAnonymous = await service(t, { POLICY_FILE: join(folder, 'without.json') })
  t.strictSame((await examined(t, withoutAnonymous, [])).strangers, ['ok', 'a purchase without a session and a key is refused: 401 api-key-required', ''])
  t.match((await examined(t, await service(t, { POLICY_FILE, AUTHORIZE_URL: `http://127.0.0.1:${await freePort()}/` }), [])).strangers,
    ['failed', '503, Authorization is unavailable, try again', /^Your backend \(AUTHORIZE_URL\) gave no decision/])
})

t.test('a service without guards signs for strangers', async t => {
  t.strictSame((await examined(t, await service(t), [])).strangers, ['failed', 'EVERYBODY GETS SIGNATURES: a purchase is signed without a session and a key',
    'Set POLICY_FILE and AUTHORIZE_URL before strangers can reach it. If only your backend can, describe the request of the check, such as amount=1.00: ' +
    'then it must be signed.'])
})

t.test('headers of the check that are too large', async t => {
  const folder = t.testdir({ headers: `Cookie: a=${'x'.repeat(17_000)}\n` })
  t.strictSame((await findings(t, await service(t), ['--headers-file', join(folder, 'headers')])).signature, ['failed',
    '431, Request Header Fields Too Large', 'The headers of the check, such as its cookies, have more than 16 KiB: send fewer.'])
})

t.test('wrong usage', async t => {
  const folder = t.testdir({ key: 'two words', headers: 'no header', right: 'Cookie: a=b', empty: 'Cookie: \n', twice: 'X: 1\nCookie: cookie: a=b\n' })
  for (const [args, message] of [
    ...[[], ['http://localhost', '--authorize-url', 'http://localhost/may-sign']].map(args =>
      [args, 'pass either the URL of the service, such as https://shop.example/payments, or --authorize-url'] as const),
    [['http://localhost', '--headers-file', 'a', '--headers-file', 'b'], '--headers-file is passed too often'],
    [['--authorize-url', 'localhost:3081'], 'the URL must begin with http:// or https://, such as http://localhost:3001, and have no password'],
    ...['localhost:3001', 'ftp://a', 'http://:canary@localhost'].map(url =>
      [[url], 'the URL must begin with http:// or https://, such as http://localhost:3001, and have no password'] as const),
    ...[`${origin}/`, 'https://', 'shop.example', 'app://shop.example'].map(given => [['http://localhost', '--origin', given],
      '--origin must be an origin such as https://shop.example: no path, no trailing slash'] as const),
    [['http://localhost', '--api-key-file', join(folder, 'key')], 'the API key must be ASCII without spaces'],
    [['http://localhost', '--headers-file', join(folder, 'headers')], '--headers-file, file 1: line 1 is not NAME: VALUE'],
    ...([['empty', 'line 1 has no value of Cookie'], ['twice', 'line 2 has the name Cookie twice: write the value once, without its name']] as const).map(([name, fault]) =>
      [['--authorize-url', 'http://localhost', ...['right', name].flatMap(file => ['--headers-file', join(folder, file)])], `--headers-file, file 2: ${fault}`] as const)
  ] as const) await refuses(t, ['doctor', ...args], message)
})
