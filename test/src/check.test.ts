import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import t from 'tap'
import { runArguments } from '../../src/check.js'
import { tcpServer } from '../support/backend.js'
import { run } from '../support/command-line.js'
import { environment } from '../support/environment.js'
import { root, server, start } from '../support/server.js'

/** Runs --check and returns its output and exit code. */
async function checked (args = ['--check']) {
  const outcome = { code: NaN, stdout: '', stderr: '' }
  const into = (name: 'stdout' | 'stderr') => new Writable({
    write (chunk, _encoding, done) {
      outcome[name] += chunk
      done()
    }
  })
  outcome.code = await runArguments(args, { stdout: into('stdout'), stderr: into('stderr') })
  return outcome
}

const digest = '7d9b0e1b5a2c4f6e8d0c2b4a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796'

const policy = JSON.stringify({
  callers: [{ name: 'shop', apiKeySha256: digest, operations: ['purchase'], accountNumbers: ['102551'] }]
})

const development = 'payment-signature-backend: warning: the merchant token is the development token, which everybody ' +
  'knows: set MERCHANT_TOKEN or MERCHANT_TOKEN_FILE\n'

t.test('--check prints the configuration without secrets, and opens no port or connection', async t => {
  let connections = 0
  const port = String(await tcpServer(t, socket => {
    connections += 1
    socket.destroy()
  }))
  environment(t, 'VARIANT=b\nLOG_LEVEL=silent\n', {
    NODE_ENV: 'production',
    MERCHANT_TOKEN_FILE: './token',
    POLICY_FILE: 'policy.json',
    HOST: '127.0.0.1',
    PORT: port, // in use
    ADMIN_PORT: port,
    REDIS_URL: `redis://user:canary@127.0.0.1:${port}/1?password=canary`,
    AUTHORIZE_URL: `http://127.0.0.1:${port}/may-sign?key=canary`,
    RATE_LIMIT_MAX: '060',
    CORS_ORIGIN: 'https://shop.example.io',
    AUDIT: 'required',
    STRICT_MODE: 'canary'
  }, { token: 'tK7-mQ2xV9/bR4+wZ1', 'policy.json': policy })
  chmodSync('token', 0o600)
  const { code, stdout, stderr } = await checked()
  t.equal(code, 0)
  t.equal(stderr,
    'payment-signature-backend: warning: STRICT_MODE is not a variable of this service, and has no effect; did you mean STRICT?\n' +
    'payment-signature-backend: warning: ACCEPT_BODY_TOKEN is true: clients may send a merchant token of their own; set it to false\n')
  const lines = stdout.split('\n')
  for (const line of [
    'NODE_ENV=production', 'MERCHANT_TOKEN=', 'MERCHANT_TOKEN_FILE=./token', 'VARIANT=b', `PORT=${port}`, 'LOG_LEVEL=silent',
    'CORS_ORIGIN=https://shop.example.io', 'STRICT=true', 'AUDIT=required', 'RATE_LIMIT_MAX=60', `ADMIN_PORT=${port}`, 'POLICY_FILE=policy.json',
    `REDIS_URL=redis://[masked]@127.0.0.1:${port}/1?[masked]`, `AUTHORIZE_URL=http://127.0.0.1:${port}/may-sign?[masked]`
  ]) t.ok(lines.includes(line), line)
  // printf '%s' TOKEN | openssl dgst -sha256 -hmac 'payment-signature-backend key check value v1', its first 6 digits
  t.strictSame(lines.slice(-2), ['# variant B, token from MERCHANT_TOKEN_FILE (./token), key check value 736feb', ''])
  t.notMatch(stdout, 'canary')
  t.equal(connections, 0)
})

t.test('a token and other URLs in the environment, and control characters', async t => {
  environment(t, undefined, { MERCHANT_TOKEN: 'tK7-mQ2xV9/bR4+wZ1', HOST: 'a\x1b[31m', AUTHORIZE_URL: 'https://shop.example/sign' })
  for (const [REDIS_URL, shown] of [
    ['rediss://:canary@redis/', 'rediss://[masked]@redis/'],
    ['redis://canary@redis', 'redis://[masked]@redis'],
    ['redis://redis:6379', 'redis://redis:6379']
  ] as const) {
    process.env.REDIS_URL = REDIS_URL
    const { code, stdout } = await checked()
    t.equal(code, 0)
    for (const line of ['MERCHANT_TOKEN=[set]', 'HOST=a\\u{1b}[31m', `REDIS_URL=${shown}`, 'AUTHORIZE_URL=https://shop.example/sign']) {
      t.match(stdout, `\n${line}\n`)
    }
  }
})

