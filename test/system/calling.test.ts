import { execFile, spawn } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { testApp } from '../support/app.js'
import { scripted, serve } from '../support/backend.js'
import { pythonCall } from '../support/documented.js'
import { body, signature } from '../support/example.js'
import { freePort } from '../support/free-port.js'
import { portOf } from '../support/http.js'
import { lacking } from '../support/installed.js'
import { root } from '../support/server.js'

t.jobs = 2

interface Language {
  needs: string[]
  /** Path of the copy of the client. Default: its name. */
  file?: string
  build?: string[]
  run: string[]
  /**
   * File of test/support/callers. It reads a line for each call from standard input: URL, key, milliseconds, attempts,
   * and NAME=VALUE of each field, separated by tabs. It writes a line for each: the signature, or the members
   * of the error.
   */
  program: string
}

const languages: Record<string, Language> = {
  'signature_client.py': { needs: ['python3'], program: 'caller.py', run: ['python3', '-B', 'caller.py'] },
  'SignatureClient.php': {
    needs: ['php'],
    program: 'caller.php',
    run: ['php', '-n', '-d', 'display_errors=stderr', 'caller.php']
  },
  'signature_client.go': {
    needs: ['go'],
    file: 'signature/client.go',
    program: 'caller.go',
    build: ['go', 'build', '-o', 'caller', 'caller.go'],
    run: ['./caller']
  },
  'SignatureClient.java': {
    needs: ['java', 'javac'],
    program: 'Caller.java',
    build: ['javac', '-Xlint:all,-serial', '-Werror', '--release', '11', 'SignatureClient.java', 'Caller.java'],
    run: ['java', 'Caller']
  }
}

interface Call {
  url: string
  key?: string
  timeout?: number
  attempts?: number
  fields?: Record<string, unknown>
}

const purchase: Record<string, unknown> = JSON.parse(body)

