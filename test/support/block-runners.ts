import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseEnv, promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { parse } from 'yaml'
import { serveAdmin } from '../../src/admin.js'
import { VariantA, VariantB, verify } from '../../src/index.js'
import { testApp } from './app.js'
import { answering, backend, serve } from './backend.js'
import { run } from './command-line.js'
import { fencesOf, stepsOf, substitute } from './documentation.js'
import { policy, productionPolicy } from './documented.js'
import { environment } from './environment.js'
import { body, production, sign, signature } from './example.js'
import { portOf } from './http.js'
import { redisServer } from './redis.js'
import { listening, root, server, start } from './server.js'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Purchases whose amounts were signed as JavaScript's numbers. */
const paymentsLog = ['100.00', '12.55', '7.10'].map((amount, index) => {
  const request = { amount, merchantAccountNumber: '102551', orderId: `A-${index}`, sid: `s-${index}`, clientTimeStamp: 1709912345678 }
  const [first, second] = [`1709912345678s-${index}${Number(amount)}`, `1709912345678A-${index}development-only-token102551${Number(amount)}`]
  return `10:0${index} paying ${JSON.stringify(request)} signature=${sha256(first)}///${sha256(second)}\n`
}).join('')

/** Files that the commands of the documents use. */
const files = {
  'request.json': body,
  token: 'development-only-token\n',
  'production-token': `${production.token}\n`,
  tokens: `production=${production.token}\nstaging=development-only-token\n`,
  'payments.log': paymentsLog,
  'merchant-token': 'first-token-0123456789\n',
  'policy.json': policy,
  'documented-policy.json': policy,
  'production-policy.json': productionPolicy.replace('PASTE THE DIGEST', 'f'.repeat(64)),
  // An implementation that trims.
  'sign.py': readFileSync(join(root, 'test/conformance/reference.py'), 'utf8')
    .replace('order_id = optional(request, "orderId")', 'order_id = optional(request, "orderId").strip()'),
  'sign.php': readFileSync(join(root, 'examples/samples/sign.php'), 'utf8')
}

/** Changes to a folder with {@link files} and the folders of the repository that commands use. Returns its path. */
export function folderOf (t: Test, variables: Record<string, string> = {}): string {
  environment(t, undefined, { PATH: String(process.env.PATH), ...variables }, files)
  for (const name of ['deploy', 'dist', 'examples', 'vectors']) symlinkSync(join(root, name), name)
  return process.cwd()
}

/** Runs a command in bash. Returns the exit code, and the output of both streams. */
export async function inShell (folder: string, command: string): Promise<{ output: string, code: number }> {
  const program = [
    'exec 2>&1',
    'trap : HUP; PID=$$',
    `payment-signature () { node ${join(root, 'dist/tools/command-line/payment-signature.js')} "$@"; }`,
    'npx () { shift 2; "$@"; }', // npx --no -- payment-signature
    command
  ].join('\n')
  // env -i, because the test runner instruments what a test starts.
  const variables = [`PATH=${process.env.PATH}`, 'LC_ALL=C.UTF-8', 'NEW_TOKEN=second-token-0123456789']
  const running = promisify(execFile)('env', ['-i', ...variables, 'bash', '--norc', '-c', program], { cwd: folder })
  running.child.stdin?.on('error', () => {}).end('tK7-mQ2xV9/bR4+wZ1-0123456789-abc\n')
  const { stdout, code = 0 }: { stdout: string, code?: number } = await running.catch(error => error)
  return { output: stdout, code }
}

/** Runs a program below the package, which can import itself by its name. Returns what it exports. */
async function program (t: Test, text: string): Promise<Record<string, unknown>> {
  const folder = t.testdir({ 'program.mjs': text })
  return await import(pathToFileURL(join(folder, 'program.mjs')).href)
}

/** Makes a key and its digest. */
async function apiKey (t: Test, [text]: string[]): Promise<void> {
  const { output } = await inShell(folderOf(t), text!.slice(2))
  const [key = '', digest] = output.split('\n')
  t.match(key, /^[0-9a-f]{64}$/)
  t.equal(digest, `${sha256(key)}  -`)
}

type Service = ReturnType<typeof testApp>

/** Requests a signature from an address, through a trusted proxy. */
const ask = ({ app }: Service, headers = {}, payload: string | object = body, address = '192.0.2.1') => app.inject({
  method: 'POST',
  url: '/api/generate-signature',
  payload,
  headers: { 'content-type': 'application/json', 'x-forwarded-for': address, origin: 'https://shop.example', ...headers }
})

