import { join } from 'node:path'
import t, { type Test } from 'tap'
import { checkCors, unreachable } from '../../../tools/command-line/doctor-checks.js'
import { testApp } from '../../support/app.js'
import { answering, serving } from '../../support/backend.js'
import { refuses, run } from '../../support/command-line.js'
import { freePort } from '../../support/free-port.js'
import { portOf } from '../../support/http.js'

delete process.env.npm_command // `npx tap` sets it, and errors would name the program with npx

const origin = 'https://shop.example'
const apiPath = '/api/generate-signature'

const service = async (t: Test, config = {}): Promise<string> =>
  `http://127.0.0.1:${await portOf(testApp(t, { config: { CORS_ORIGIN: origin, ...config } }).app)}`

/** Changes a response. A header that is null is removed. `ahead` moves the Date header, in seconds. */
interface Change { status?: number, headers?: Record<string, string | null>, body?: string, ahead?: number }

/** Starts the service behind a proxy that changes the responses to `route`. */
async function behind (
  t: Test, base: string, route: string, { status, headers = {}, body, ahead }: Change
): Promise<string> {
  return serving(t, async (request, response) => {
    const { method = '', url = '' } = request
    const sent = new Headers(Object.entries(request.headers) as Array<[string, string]>)
    for (const name of ['host', 'connection', 'content-length']) sent.delete(name)
    const content = method === 'POST' ? Buffer.concat(await request.toArray()) : null
    const answer = await fetch(base + url, { method, headers: sent, body: content })
    const isChanged = route === `${method} ${url}`
    const shown = Object.fromEntries(answer.headers)
    if (isChanged) Object.assign(shown, headers)
    if (isChanged && ahead !== undefined) shown.date = new Date(Date.now() + ahead * 1000).toUTCString()
    response.sendDate = false
    response.writeHead((isChanged && status) || answer.status,
      Object.fromEntries(Object.entries(shown).filter(([name, value]) => value !== null && name !== 'content-length')))
    response.end(isChanged && body !== undefined ? body : await answer.text())
  })
}

/** Returns status, detail and advice of each check, with BASE for the URL and NN for two digits before a unit. */
async function findings (t: Test, base: string, args: string[] = [], env = {}): Promise<Record<string, string[]>> {
  const { code, stdout, stderr } = await run(['doctor', base, ...args, '--json'], { env })
  t.equal(stderr, '')
  const { url, ok, checks } = JSON.parse(stdout)
  t.equal(ok, code === 0)
  const shown = (text: string): string => text.replaceAll(url, 'BASE').replace(/\d\d (?=s )/, 'NN ')
  const found = (checks as Array<Record<string, string>>).map(({ name, status, detail = '', advice = '' }) =>
    [name, [status, shown(detail), shown(advice)]])
  t.equal(ok, !JSON.stringify(found).includes('"failed"'))
  return Object.fromEntries(found)
}

