import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createApp, type AppOptions } from '../../src/app.js'
import { ConfigurationError } from '../../src/settings/environment.js'
import { testApp } from '../support/app.js'
import { environment } from '../support/environment.js'

for (const [what, file, variables, expected] of [
  ['.env in the working directory is read', 'VARIANT=B\nMERCHANT_TOKEN=\'to#ken\'\n', {}, ['B', 3001, 'to#ken']],
  ['the environment wins over .env', 'VARIANT=B\nPORT=4000\n', { VARIANT: 'A' }, ['A', 4000, undefined]],
  ['without either there are the defaults', undefined, {}, ['A', 3001, undefined]]
] as const) {
  t.test(what, async t => {
    environment(t, file, variables)
    const app = createApp({ logger: false })
    t.teardown(() => app.close())
    await app.ready()
    const { VARIANT, PORT, MERCHANT_TOKEN } = app.config
    t.strictSame([VARIANT, PORT, MERCHANT_TOKEN], expected)
    t.equal(app.variant, VARIANT)
  })
}

t.test('each variable that is gone stops the start with a line', async t => {
  environment(t, 'REUSE_PORT=false\nDOCS=\n', { MAX_CONNECTIONS: '100' })
  await t.rejects(async () => createApp({ logger: false }).ready(), new ConfigurationError(
    'MAX_CONNECTIONS is gone; memory and the limit of open files (ulimit -n) determine the number: leave it out\n' +
    'REUSE_PORT is gone; give each process a PORT of its own, behind a proxy: leave it out'))
})

t.test('an unreadable .env is a fault', async t => {
  environment(t, undefined, {})
  mkdirSync(join(process.cwd(), '.env'))
  const app = createApp({ logger: false })
  await t.rejects(async () => app.ready(), new ConfigurationError('.env cannot be read: EISDIR: illegal operation on a directory, read'))
})

t.test('a .env with a byte order mark is a fault: it would lose its first variable', async t => {
  environment(t, '\ufeffMERCHANT_TOKEN=secret\n', {})
  await t.rejects(async () => createApp({ logger: false }).ready(),
    new ConfigurationError('.env begins with a byte order mark, which hides its first variable: save it without'))
})

t.test('a .env in UTF-16 is a fault', async t => {
  environment(t, Buffer.from('\ufeffMERCHANT_TOKEN=secret\r\n', 'utf16le'), {})
  await t.rejects(async () => createApp({ logger: false }).ready(),
    new ConfigurationError('.env is UTF-16 text, as PowerShell writes it, or binary: save it as UTF-8'))
})

t.test('PORT and ADMIN_PORT of one address cannot be the same', async t => {
  const { app } = testApp(t, { config: { PORT: 4000, ADMIN_PORT: '4000' } })
  await t.rejects(async () => app.ready(), new ConfigurationError('PORT and ADMIN_PORT are both 4000; set another ADMIN_PORT'))
  await testApp(t, { config: { PORT: 4000, ADMIN_PORT: '4000', ADMIN_HOST: '127.0.0.2' } }).app.ready()
})

/** Returns the warnings at start, without those that all of these tests cause. */
async function misnamed (t: Test, options: AppOptions = {}): Promise<string[]> {
  const lines: string[] = []
  const app = createApp({ ...options, logger: { stream: { write: line => { lines.push(line) } } } })
  t.teardown(() => app.close())
  await app.ready().then(undefined, () => {})
  t.notMatch(lines.join(), 'canary')
  return lines.map(line => JSON.parse(line)).filter(({ level }) => level === 40).map(({ msg }) => msg)
    .filter(message => !message.startsWith('the merchant token is the development token'))
}

const merchantTokn = 'MERCHANT_TOKN is not a variable of this service, and has no effect; did you mean MERCHANT_TOKEN?'
const strictMode = 'STRICT_MODE is not a variable of this service, and has no effect; did you mean STRICT?'
const prod = 'NODE_ENV looks like production, and is not: only exactly production refuses the development token'

for (const [what, file, variables, ...expected] of [
  ['misspelled names, in the environment and in .env', 'STRICT_MODE=canary\nNODE_ENV=Production\nPORT=4000\n',
    { MERCHANT_TOKN: 'canary', HOSTNAME: 'canary' }, strictMode, merchantTokn, prod],
  ['a name without which the start is refused', undefined, { MERCHANT_TOKN: 'canary', NODE_ENV: 'production' }, merchantTokn],
  ['values of .env that are cut at a #', 'export MERCHANT_TOKEN=canary#canary\nVARIANT=A # canary\nOTHER=a#b\nCORS_ORIGIN="https://a.example/#b"\n',
    { CORS_ORIGIN: 'https://shop.internal' }, '.env: the value of MERCHANT_TOKEN ends before a "#", which begins a comment: put the value in single quotes',
    'the merchant token has fewer than 16 characters, and can be guessed from a single signature',
    'the merchant token has fewer than 6 different characters, and can be guessed from a single signature'],
  ['no name if LOG_LEVEL is higher', undefined, { STRICT_MODE: 'canary', LOG_LEVEL: 'error' }]
] as const) {
  t.test(`warnings: ${what}`, async t => {
    environment(t, file, variables)
    t.strictSame(await misnamed(t), expected)
  })
}