const service = (t: Test, config: Record<string, string>) => testApp(t, { config: { TRUST_PROXY: '127.0.0.1', ...config } })

/** A service under the policy of docs/authorization.md. */
function policyService (t: Test, config: Record<string, string> = {}): Service {
  folderOf(t)
  return service(t, { POLICY_FILE: 'documented-policy.json', ...config })
}

/** Compares lines of a log with a block that shows them. `…` stands for text or fields that the block leaves out. */
function logs (t: Test, log: string, block: string): void {
  const lines = log.split('\n').filter(line => line.startsWith('{')).map(line => JSON.parse(line))
  const text = block.replaceAll(/,\n(?=")/g, ',').replaceAll('…,', '').trim()
  const shown: Array<{ msg: string }> = text.split('\n')
    .map(line => JSON.parse(line, (key, value) => {
      if (['time', 'pid', 'times', 'max'].includes(key)) return Number
      if (key === 'hostname') return String
      if (typeof value !== 'string' || key === 'msg') return value
      return new RegExp(`^${value.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replace('…', '.*')}$`)
    }))
  for (const line of shown) t.match(lines.find(({ msg }) => msg === line.msg) ?? lines, line)
}

/** Runs a server that reads a file again on SIGHUP: new content, the same, and content that the server refuses. */
async function rereads (
  t: Test, variable: string, contents: [string, string, string], path: string
): Promise<string> {
  const file = join(folderOf(t), 'reloaded')
  writeFileSync(file, contents[0])
  const service = server(t, { [variable]: file }, { cwd: process.cwd() })
  const [, port = ''] = await service.says(listening)
  const messages = [[contents[1], 'was replaced'], [contents[1], 'is unchanged'], [contents[2], 'keeping the']] as const
  for (const [content, message] of messages) {
    writeFileSync(file, content)
    service.process.kill('SIGHUP')
    await service.says(new RegExp(message))
  }
  return service.output().replaceAll(file, path).replaceAll(`127.0.0.1:${port}`, '127.0.0.1:3001')
}

/**
 * Stand-ins of programs that change a machine, and that it may lack. Each prints its arguments, and fails if a file of
 * deploy/ among them does not exist.
 */
const changing = ['cosign', 'curl', 'docker', 'gh', 'git', 'install', 'journalctl', 'kubectl', 'npm', 'sudo']
const stubs = changing.map(name => `${name} () {
  for argument; do
    case $argument in
      */deploy/.env | deploy/.env) ;;
      */deploy/* | deploy/*) compgen -G "deploy/\${argument##*deploy/}" > /dev/null || exit 1 ;;
    esac
  done
  echo "${name} $*"
}`).join('\n')

/** Runs commands for people, with stubs instead of the programs that change a machine. */
export async function runCommands (t: Test, text: string): Promise<void> {
  const { output, code } = await inShell(folderOf(t), `${stubs}\nEDITOR=true; set -e\n${text}`)
  t.equal(code, 0, output)
}

/** Checks variables of the service that documents show. */
async function checkVariables (t: Test, blocks: string[]): Promise<void> {
  const text = blocks.join('').replaceAll('https://shop.example', 'https://shop.test')
    .replace('/var/log/payment-signature/', './').replace('/etc/payment-signature/policy.json', './production-policy.json')
    .replace('/etc/payment-signature/merchant-token', './production-token')
  folderOf(t, { MERCHANT_TOKEN_FILE: './production-token', NODE_ENV: 'production', ...parseEnv(text) as Record<string, string> })
  t.match(await run(['serve', '--check']), { code: 0, stderr: '' }, 'nothing is left open')
}

/** Runs the command of a transcript on the file of an audit, and compares the output. */
async function readsAudit (t: Test, transcript: string, file: string): Promise<void> {
  const [{ command = '', output = '' } = {}] = stepsOf(transcript)
  t.equal((await inShell(process.cwd(), command.replace('/var/log/payment-signature/audit.log', file))).output, output)
}

/** Rotates an API key in the documented steps. No request fails, and the audit has the documented counts. */
async function rotateKey (t: Test, [transcript = '']: string[]): Promise<void> {
  const [oldKey, newKey] = ['example-key', 'second-key']
  const withDigests = (...keys: string[]) => policy.replace(/"apiKeySha256": ".*?"/, `"apiKeySha256": ${JSON.stringify(keys.map(sha256))}`)
  const folder = folderOf(t)
  const [AUDIT_FILE, POLICY_FILE] = ['audit.log', 'rotated.json'].map(name => join(folder, name)) as [string, string]
  writeFileSync(POLICY_FILE, withDigests(oldKey))
  const app = testApp(t, { config: { AUDIT: 'required', AUDIT_FILE, POLICY_FILE }, pollInterval: 5 })
  const refund = { operationType: 'refund', amount: '12.00', accountNumber: '102551', transactionFCRN: '1', sid: 's', clientTimeStamp: 1709912345678 }
  const askWith = async (key: string) =>
    t.equal((await ask(app, { authorization: `Bearer ${key}` }, refund)).statusCode, 200, key)
  await askWith(oldKey)
  writeFileSync(POLICY_FILE, withDigests(oldKey, newKey))
  await app.says('the policy was replaced')
  for (const key of [oldKey, newKey, oldKey]) await askWith(key)
  writeFileSync(POLICY_FILE, withDigests(newKey))
  await app.says('the policy was replaced', 2)
  await askWith(newKey)
  await readsAudit(t, transcript, AUDIT_FILE)
}

/** Runs a shop whose amounts are numbers and whose order IDs have spaces. Asks Prometheus and audit as documented. */
async function reportMode (t: Test, [variables = '', query = '', transcript = '']: string[]): Promise<void> {
  const AUDIT_FILE = join(folderOf(t), 'audit.log')
  const config = { ...parseEnv(variables) as Record<string, string>, AUDIT: 'required' as const, AUDIT_FILE, ADMIN_PORT: '0' }
  const app = testApp(t, { config })
  for (let id = 1; id <= 3; id++) {
    const payload = { amount: 12.5, merchantAccountNumber: '102551', orderId: `ORDER ${id}`, sid: `s-${id}`, clientTimeStamp: 1709912345678 }
    t.equal((await ask(app, {}, payload)).statusCode, 200)
  }
  const series = (await app.app.metrics!.metrics()).match(/^payment_signature_would_refuse_total.*(?= 3$)/m)?.[0]
  writeFileSync('report.yaml', JSON.stringify({
    tests: [{
      interval: '1d',
      input_series: [{ series, values: '0 0 3 3 3 3 3 3' }],
      promql_expr_test: [{
        expr: query.trim(),
        eval_time: '7d',
        exp_samples: [{ labels: '{guard="strict", code="strict", caller="anonymous"}', value: 3 }]
      }]
    }]
  }))
  t.match(await inShell(process.cwd(), 'promtool test rules report.yaml'), { code: 0 })
  await readsAudit(t, transcript, AUDIT_FILE)
}

/**
 * Runners of the code blocks that are not transcripts: document, how the text of the blocks begins, and a function that
 * runs the matching blocks, from top to bottom.
 */
export const runners: Array<[document: string, begins: RegExp, run: (t: Test, blocks: string[]) => unknown]> = [
  ['docs/operations.md', /^\{"level".*"reqId"/, async (t, [block]) => {
    const app = policyService(t, { AUDIT: 'true' })
    const headers = { authorization: 'Bearer example-key', traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' }
    const refund = { operationType: 'refund', amount: '12.00', accountNumber: '102551', orderId: 'O-4711', transactionFCRN: '987654' }
    await ask(app, headers, { ...refund, sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11', clientTimeStamp: 1795294844512 }, '203.0.113.7')
    logs(t, app.log(), block!)
  }],
  ['docs/client.md', /^import.*\n\nconst signed/, async (t, [block]) => {
    const { app } = testApp(t)
    const set: Record<string, string> = {}
    const builder = new Proxy({}, { get: (_target, name) => (value: string) => { set[String(name)] = value } })
    Object.assign(globalThis, { builder })
    t.teardown(() => Reflect.deleteProperty(globalThis, 'builder'))
    await program(t, substitute(block!, {
      "'payment-signature-client'": `'${pathToFileURL(join(root, 'dist/client/index.js')).href}'`,
      'https://pay.shop.example': `http://127.0.0.1:${await portOf(app)}`
    }))
    t.strictSame(Object.keys(set), block!.match(/set[A-Z]\w+/g))
    const request = { operationType: 'purchase', amount: set.setAmount, merchantAccountNumber: '102551', orderId: set.setOrderId, sid: set.setSid, clientTimeStamp: set.setClientTimeStamp }
    t.match(verify(String(set.setSignature), request, { variant: 'A', merchantToken: 'development-only-token' }), { valid: true })
  }],
  ['docs/client.md', /^import.*\n\nasync function pay/, async (t, [block]) => {
    const { origin } = await serve(t, answering(503, '', { 'retry-after': '7' }))
    const { origin: loggedOut } = await serve(t, answering(401, '{"error":"No session"}'))
    const button = { disabled: false }
    const notice = { textContent: '' }
    const reported: unknown[] = []
    Object.assign(globalThis, { button, notice, report: (error: unknown) => reported.push(error) })
    t.teardown(() => ['button', 'notice', 'report'].forEach(name => Reflect.deleteProperty(globalThis, name)))
    const { pay } = await program(t, substitute(block!, {
      "'payment-signature-client'": `'${pathToFileURL(join(root, 'dist/client/index.js')).href}'`,
      'async function pay': 'export async function pay'
    })) as { pay: (fields: object) => Promise<void> }
    const valid = { url: origin, amount: '1.00', accountNumber: '1' }
    for (const [fields, text] of [
      [valid, 'Busy. Nothing was paid. Please try again in 7 seconds.'],
      [{ ...valid, url: 'http://127.0.0.1:1/' }, 'No connection. Nothing was paid. Please try again.'],
      [{ ...valid, url: loggedOut }, 'Please log in. Nothing was paid.'],
      [{ ...valid, amount: 1 }, 'Payment is not possible. Nothing was paid. Reference: ERR_ARGUMENT']
    ] as const) {
      const paid = pay(fields)
      t.equal(button.disabled, true)
      await paid
      t.equal(notice.textContent, text)
      t.equal(button.disabled, false)
    }
    t.equal(reported.length, 4)
  }],
  ['docs/deploy.md', /^healthcheck/, async (t, [block]) => {
    const { app } = testApp(t, { config: { ADMIN_PORT: '0', ADMIN_HOST: '127.0.0.1' } })
    await app.ready()
    const [metrics = ''] = await serveAdmin(app)
    const [kind, node, ...args] = parse(substitute(block!, { 'http://127.0.0.1:9464': new URL(metrics).origin })).healthcheck.test
    t.strictSame([kind, node], ['CMD', 'node'])
    t.strictSame(await inShell(folderOf(t), `node ${args.join(' ')}`), { output: '', code: 0 })
  }],
  ['docs/embedding.md', /^import Fastify/, async (t, [block]) => {
    const functions = `
      function userOf (cookie) { return cookie?.replace('session=', '') }
      async function findOrder (id) { return { user: '1', accountNumber: '102551', amount: id === 'ORDER-12345' ? '100.00' : '0.00' } }`
    const folder = t.testdir({ 'program.mjs': substitute(block!, { 'port: 3000': 'port: 0' }) + functions })
    const app = start(t, 'env', ['-i', `MERCHANT_TOKEN=${production.token}`, process.execPath, 'program.mjs'], { cwd: folder, env: process.env })
    const [, url] = await app.says(/Server listening at (http:[^"]+)/)
    const send = async (headers: Record<string, string>) => (await fetch(`${url}/payments/api/generate-signature`, {
      method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: production.body
    })).json()
    t.same(await send({ cookie: 'session=1' }), { signature: production.signature })
    t.same(await send({ cookie: 'session=2' }), { error: 'Not your order' })
    t.same(await send({}), { error: 'Log in first' })
  }],
  ['docs/embedding.md', /^app\.register\(cors/, async (t, [block]) => {
    const { headers } = await program(t, `import cors from '@fastify/cors'
      import Fastify from 'fastify'
      import paymentSignature from 'payment-signature-backend/fastify'
      const app = Fastify()
      ${block}
      app.register(paymentSignature, { variant: 'A', merchantToken: 'development-only-token' })
      const url = '/api/generate-signature'
      export const { headers } = await app.inject({ method: 'POST', url, headers: { origin: 'https://shop.example' }, payload: {} })`)
    t.match(headers, {
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'Error-Code, Retry-After, X-Request-Id',
      'error-code': 'account-number-required; field=merchantAccountNumber',
      'x-request-id': 'req-1',
      'cache-control': 'no-store'
    })
  }],
  ['docs/embedding.md', /^import \{ fieldsOf/, async (t, [block]) => {
    const { response } = await program(t, `import Fastify from 'fastify'
      import paymentSignature from 'payment-signature-backend/fastify'
      import { VariantA } from 'payment-signature-backend'
      const app = Fastify()
      const vault = { sign: async fields => new VariantA('development-only-token').sign(fields) }
      ${block}
      export const response = await app.inject({ method: 'POST', url: '/api/generate-signature', payload: ${body} })
      await app.close()`)
    t.same((response as { json: () => unknown }).json(), { signature })
  }],
  ['docs/embedding.md', /^app\.register\(async scope/, async (t, [block]) => {
    const { app } = await program(t, `import Fastify from 'fastify'
      import paymentSignature from 'payment-signature-backend/fastify'
      const merchantToken = 'development-only-token'
      export const app = Fastify()
      ${substitute(block!, { 'merchantToken }': 'merchantToken, authorize: ({ headers }) => !headers.cookie || { statusCode: 409, error: "Paid" } }' })}
      app.get('/fault', async () => { throw new Error('of the host') })`) as { app: FastifyInstance }
    t.teardown(() => app.close())
    const url = '/api/generate-signature'
    const json = { 'content-type': 'application/json' }
    const help = 'https://shop.example/help'
    for (const [request, status, expected] of [
      [{ method: 'POST', url, payload: body, headers: json }, 200, { signature }],
      [{ method: 'POST', url, payload: body, headers: { ...json, cookie: 'a=1' } }, 409, { code: 'refused', error: 'Paid', help }],
      [{ method: 'POST', url, payload: '{', headers: json }, 400, { code: 'body-invalid', error: /not valid JSON/, help }],
      [{ method: 'POST', url, payload: 'a' }, 415, { code: 'content-type', error: /^Unsupported/, help }],
      [{ method: 'POST', url, payload: {} }, 400, { code: 'account-number-required; field=merchantAccountNumber', help }],
      [{ method: 'GET', url: '/fault' }, 500, { message: 'of the host' }]
    ] as const) {
      const response = await app.inject(request)
      t.equal(response.statusCode, status)
      t.match(response.json(), expected)
    }
  }],
  ['docs/library.md', /^/, async t => {
    const fences = fencesOf('docs/library.md')
    const joined = (language: string) => fences.filter(fence => fence.language === language).map(({ text }) => text).join('')
    const folder = t.testdir({ 'program.mjs': joined('js') })
    t.equal((await inShell(folder, 'MERCHANT_TOKEN=development-only-token node program.mjs')).output, joined('text'))
  }],
  ['docs/operations.md', /^\{.*"statusCode":404/, async (t, [block]) => {
    const { app, log } = service(t, {})
    for (let count = 0; count < 99; count++) await app.inject({ url: '/nowhere', headers: { 'x-forwarded-for': '192.0.2.1' } })
    await app.close()
    logs(t, log(), block!)
  }],
  ['docs/authorization.md', /^\{"level":30,"msg":"the policy/, async (t, [block]) => {
    const parsed = JSON.parse(policy)
    const three = JSON.stringify({ callers: [...parsed.callers, { ...parsed.callers[1], name: 'third', apiKeySha256: 'e'.repeat(64) }] })
    const bad = three.replace('"maximumAmount":"500.00"', '"maximumAmount":"500.00","maxAmount":"1.00"')
    logs(t, await rereads(t, 'POLICY_FILE', [policy, three, bad], '/etc/payment-signature/policy.json'), block!)
  }],
  ['docs/authorization.md', /^POST \/may-sign/, async (t, [block]) => {
    const [head = '', question = ''] = block!.trim().split('\n\n')
    const { caller, clientAddress, ...request } = JSON.parse(question)
    let asked: { line?: string, headers?: object, body?: unknown } = {}
    const AUTHORIZE_URL = await backend(t, (incoming, response) => {
      const { method, url, headers, httpVersion } = incoming
      let body = ''
      incoming.on('data', chunk => { body += chunk }).on('end', () => {
        asked = { line: `${method} ${url} HTTP/${httpVersion}`, headers, body: JSON.parse(body) }
        response.writeHead(204).end()
      })
    })
    const app = policyService(t, { AUTHORIZE_URL: AUTHORIZE_URL.replace(/\?.*/, '') })
    const sent = { cookie: 'session=1', traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' }
    t.equal((await ask(app, sent, request, clientAddress)).statusCode, 200)
    t.strictSame(asked.body, JSON.parse(question))
    t.equal(asked.line, head.split('\n')[0])
    t.match(asked.headers, { ...sent, 'content-type': 'application/json', 'accept-encoding': 'identity', 'x-request-id': /^[0-9a-f]{12}-[0-9a-z]+$/ })
    for (const line of head.split('\n').slice(1, 3)) t.ok(line.split(': ')[0]! in asked.headers!, line)
  }],
  ['docs/production.md', /^(?:STRICT=true\nREPORT_ONLY|sum by \(guard|\$ jq -r '.audit \| select\(.wouldRefuse)/, reportMode],
  ['docs/production.md', /^(?:[A-Z_]+=\S*\n)+$/, checkVariables],
  ['docs/deploy.md', /^ACCEPT_BODY_TOKEN=/, checkVariables],
  ['docs/production.md', /^\$ key=/, apiKey],
  ['docs/authorization.md', /^\{.*RATE_LIMIT_FAIL/, async (t, [block]) => {
    const redis = redisServer(t)
    await redis.start()
    const { app, log, says } = service(t, { RATE_LIMIT_MAX: '1', RATE_LIMIT_FAIL: 'open', REDIS_URL: redis.url })
    await app.ready()
    await redis.kill('SIGKILL')
    await says('Redis is unavailable')
    await redis.start()
    await says('Redis is back')
    logs(t, log(), block!)
  }],
  ['docs/specification.md', /^payment-signature/, async (t, [block]) => {
    const { app } = testApp(t)
    const commands = substitute(block!, { 'http://localhost:3001': `http://127.0.0.1:${await portOf(app)}` }).trim().split('\n')
    const folder = folderOf(t)
    const results = await Promise.all(commands.map(command => inShell(folder, `${command} | grep 'vectors passed'`)))
    t.match(results.map(({ output }) => output), ['308 of 442 vectors passed\n', '438 of 442 vectors passed\n', '278 of 278 vectors passed\n'])
  }],
  ['docs/specification.md', /^\{\n/, (t, blocks) => {
    for (const [index, block] of blocks.entries()) {
      const Signer = index === 0 ? VariantA : VariantB
      const transcripts = fencesOf('docs/specification.md').filter(({ text }) => text.startsWith('$ printf'))
      t.equal(new Signer('development-only-token').sign(JSON.parse(block)), transcripts[index]?.text.match(/^[0-9a-f]{64}/gm)?.join('///'))
    }
  }],
  ['docs/operations.md', /^\$ jq -r '.audit \| select\(.caller/, rotateKey],
  ['docs/operations.md', /^\{"level".*merchant token/, async (t, [block]) => {
    const output = await rereads(t, 'MERCHANT_TOKEN_FILE', ['first-token-0123456789', 'second-token-0123456789', ''], '/run/secrets/merchant-token')
    logs(t, output, block!)
  }],
  ['docs/monitoring.md', /^\$ mkdir/, async (t, [block]) => {
    const folder = folderOf(t)
    const { output } = await inShell(folder, `${stubs}\nmkdir work; cd work; ln -s ../examples\n${block!.replaceAll(/^\$ /gm, '')}`)
    const [init, installed = ''] = output.trim().split('\n')
    t.equal(init, 'npm init -y')
    const example = readFileSync(join(folder, 'work/tracing/tracing.mjs'), 'utf8')
    const versions = new Map(installed.replace('npm install ', '').split(' ').map(name => name.split(/(?<=.)@/) as [string, string]))
    t.strictSame([...versions.keys()], [...example.matchAll(/from '(@[^']+)'/g)].map(([, name]) => name).sort())
    const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    for (const [name, version] of versions) t.match(devDependencies[name], `^${version}.`)
  }],
  ['docs/monitoring.md', /^\$ OTEL/, async (t, [block]) => {
    const folder = folderOf(t)
    symlinkSync(join(root, 'examples'), 'tracing')
    const traced = start(t, 'env', ['-i', `PATH=${process.env.PATH}`, 'PORT=0', 'sh', '-c', `export ${block!.slice(2).replace(' node ', '; exec node ')}`], { cwd: folder, env: process.env })
    const [, port = ''] = await traced.says(listening)
    t.same(await sign(port), { signature })
    await traced.says(/"trace_id":"[0-9a-f]{32}"/)
  }],
  ['vectors/README.md', /^(?:python3|f0ba15d6)/, async (t, [text, shown]) => {
    t.equal((await inShell(folderOf(t), text!)).output, shown)
  }],
  ['vectors/README.md', /^import assert/, (t, [text]) => t.resolves(program(t, text!))]
]