t.test('a file of merchants', async t => {
  const merchants = [{ name: 'shop-1', accountNumbers: ['102551'], token: 'token-of-shop-1-4b7d93' }]
  const path = 'merchants.json'
  environment(t, undefined, { MERCHANTS_FILE: path })
  writeFileSync(path, JSON.stringify({ merchants }))
  const { code, stdout } = await checked()
  t.equal(code, 0)
  t.match(stdout, '\nVARIANT=\n')
  t.match(stdout, `\n# variant A, token from MERCHANTS_FILE (${path}, 1 merchant), key check value aecb3b\n`)
})

for (const [what, variables, files, expected] of [
  ['configuration, which has the token', { VARIANT: 'C', HOST: 'tK7-mQ2xV9/bR4+wZ1', LOG_LEVEL: 'tK7-mQ2xV9/bR4+wZ1', MERCHANT_TOKEN: 'tK7-mQ2xV9/bR4+wZ1', POLICY_FILE: './nowhere' }, {},
    'payment-signature-backend: VARIANT is "C"; it must be A or B\n' +
    'payment-signature-backend: LOG_LEVEL is "[redacted]"; it must be fatal, error, warn, info, debug, trace or silent\n' +
    'payment-signature-backend: POLICY_FILE is "./nowhere", which cannot be read (ENOENT)\n'],
  ['token file', { MERCHANT_TOKEN_FILE: './nowhere', MERCHANT_TOKN: 'canary' }, {},
    'payment-signature-backend: warning: MERCHANT_TOKN is not a variable of this service, and has no effect; did you mean MERCHANT_TOKEN?\n' +
    'payment-signature-backend: MERCHANT_TOKEN_FILE is "./nowhere", which cannot be read (ENOENT)\n'],
  ['audit file', { AUDIT: 'true', AUDIT_FILE: 'nowhere/audit', NODE_ENV: 'test' }, {},
    'payment-signature-backend: AUDIT_FILE is "nowhere/audit", which cannot be opened (ENOENT)\n'],
  ['audit file that is a directory', { AUDIT: 'true', AUDIT_FILE: '.', NODE_ENV: 'test' }, {},
    'payment-signature-backend: AUDIT_FILE is ".", which cannot be opened (EISDIR)\n'],
  ['token, a policy and an audit at a time', {
    MERCHANT_TOKEN: 'tK7-mQ2xV9/bR4+wZ1', MERCHANT_TOKEN_KCV: '000000', POLICY_FILE: 'nowhere.json', AUDIT: 'true', AUDIT_FILE: 'nowhere/audit'
  }, {},
  'payment-signature-backend: MERCHANT_TOKEN_KCV is 000000; the token has 736feb\n' +
    'payment-signature-backend: AUDIT_FILE is "nowhere/audit", which cannot be opened (ENOENT)\n' +
    'payment-signature-backend: POLICY_FILE is "nowhere.json", which cannot be read (ENOENT)\n'],
  ['audit', { AUDIT_FILE: './audit', NODE_ENV: 'test' }, {},
    'payment-signature-backend: AUDIT_FILE is set, but AUDIT is false; set AUDIT to true or required\n'],
  ['policy', { POLICY_FILE: 'policy.json' }, { 'policy.json': '{"callers":[],"more":1}' }, development +
    'payment-signature-backend: POLICY_FILE is "policy.json": more is not known\n' +
    'payment-signature-backend: POLICY_FILE is "policy.json": callers must be a list of at least one caller\n']
] as const) {
  t.test(`a fault of the ${what}`, async t => {
    environment(t, undefined, variables, files)
    t.strictSame(await checked(), { code: 1, stdout: '', stderr: expected })
  })
}