t.test('with an explicit configuration, neither environment nor .env is read, and warnings are about the configuration', async t => {
  environment(t, 'VARIANT=B\nSTRICT_MODE=canary\n', { PORT: '4000', MERCHANT_TOKN: 'canary' })
  const { app } = testApp(t)
  await app.ready()
  t.match(app.config, { VARIANT: 'A', PORT: 3001 })
  t.strictSame(await misnamed(t, { config: {} }), [])
  t.strictSame(await misnamed(t, { config: { NODE_ENV: 'prod', STRICT_MODE: true } as AppOptions['config'] }), [strictMode, prod])
})

t.test('warnings about guards that are off', async t => {
  const cors = 'CORS_ORIGIN is *: web pages of any origin may get signatures; set it to the origins of your shop'
  const policy = 'whoever reaches this service gets signatures, refunds included: set POLICY_FILE or AUTHORIZE_URL'
  const strict = 'STRICT is false: the signature of one request may also be that of another operation; set it to true'
  const bodyToken = 'ACCEPT_BODY_TOKEN is true: clients may send a merchant token of their own; set it to false'
  const rateLimit = 'RATE_LIMIT_MAX is 0: clients may ask as often as they like; set it to a number of requests'

  const MERCHANT_TOKEN = 'tK7-mQ2xV9/bR4+wZ1'

  /** Returns the warnings at start. */
  async function warnings (t: Test, config: AppOptions['config'], options: AppOptions = {}): Promise<string[]> {
    const { app, log } = testApp(t, { config: { MERCHANT_TOKEN, ...config }, ...options })
    await app.ready()
    const lines = log().split('\n').slice(0, -1).map(line => JSON.parse(line))
    t.ok(lines.every(({ level }) => level === 40))
    return lines.map(({ msg }) => msg)
  }

  const production = { NODE_ENV: 'production' }
  const closed = {
    CORS_ORIGIN: 'https://shop.internal',
    AUTHORIZE_URL: 'https://shop.internal/may-sign',
    STRICT: true,
    ACCEPT_BODY_TOKEN: false,
    RATE_LIMIT_MAX: 100
  }
  const all = [cors, policy, strict, bodyToken, rateLimit]

  t.test('in production one warning names all guards that are off, and each setting removes its name', async t => {
    t.strictSame(await warnings(t, {}), [])
    t.strictSame(await warnings(t, { NODE_ENV: 'development' }), [])
    t.strictSame(await warnings(t, production), all)
    for (const [index, [name, value]] of Object.entries(closed).entries()) {
      t.strictSame(await warnings(t, { ...production, [name]: value }), all.filter((_, other) => other !== index), name)
    }
    t.strictSame(await warnings(t, { ...production, ...closed }), [])
    t.strictSame(await warnings(t, production, { authorize: () => true }), [cors, strict, bodyToken, rateLimit])
  })

  const clear = 'AUTHORIZE_URL is http:// to another host: cookies and API keys are sent there in the clear; use https://'

  t.test('AUTHORIZE_URL without TLS to another host is named in production, unless there is an authorize function', async t => {
    for (const [expected, ...urls] of [
      [[clear], 'http://shop.internal/may-sign', 'http://10.0.0.5/may-sign', 'http://127.shop.internal/may-sign', 'http://localhost.shop.internal/'],
      [[], 'http://127.0.0.1:8080/may-sign', 'http://127.1/may-sign', 'http://[::1]:8080/may-sign', 'http://localhost:8080/may-sign',
        'http://shop.localhost/may-sign', 'https://shop.internal/may-sign']
    ] as ReadonlyArray<[string[], ...string[]]>) {
      for (const AUTHORIZE_URL of urls) {
        const found = await warnings(t, { ...production, AUTHORIZE_URL })
        t.strictSame(found, [cors, ...expected, strict, bodyToken, rateLimit], AUTHORIZE_URL)
      }
    }
    const AUTHORIZE_URL = 'http://shop.internal/may-sign'
    t.strictSame(await warnings(t, { AUTHORIZE_URL }), [], 'outside production')
    const asked = await warnings(t, { ...production, AUTHORIZE_URL }, { authorize: () => true })
    t.strictSame(asked, [cors, strict, bodyToken, rateLimit])
  })

  t.test('POLICY_FILE silences the warnings about the policy and STRICT', async t => {
    const callers = [{ name: 'anonymous', anonymous: true, operations: ['purchase'], accountNumbers: ['102551'] }]
    const POLICY_FILE = join(t.testdir({ 'policy.json': JSON.stringify({ callers }) }), 'policy.json')
    t.strictSame(await warnings(t, { ...production, POLICY_FILE }), [cors, bodyToken,
      'RATE_LIMIT_MAX is 0: callers without a rate in the policy may ask as often as they like; set it to a number of requests'
    ])
  })
})