t.test('a healthy service passes all checks', async t => {
  const base = await service(t)
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

t.test('variant B, without a token and an origin, with the URL of the endpoint', async t => {
  const base = await service(t, { VARIANT: 'B' })
  for (const end of ['/', '/health', '/ready', apiPath]) {
    const { code, stdout } = await run(['doctor', base + end], { env: {} })
    t.ok(stdout.startsWith(`${base}\n✓ health     variant B`))
    t.match(stdout, '- cors       to check it, pass the page\'s --origin\n' +
      '✓ signature  part 1 is right; to check part 2, set MERCHANT_TOKEN or pass --token-file\n')
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
    code: 1, stdout: `${base}\n✗ connection  ${base}: ECONNREFUSED\n              → ${start}\n`, stderr: '', terminal: ''
  })
  t.strictSame(await findings(t, silent, ['--timeout', '50']), {
    connection: ['failed', 'BASE: no response within 50 ms', 'Check firewalls and the proxy; --timeout allows more time.']
  })
  t.strictSame(await findings(t, cut), { connection: ['failed', 'BASE: ECONNRESET', start] })
  t.match(await findings(t, 'http://nowhere.invalid'), {
    connection: ['failed', /^BASE: (ENOTFOUND|EAI_AGAIN)$/, 'This host name does not resolve here: check its spelling, and DNS.']
  })
  t.match(await findings(t, silent.replace('http:', 'https:'), ['--timeout', '1000']), { connection: ['failed'] })
  t.match(unreachable('https://pay.example', 'CERT_HAS_EXPIRED'), {
    advice: 'Renew the certificate. If it is valid, correct the clock of this machine.'
  })
  const plain = (await service(t)).replace('http:', 'https:')
  t.match(await findings(t, plain), {
    connection: ['failed', /^BASE: (EPROTO|ERR_SSL_.+)$/, 'The TLS handshake failed. If the service has no TLS, use http:// in the URL.']
  })
  for (const code of ['DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE']) {
    t.strictSame(unreachable('https://pay.example', code), {
      status: 'failed',
      detail: `https://pay.example: ${code}`,
      advice: 'This machine does not trust the certificate: set NODE_EXTRA_CA_CERTS to its CA\'s file, or fix the certificate.'
    })
  }
})

const subject = { origin: undefined, apiKey: undefined, merchantToken: undefined, probe: { sid: '1', clientTimeStamp: 1 }, timeout: 1000 }

t.test('an endless response is cut off', async t => {
  const endless = await serving(t, (_request, response) => {
    response.on('error', () => {})
    response.write('x'.repeat(70_000))
  })
  t.match(await findings(t, endless), { health: ['failed', 'GET /health: 200, no content type'] })
})

t.test('a path prefix that the proxy does not strip', async t => {
  const { health, address, errors, signature } = await findings(t, `${await service(t)}/payments/`)
  t.strictSame([health, address, errors, signature], [
    ['failed', 'GET /health: 404, Not Found: GET /payments/health',
      'The service received /payments/health: have the proxy strip the prefix, so that it receives /health.'],
    ['failed', `POST ${apiPath}: 404, Not Found: POST /payments${apiPath}`,
      `The service received /payments${apiPath}: have the proxy strip the prefix, so that it receives ${apiPath}.`],
    ['skipped', 'address has to pass first', ''],
    ['skipped', 'health and address have to pass first', '']
  ])
})

const elsewhere = 'Another server responds, not this service: check the host, port and path prefix of the URL, where the proxy sends ' +
  'the request, and that it passes errors on unchanged.'
const redirects = 'Give clients the URL that BASE redirects to: a redirected POST arrives as a GET or not at all, and browsers ' +
  'refuse a redirected preflight.'
const clocks = 'Set both clocks by NTP: the payment side may refuse a clientTimeStamp that is off.'
const missing = 'merchantAccountNumber or accountNumber is required'
const passOn = 'Have the proxy pass OPTIONS on to the service, and its response back.'
const notAdded = `Add exactly ${origin} to CORS_ORIGIN and restart; if it is there already, the proxy drops the header.`
const json = 'application/json; charset=utf-8'
const html = { headers: { 'content-type': 'text/html' }, body: '<h1>' }
const moved = { status: 301, headers: { location: 'https://pay.example' } }
const unchanged = service(t)
const [health, post, preflight] = ['GET /health', `POST ${apiPath}`, `OPTIONS ${apiPath}`]

for (const [name, route, change, ...expected] of [
  ['health', health, { ...html, status: 404 }, 'failed', 'GET /health: 404, text/html', elsewhere],
  ['health', health, { body: '{"ok":true,"service":"another","variant":"A"}' }, 'failed', `GET /health: 200, ${json}`, elsewhere],
  ['health', health, { body: '{"ok":false,"service":"payment-signature-backend","variant":"A"}' }, 'failed', `GET /health: 200, ${json}`, elsewhere],
  ['health', health, { body: '{"ok":true,"service":"payment-signature-backend","variant":"C"}' }, 'failed', `GET /health: 200, ${json}`, elsewhere],
  ['health', health, { status: 503 }, 'failed', `GET /health: 503, ${json}`, elsewhere],
  ['health', health, moved, 'failed', 'GET /health: 301, a redirect to https://pay.example', redirects],
  ['health', health, { status: 307 }, 'failed', 'GET /health: 307, a redirect to nowhere', redirects],
  ['signature', health, { status: 503 }, 'skipped', 'health and address have to pass first', ''],
  ['clock', health, { ahead: 1 }, 'ok', 'the service and this machine agree', ''],
  ['clock', health, { ahead: 20 }, 'warning', 'the service is NN s ahead of this machine', clocks],
  ['clock', health, { ahead: -60 }, 'failed', 'the service is NN s behind this machine', clocks],
  ['clock', health, { headers: { date: null } }, 'skipped', 'the response has no Date header', ''],
  ['address', post, { ...html, status: 404 }, 'failed', `${post}: 404, text/html`, elsewhere],
  ['address', post, { status: 405 }, 'failed', `${post}: 405, ${missing}`, elsewhere],
  ['signature', post, moved, 'skipped', 'health and address have to pass first', ''],
  ['address', post, moved, 'failed', `${post}: 301, a redirect to https://pay.example`, redirects],
  ['address', post, html, 'failed', `${post}: 400, text/html`, elsewhere],
  ['address', post, { ...html, status: 502 }, 'failed', `${post}: 502, text/html`, elsewhere],
  ['address', post, { body: '{"error":"x","statusCode":400}' }, 'failed', `${post}: 400, ${json}`, elsewhere],
  ['errors', post, html, 'skipped', 'address has to pass first', ''],
  ['errors', post, { status: 503 }, 'failed', `a bad request gets 503, ${missing}`, 'The service is in trouble: check its log.'],
  ['errors', post, { status: 429, headers: { 'retry-after': '7' } }, 'failed', `a bad request gets 429, ${missing}`,
    'Too many requests: wait 7 seconds and try again.'],
  ['errors', post, { status: 429 }, 'failed', `a bad request gets 429, ${missing}`, 'Too many requests: wait some seconds and try again.'],
  ['cors', preflight, moved, 'failed', `${preflight}: 301, a redirect to https://pay.example`, redirects],
  ['cors', preflight, { status: 401 }, 'failed', `${preflight}: 401, no content type`,
    'Browsers send preflights without credentials: have the proxy pass OPTIONS on to the service.'],
  ['cors', preflight, { headers: { 'access-control-allow-origin': null } }, 'failed', 'the preflight allows no origin', notAdded],
  ['cors', post, { headers: { 'access-control-allow-origin': null } }, 'failed', 'the response allows no origin', notAdded],
  ['cors', preflight, { headers: { 'access-control-allow-origin': `${origin}, *` } }, 'failed', `the preflight allows ${origin}, *`,
    'There are two headers: have either the proxy or the service write Access-Control-Allow-Origin, not both.'],
  ['cors', preflight, { headers: { 'access-control-allow-headers': null } }, 'failed', 'the preflight does not allow Content-Type', passOn],
  ['cors', preflight, { headers: { 'access-control-allow-headers': '*' } }, 'ok', `pages of ${origin} may call it and read the response`, '']
] as ReadonlyArray<[name: string, route: string, change: Change, ...expected: string[]]>) {
  t.test(`${name}: ${route} changed by ${JSON.stringify(change)}`, async t => {
    const base = await behind(t, await unchanged, route, change)
    t.strictSame((await findings(t, base, ['--origin', origin]))[name], expected)
  })
}

t.test('an https page that calls plain http is a mixed-content failure', async t => {
  const answer = { status: 204, headers: { 'access-control-allow-origin': '*' }, body: '', took: 1, receivedAt: 0 }
  const cors = (base: string, of = origin) => checkCors({ ...subject, base }, of, answer, answer)
  t.strictSame(cors('http://pay.example'), {
    status: 'failed',
    detail: `a page of ${origin} may not call http://pay.example`,
    advice: 'Browsers block http requests from an https page: put the service behind TLS.'
  })
  for (const [base, of] of [
    ['https://pay.example'], ['http://localhost:3001'], ['http://[::1]'], ['http://127.0.0.1'], ['http://pay.example', 'http://shop.example']
  ] as const) {
    t.equal(cors(base, of).detail, 'the preflight does not allow Content-Type')
  }
})

t.test('a service with a policy, and with another token', async t => {
  const folder = t.testdir({
    key: 'example-key\n',
    'policy.json': '{"callers":[{"name":"back-office","operations":["refund"],"accountNumbers":["654321"],' +
      '"apiKeySha256":"c018c41c1afaf2c0b66c64f97d0ee135657b699ad260f299234cd40a5d625e0e"}]}'
  })
  const base = await service(t, { POLICY_FILE: join(folder, 'policy.json') })
  const fields = ['--operation-type', 'refund', '--amount', '1.00', '--transaction-fcrn', '1', '--account-number', '654321']
  const withKey = ['--api-key-file', join(folder, 'key'), ...fields]
  const required = 'An API key is required: send it as Authorization: Bearer'
  t.strictSame((await findings(t, base)).errors, ['ok', `401 and JSON: ${required}`, ''])
  for (const [args, env, ...expected] of [
    [[], {}, 'failed', `401, ${required}`, 'It has a policy: set PAYMENT_SIGNATURE_API_KEY, or pass --api-key-file.'],
    [[], { PAYMENT_SIGNATURE_API_KEY: 'canary-key' }, 'failed', '401, The API key is not known', 'The policy does not know this API key: compare its SHA-256 with apiKeySha256.'],
    [[], { PAYMENT_SIGNATURE_API_KEY: 'example-key' }, 'failed', '403, caller "back-office" may not sign this operation (operations)',
      'It does not sign the request of this check: describe one that it signs, with flags such as --merchant-account-number.'],
    [withKey, {}, 'ok', 'part 1 is right; to check part 2, set MERCHANT_TOKEN or pass --token-file', ''],
    [withKey, { MERCHANT_TOKEN: 'another-token-of-a-test' }, 'failed', 'part 1 is right, part 2 is not: the service has another token',
      'Compare the output of payment-signature kcv with the key check value in the service\'s start line.']
  ] as ReadonlyArray<[args: string[], env: object, ...expected: string[]]>) {
    t.strictSame((await findings(t, base, args, env)).signature, expected)
  }
})

t.test('instances behind round robin', async t => {
  const bases = await Promise.all([
    service(t), service(t, { MERCHANT_TOKEN: 'another-token-of-a-test' }), service(t, { AUTHORIZE_URL: await serving(t, answering(409)) }),
    serving(t, (_request, response) => response.end('{"signature":"8e///2a"}'))
  ])
  /** Returns the finding about signatures. The first POST request is another one. */
  async function behindRoundRobin (order: string, env: object) {
    let posts = -2
    const base = await serving(t, async (request, response) => {
      const instance = bases[Number(request.method === 'POST' && ++posts >= 0 ? order[posts] : 0)]
      const content = request.method === 'POST' ? Buffer.concat(await request.toArray()) : null
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`${instance}${request.url}`, { method: request.method!, headers, body: content })
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
    })
    return (await findings(t, base, [], env)).signature
  }
  const token = { MERCHANT_TOKEN: 'development-only-token' }
  const differ = 'Instances have different tokens: compare the key check values in their start lines.'
  t.strictSame(await behindRoundRobin('01011', token), ['failed', '3 of 5 were made with another token', differ])
  t.strictSame(await behindRoundRobin('01010', {}), ['failed', '5 signatures were made with 2 tokens', differ])
  t.match(await behindRoundRobin('02000', token), ['failed', '1 of 5 failed: 409, Refused by the merchant'])
  t.match(await behindRoundRobin('02101', token), ['failed', '3 of 5 failed: 409, Refused by the merchant'])
  t.strictSame(await behindRoundRobin('33333', token), ['failed', 'part 1, which holds no secret, is not that of the request',
    'The request was changed on its way, or this is another implementation: compare with payment-signature explain.'])
  t.match(await behindRoundRobin('11111', token), ['failed', 'part 1 is right, part 2 is not: the service has another token'])
})

t.test('wrong usage', async t => {
  const folder = t.testdir({ key: 'two words' })
  for (const [args, message] of [
    [[], 'pass the URL of the service, such as http://localhost:3001'],
    [['localhost:3001'], 'the URL must begin with http:// or https://, such as http://localhost:3001, and have no user name or password'],
    ...[`${origin}/`, 'https://', 'shop.example', 'app://shop.example'].map(given => [['http://localhost', '--origin', given],
      '--origin must be an origin as browsers send it, such as https://shop.example: no path, no trailing slash'] as const),
    [['http://localhost', '--api-key-file', join(folder, 'key')], 'the API key must be ASCII without spaces'],
    [['http://localhost', '--api-key-file', 'canary'], '--api-key-file cannot be read (ENOENT): it must be the path of a file, such as ./token; what was given is not shown, since it may be the secret itself']
  ] as const) await refuses(t, ['doctor', ...args], message)
})
