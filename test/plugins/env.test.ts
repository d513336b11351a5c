import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createApp, type AppOptions } from '../../src/embed.js'
import { ConfigurationError } from '../../src/settings/environment.js'
import { testApp } from '../support/app.js'
import { environment } from '../support/environment.js'

/** Returns an app that has loaded its configuration from the environment and `.env`, or from a given one. */
async function loaded (t: Test, config?: AppOptions['config']) {
  const app = createApp({ config, logger: false })
  t.teardown(() => app.close())
  await app.ready()
  return app
}

for (const [what, file, variables, expected] of [
  ['.env in the working directory is read', 'VARIANT=B\nMERCHANT_TOKEN=\'to#ken\'\n', {}, ['B', 3001, 'to#ken', ['MERCHANT_TOKEN', 'VARIANT']]],
  ['the environment wins over .env', 'VARIANT=B\nPORT=4000\n', { VARIANT: 'A' }, ['A', 4000, undefined, ['PORT']]],
  ['.env may begin with a byte order mark', '\ufeffMERCHANT_TOKEN=secret\n', {}, ['A', 3001, 'secret', ['MERCHANT_TOKEN']]],
  ['without either there are the defaults', undefined, {}, ['A', 3001, undefined, []]]
] as const) {
  t.test(what, async t => {
    environment(t, file, variables)
    const { config: { VARIANT, PORT, MERCHANT_TOKEN }, fromEnvFile, merchants } = await loaded(t)
    t.strictSame([VARIANT, PORT, MERCHANT_TOKEN, [...fromEnvFile].sort()], expected)
    t.equal(merchants.variant, VARIANT)
  })
}

t.test('with a given configuration, neither the environment nor .env is read', async t => {
  environment(t, 'VARIANT=B\n', { PORT: '4000', MERCHANT_TOKEN: 'secret' })
  const { config } = await loaded(t, {})
  t.match(config, { VARIANT: 'A', PORT: 3001, HOST: 'localhost', CORS_ORIGIN: '*', STRICT: 'false', AUDIT: false, KEEP_ALIVE_TIMEOUT: 72_000 })
  t.equal(config.MERCHANT_TOKEN, undefined)
})

/** Values that cannot be used, and the lines of the fault, which show no secret. */
const faults: ReadonlyArray<readonly [variables: Record<string, string>, ...lines: string[]]> = [
  [{ VARIANT: 'C', PORT: '65536' }, 'VARIANT is "C"; it must be A or B', 'PORT is 65536; it must be a port number from 0 to 65535, as plain digits'],
  [{ MERCHANT_TOKEN: 'canary-of-the-token', LOG_LEVEL: 'canary-of-the-token' },
    'LOG_LEVEL is "[redacted]"; it must be info, fatal, error, warn, debug, trace or silent'],
  [{ PORT: '4000', ADMIN_PORT: '4000' }, 'PORT and ADMIN_PORT are both 4000; set another ADMIN_PORT'],
  ...[['localhost', '127.0.0.1'], ['0.0.0.0', '127.0.0.2'], ['127.0.0.2', '::'], ['::FFFF:127.0.0.1', 'LOCALHOST']].map(([HOST = '', ADMIN_HOST = '']) =>
    [{ PORT: '04000', ADMIN_PORT: '4000', HOST, ADMIN_HOST }, 'PORT and ADMIN_PORT are both 4000; set another ADMIN_PORT'] as const),
  [{ REDIS_URL: 'redis://localhost' }, 'REDIS_URL is set, but nothing is limited; set RATE_LIMIT_MAX, or set REDIS_URL empty'],
  ...['prod', 'PROD', 'Production', "'production'", '"production"'].map(NODE_ENV =>
    [{ NODE_ENV }, `NODE_ENV is ${JSON.stringify(NODE_ENV)}; set it to production`] as const),
  [{ NODE_ENV: ' production ' }, 'NODE_ENV is " production "; it must be a name without spaces, such as production'],
  [{ CORS_CREDENTIALS: 'true' }, 'CORS_CREDENTIALS is true, so CORS_ORIGIN must list origins instead of *'],
  [{ AUDIT: 'true', AUDIT_FILE: './audit' }, 'AUDIT and AUDIT_FILE are both set; set one of them'],
  [{ STRICT: 'report', POLICY_FILE: './policy' }, 'STRICT is report, but POLICY_FILE needs strict fields; leave one of them out'],
  [{ MERCHANT_TOKEN: 'token', MERCHANT_TOKEN_FILE: './token', MERCHANTS_FILE: './merchants' },
    'MERCHANT_TOKEN and MERCHANT_TOKEN_FILE and MERCHANTS_FILE are all set; set one of them']
]
for (const [variables, ...lines] of faults) {
  t.test(`a fault of ${Object.keys(variables).join(', ')} names the variable, its value and what is allowed`, async t => {
    environment(t, undefined, variables)
    await t.rejects(loaded(t), new ConfigurationError(lines.join('\n')))
  })
}

t.test('the same port on another address is no fault', async t => {
  environment(t, undefined, { PORT: '4000', ADMIN_PORT: '4000', ADMIN_HOST: '127.0.0.2' })
  t.equal((await loaded(t)).config.ADMIN_PORT, 4000)
})

t.test('the NODE_ENV of the process counts beside a configuration; another environment with this word in its name is warned of', async t => {
  t.intercept(process, 'env', { value: { NODE_ENV: ' production ' } })
  await t.rejects(loaded(t, { NODE_ENV: 'test' }), new ConfigurationError('NODE_ENV is " production "; set it to production'))
  for (const [ofProcess, NODE_ENV, warning] of [
    ['production-eu', 'test', 'production-eu'], ['test', 'eu_prod', 'eu_prod'], ['prd', 'test', 'prd'],
    ['test', 'Live', 'Live'], ['production', 'production-eu'], ['test', 'product-tests'], ['preprod', 'test']
  ] as const) {
    t.intercept(process, 'env', { value: { NODE_ENV: ofProcess } })
    const { app, log } = testApp(t, { config: { NODE_ENV, MERCHANT_TOKEN: 'Qm8zR4tY7wE2uI9oP6aS3dF1gH5jK0lX' } })
    await app.ready()
    t.equal(/"level":40,.*"msg":"NODE_ENV is (.*), which is not production"/.exec(log())?.[1], warning && `\\"${warning}\\"`)
  }
})

t.test('an unreadable .env is a fault', async t => {
  environment(t, undefined, {})
  mkdirSync(join(process.cwd(), '.env'))
  await t.rejects(loaded(t), new ConfigurationError('.env cannot be read (EISDIR)'))
})

t.test('a token of .env is hidden in a fault, too', async t => {
  environment(t, "MERCHANT_TOKEN='secret-token-of-dotenv'\nHOST=\nLOG_LEVEL='secret-token-of-dotenv'\n", {})
  await t.rejects(loaded(t), { message: /^HOST is empty; .*\nLOG_LEVEL is "\[redacted\]"; / })
})