for (const [NODE_ENV, code, faults] of [
  ['production', 1, [
    ...['CORS_ORIGIN still has the placeholder ".example.com"', 'TRUST_PROXY still has the placeholder "192.0.2.0"',
      'AUTHORIZE_URL still has the placeholder ".example"', 'REDIS_URL still has the placeholder "change-me"'
    ].map(fault => `${fault}: put your own value in its place`),
    'the merchant token looks like a placeholder'
  ]],
  ['staging', 0, []]
] as const) {
  t.test(`placeholders, with NODE_ENV=${NODE_ENV}`, async t => {
    environment(t, undefined, {
      NODE_ENV,
      MERCHANT_TOKEN: 'your-merchant-token-here',
      CORS_ORIGIN: 'https://myexample.com,https://www.example.com',
      TRUST_PROXY: '10.0.0.1,192.0.2.0/24',
      AUTHORIZE_URL: 'http://shop.example:8080/may-sign',
      POLICY_FILE: './example.json',
      REDIS_URL: 'redis://user:change-me@redis'
    }, { 'example.json': policy })
    const { stderr, ...outcome } = await checked()
    t.match(outcome, { code })
    t.same(stderr.match(/(?<=^payment-signature-backend: )(?!warning:).*/gm) ?? [], faults)
  })
}

t.test('--check neither creates nor writes the audit file', async t => {
  environment(t, undefined, { AUDIT: 'required', AUDIT_FILE: './audit', NODE_ENV: 'test' })
  t.match(await checked(), { code: 0, stderr: '', stdout: '\nAUDIT_FILE=./audit\n' })
  t.strictSame(readdirSync('.'), [])
  writeFileSync('audit', 'what was there\n')
  t.match(await checked(), { code: 0, stderr: '' })
  t.equal(readFileSync('audit', 'utf8'), 'what was there\n')
})

t.test('a fault hides the token of .env that stands in another variable', async t => {
  environment(t, "MERCHANT_TOKEN='secret-token-of-dotenv'\nLOG_LEVEL='secret-token-of-dotenv'\n", {})
  const { code, stderr } = await checked()
  t.equal(code, 1)
  t.match(stderr, 'LOG_LEVEL is "[redacted]"; it must be')
})

t.test('--check finds that the audit file cannot be created', async t => {
  const folder = t.testdir({ logs: {} })
  chmodSync(join(folder, 'logs'), 0o555)
  // Root may write to every folder, but for this capability.
  const setpriv = process.getuid?.() === 0 ? ['setpriv', '--bounding-set', '-dac_override'] : []
  const checking = start(t, 'env', [...setpriv, process.execPath, join(root, 'dist/src/server.js'), '--check'], {
    cwd: folder, env: { PATH: process.env.PATH, NODE_ENV: 'test', AUDIT: 'true', AUDIT_FILE: 'logs/audit' }
  })
  t.equal(await checking.ended, 1)
  t.equal(checking.output(), 'payment-signature-backend: AUDIT_FILE is "logs/audit", which cannot be opened (EACCES)\n')
})

t.test('the server accepts --check and no other argument', async t => {
  const good = server(t, { MERCHANT_TOKEN: 'canary-token' }, { args: ['--check'], isCovered: true })
  t.equal(await good.ended, 0)
  t.match(good.output(), '\n# variant A, token from MERCHANT_TOKEN, key check value 0ed99a\n')
  t.notMatch(good.output(), /canary|listening/)

  const stderr = 'payment-signature-backend: the only argument is --check; set everything else by environment variables, see ' +
    'docs/configuration.md\n'
  for (const args of [['--token=canary'], ['check'], ['--check', 'canary'], ['']]) {
    t.strictSame(await checked(args), { code: 2, stdout: '', stderr })
  }
})

t.test('payment-signature serve accepts --check and no other argument', async t => {
  environment(t, undefined, { VARIANT: 'C' })
  t.match(await run(['serve', '--check']), {
    code: 1, stdout: '', stderr: 'payment-signature-backend: VARIANT is "C"; it must be A or B\n'
  })
  t.match(await run(['serve', '--chekc']), { code: 2, stdout: '', stderr: 'payment-signature: unknown option --chekc; did you mean --check?\n' })
  t.match(await run(['serve', 'check']), { code: 2, stdout: '' })
})

t.test('--check in production warns about guards that only report', async t => {
  const reporting = { NODE_ENV: 'production', MERCHANT_TOKEN: 'aProductionTokenThatIsLongEnough', REPORT_ONLY: 'strict' }
  environment(t, '', { ...reporting, STRICT: 'true' })
  t.match(await checked(), {
    code: 0, stderr: 'warning: guards that only report and refuse nothing (REPORT_ONLY): strict\n', stdout: '\nSTRICT=true\n'
  })
})