/** Builds a program in a language and returns a function that makes calls with it. */
async function caller (t: Test, client: string, { file = client, program, build, run }: Language) {
  const folder = t.testdir({ 'go.mod': 'module caller\n\ngo 1.18\n', signature: {} })
  copyFileSync(join(root, 'test/support/callers', program), join(folder, program))
  copyFileSync(join(root, 'examples/calls', client), join(folder, file))
  if (build !== undefined) {
    const { stderr } = await promisify(execFile)(build[0]!, build.slice(1), { cwd: folder })
    t.equal(stderr, '')
  }
  return async function call (...calls: readonly Call[]): Promise<string[]> {
    const lines = calls.map(({ url, key = '', timeout = 5000, attempts = 4, fields = purchase }) =>
      [url, key, timeout, attempts, ...Object.entries(fields).map(field => field.join('='))].join('\t') + '\n')
    const child = spawn(run[0]!, run.slice(1), { cwd: folder })
    child.stdin.end(lines.join(''))
    const [written, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
    t.equal(errors, '')
    return written.trimEnd().split('\n')
  }
}

/** Responses of the service, and the error's members. */
const errors: Array<[status: number, errorCode: string, error: string, members: string]> = [
  [400, 'amount-not-positive; field=amount', 'Invalid amount: amount must be greater than 0', 'amount-not-positive|amount|'],
  [401, 'api-key-unknown', 'The API key is not known', 'api-key-unknown||'],
  [403, 'policy; reason=maximumAmount', 'The amount "500.01" is too high', 'policy||maximumAmount'],
  [409, 'refused; reason=ALREADY_PAID', 'Die Bestellung ist bezahlt: Grüße', 'refused||ALREADY_PAID'],
  [500, 'sid-invalid; field=sid', 'sid must be a non-empty string', 'sid-invalid|sid|'],
  [503, 'authorization-unavailable', 'x'.repeat(300), 'authorization-unavailable||']
]

const json = { 'content-type': 'application/json' }
const other = 'probably not the service: a CDN, a firewall, a proxy or the app around it'
const signed = [200, json, JSON.stringify({ signature })] as const

for (const [name, language] of Object.entries(languages)) {
  t.test(name, { skip: lacking(...language.needs) }, async t => {
    const call = await caller(t, name, language)

    t.test('errors have their parts as members', async t => {
      const { url } = await scripted(t, ...errors.map(([status, errorCode, error]) =>
        [status, { ...json, 'error-code': errorCode, 'x-request-id': 'id-7' }, JSON.stringify({ error })] as const))
      const answers = await call(...errors.map(() => ({ url, attempts: 1 })))
      t.strictSame(answers, errors.map(([status, errorCode, error, members]) =>
        `${status}|${members}|id-7||${status} ${errorCode} (request id-7): ${JSON.stringify({ error }).slice(0, 200)}`))
    })

    t.test('the service signs, and limits the rate', async t => {
      const { app } = testApp(t, { config: { RATE_LIMIT_MAX: 2 } })
      const url = `http://127.0.0.1:${await portOf(app)}/api/generate-signature`
      const [first, second, third] = await call({ url }, { url, fields: { ...purchase, orderId: 'a "quoted" \\ order, ü' } }, { url })
      t.equal(first, signature)
      t.equal(second, '8e55f6ac4f689ca8c5c66fbe298c047af2a76712aaea30393648640d9517c9db///' +
        '9d55edb70074c8c5f28a26f25c6b8883a6be198d58761623170b736fff30dd56')
      t.match(third, /^429\|rate-limit\|\|\|[\w-]+\|\d+\|429 rate-limit \(request [\w-]+\): \{"error":"Too many requests: try again in \d+ seconds"\}$/)
    })

    t.test('retries with the same body, also after a time-out and a cut response', async t => {
      const cut = { 'Content-Length': 100, Connection: 'close' }
      const wait = { 'Retry-After': 1 }
      const { url, bodies, times, authorizations } = await scripted(t,
        'none', [429, wait, ''], [503, wait, ''], 'stalled', [200, cut, '{"sign'], [502, {}, Buffer.of(0xff)], [504, {}, ''], [408, {}, ''], signed)
      t.strictSame(await call({ url, timeout: 3000, attempts: 9 }), [signature])
      t.strictSame(authorizations, Array(9).fill(undefined), 'no Authorization without a key')
      t.equal(new Set(bodies).size, 1)
      t.strictSame(JSON.parse(bodies[0]!), purchase)
      t.ok(times[3]! - times[1]! >= 1990, 'waits')
    })

    t.test('retries three times, with the key; a Retry-After may be a date', async t => {
      const busy = [503, { 'Retry-After': 'Wed, 21 Oct 2099 07:28:00 GMT', 'X-Request-Id': 'id-1' }, '<html>busy</html>'] as const
      const { url, authorizations } = await scripted(t, busy, busy, busy, busy)
      t.strictSame(await call({ url, key: 'key-of-the-office ' }), [`503||||id-1||503 ${other} (request id-1): <html>busy</html>`])
      t.strictSame(authorizations, Array(4).fill('Bearer key-of-the-office'))
    })

    t.test('does not retry after a 429 without Retry-After, a long wait, or a page', async t => {
      const refused = [429, { 'Error-Code': 'refused', 'X-Request-Id': 'id-1' }, '{"error":"too many orders"}'] as const
      const { url, bodies } = await scripted(t, refused, [429, { 'Retry-After': 600 }, ''], [200, {}, '<html>Log in</html>'],
        [200, { 'X-Request-Id': 'id-1' }, JSON.stringify({ signature: `${signature}0` })], [200, json, `{ "signature" : "${signature}" }`])
      t.match(await call({ url }, { url }, { url }, { url }, { url }), [
        '429|refused|||id-1||429 refused (request id-1): {"error":"too many orders"}', /^429\|{5}600\|429 /,
        /^200\|{6}200 .*: <html>Log in<\/html>$/, /^200\|{4}id-1\|{2}200 /, signature
      ])
      t.equal(bodies.length, 5)
    })

    t.test('retries after the statuses of a CDN, with a user agent that a CDN lets pass', async t => {
      const statuses = [520, 521, 522, 523, 524, 200]
      const agents: unknown[] = []
      const { origin } = await serve(t, ({ headers }, response) => {
        agents.push(headers['user-agent'])
        response.writeHead(statuses[agents.length - 1] ?? 500).end(JSON.stringify({ signature }))
      })
      t.strictSame(await call({ url: origin, attempts: 9 }), [signature])
      t.strictSame(agents, Array(6).fill('payment-signature-client'))
    })

    t.test('an answer without an error of the service is probably of another server', async t => {
      const answers = [[403, {}, 'error code: 1010'], [403, json, '["error"]'], [404, json, '{"detail":"Not Found"}']] as const
      const proxy = [502, json, ' {\r "error" : "The proxy" }'] as const
      const { url } = await scripted(t, ...answers, proxy)
      t.match(await call(...Array(4).fill({ url, attempts: 1 })), [
        ...answers.map(([status, , text]) => new RegExp(`\\|${status} ${other} \\(request \\w*\\): ${text.replaceAll(/[[{]/g, '\\$&')}`)),
        /\|502 {2}\(request \w*\): {2}\{\r "error" : "The proxy" \}/
      ])
    })

    t.test('gives up without a response', async t => {
      const closed = `http://127.0.0.1:${await freePort()}/`
      t.match(await call({ url: closed }), [/^0\|{6}0 .*(refused|fetch failed|ConnectException)/i])
      if (['.py', '.php'].includes(extname(name))) return // their time-out is for each read
      const { url, bodies } = await scripted(t, 'slow')
      t.match(await call({ url, timeout: 3000, attempts: 1 }), [/^0\|{6}0 /])
      t.equal(bodies.length, 1)
    })

    t.test('sends key and fields to no other host, and shows no key', async t => {
      const reached: unknown[] = []
      const { origin } = await serve(t, ({ url }, response) => reached.push(url, response.end()))
      const elsewhere = { Location: origin.replace('127.0.0.1', 'localhost') }
      const { url } = await scripted(t, [307, elsewhere, ''], [302, elsewhere, ''])
      t.match(await call({ url, key: 'key-of-the-office' }, { url }), [/^307\|{6}/, /^302\|{6}/])
      t.strictSame(reached, [])
      const [mistaken] = await call({ url, key: 'key of the office' })
      t.equal(mistaken, 'argument: key must be one line of ASCII characters without spaces')
    })
  })
}

t.test('the documented use from Python', { skip: lacking('python3') }, async t => {
  const folder = t.testdir({ 'shop.py': `${pythonCall}\nfor n in range(3):\n    print(signed_purchase("100.00", "O-1"))` })
  copyFileSync(join(root, 'examples/calls/signature_client.py'), join(folder, 'signature_client.py'))
  const { url, authorizations, bodies } = await scripted(t, signed,
    [409, { 'error-code': 'refused; reason=ALREADY_PAID', 'x-request-id': 'id-1' }, '{"error":"Paid"}'], [403, { 'error-code': 'policy' }, ''])
  const env = { ...process.env, SIGNATURE_URL: url, SIGNATURE_KEY: 'key-of-the-office' }
  const [first, ...lines] = (await promisify(execFile)('python3', ['-B', 'shop.py'], { cwd: folder, env })).stdout.split('\n')
  const { sid, clientTimeStamp, ...fields } = JSON.parse(bodies[0]!)
  t.strictSame(fields, { operationType: 'purchase', amount: '100.00', merchantAccountNumber: '102551', orderId: 'O-1' })
  t.equal(first, "({'operationType': 'purchase', 'amount': '100.00', 'merchantAccountNumber': '102551', 'orderId': 'O-1', " +
    `'sid': '${sid}', 'clientTimeStamp': ${clientTimeStamp}, 'signature': '${signature}'}, 200)`)
  t.match([sid, clientTimeStamp], [/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-/, Number])
  t.equal(lines.join('\n'), `409 refused; reason=ALREADY_PAID (request id-1): {"error":"Paid"}
('ALREADY_PAID', 409)
403 policy (request None): 
('Payment is not possible now', 503)
`)
  t.equal(authorizations[0], 'Bearer key-of-the-office')
})
