import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import env from '../../../plugins/env.js'
import { ConfigurationError } from '../../../src/settings/environment.js'
import type { Environment } from '../../../src/settings/settings.js'
import { variableWarnings } from '../../../src/settings/variable-warnings.js'
import { testApp } from '../../support/app.js'
import { root } from '../../support/server.js'

/** Returns the faults of a configuration. Uses no whole app, which takes ten times as long. */
async function faultsOf (t: Test, config: Record<string, unknown>): Promise<readonly string[]> {
  const app = Fastify().register(env, { config: { MERCHANT_TOKEN: 'token', ...config } })
  t.teardown(() => app.close())
  try {
    await app.ready()
    return []
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message.split('\n')
    throw error
  }
}

t.test('the defaults are those of .env.example', async t => {
  const app = Fastify().register(env, { config: { MERCHANT_TOKEN: 'development-only-token' } })
  await app.ready()
  const { NODE_ENV, ...config } = app.config
  t.strictSame(
    Object.fromEntries(Object.entries(config).map(([name, value]) => [name, String(value)])),
    { ...parseEnv(readFileSync(join(root, '.env.example'), 'utf8')) }
  )
})

const allowed: { readonly [Name in keyof Environment]?: readonly unknown[] } = {
  VARIANT: ['A', 'B', 'a', 'b'],
  HOST: ['0.0.0.0', '::', 'signer.internal'],
  PORT: ['0', '1', '65535', 8080],
  CORS_ORIGIN: [
    '*', 'https://shop.example', 'http://localhost:8080', 'https://a.example,https://b.example:8443',
    'https://a.example , https://b.example', 'capacitor://localhost', 'https://xn--bcher-kva.example', 'http://[::1]:8080'
  ],
  LOG_LEVEL: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
  TRUST_PROXY: ['', '127.0.0.1', '10.0.0.5,10.1.0.0/16', '::1, fd00::/8', '10.0.0.0/32', 'fd00::1/128'],
  STRICT: ['true', 'false'],
  ACCOUNT_NUMBER_DIGITS: ['1', '32'],
  AUTHORIZE_URL: ['', 'http://127.0.0.1:8080/may-sign', 'https://shop.example/may-sign'],
  AUTHORIZE_TIMEOUT: ['1', '10000'],
  MERCHANT_TOKEN_KCV: ['', '02672b', '02672b,625429', '02672b, 625429'],
  REPORT_ONLY: ['', 'strict', 'body-token, strict ,policy,rate-limit,authorize'],
  ADMIN_PORT: ['', '0', '1', '65535'],
  ADMIN_HOST: ['0.0.0.0', '::', 'signer.internal'],
  RATE_LIMIT_MAX: ['0', '1000000000'],
  RATE_LIMIT_WINDOW: ['1', '3600000'],
  RATE_LIMIT_FAIL: ['open', 'closed'],
  REDIS_URL: [
    '', 'redis://127.0.0.1:6379', 'rediss://user:password@redis.example:6380/1', 'redis://:100%25@redis/',
    'redis://[::1]:6379', 'redis:///1', 'redis://localhost/?path=/run/redis.sock'
  ],
  SHUTDOWN_DELAY: ['0', '3600000'],
  KEEP_ALIVE_TIMEOUT: ['1000', '620000', '3600000']
}

for (const [name, values] of Object.entries(allowed)) {
  t.test(`values of ${name} that are allowed`, async t => {
    for (const value of values) {
      const faults = await faultsOf(t, { [name]: value })
      t.strictSame(faults.filter(fault => !fault.endsWith('which is not configured')), [], String(value)) // of REPORT_ONLY
    }
  })
}

const refused: Record<string, readonly [allowed: string, ...values: unknown[]]> = {
  MERCHANT_TOKEN: ['it must be the merchant\'s secret token', '', ['canary-token']],
  AUTHORIZE_URL: ['it must be an http or https URL without a user or a password', 'ftp://canary', 'http://canary@shop',
    'http://:canary@shop'],
  VARIANT: ['it must be A or B', 'C', 'AB', ' A', ''],
  HOST: ['it must be a host name or an IP address', ''],
  PORT: ['it must be a port number from 1 to 65535, or 0 for any free port', '-1', '65536', '80a', '3001.5', 'three', '',
    '0x1F90', '1e4', ' 80', '+80', '80.0', true, null, 1.5, ['80']],
  CORS_ORIGIN: [
    'it must be *, or a comma-separated list of exact origins such as https://shop.example (scheme, host, a port ' +
    'that is not the scheme\'s default; no path, no final slash)',
    '', ',', 'shop.example', 'https://shop.example/', 'https://shop.example/cart', 'https://shop.example:443',
    'https://Shop.example', 'HTTPS://shop.example', 'https://*.shop.example', '*,https://shop.example', 'null',
    'https://a.example,', 'https://a.example https://b.example', 'https://a.example;https://b.example', 'https://',
    'https://user@shop.example', 'https://[', 'app://a b', 'capacitor://', 'https:// shop.example'
  ],
  CORS_CREDENTIALS: ['it must be true or false', '*', ''],
  LOG_LEVEL: ['it must be fatal, error, warn, info, debug, trace or silent', 'INFO', 'verbose', 'infos', ''],
  TRUST_PROXY: [
    'it must be a comma-separated list of the reverse proxies\' addresses or CIDRs, such as 10.0.0.5,10.1.0.0/16',
    '1', 'true', 'loopback', '10.0.0', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/255.0.0.0', 'fd00::/129',
    '10.0.0.1,', 'nginx.internal', '10.0.0.1 10.0.0.2', '10.0.0.0/0'
  ],
  STRICT: ['it must be true or false', 'yes', '1', 'TRUE', ''],
  ACCEPT_BODY_TOKEN: ['it must be true or false', 'no', ''],
  ACCOUNT_NUMBER_DIGITS: ['it must be how many digits an account number has under STRICT, from 1 to 32', '0', '33', 'six'],
  AUTHORIZE_TIMEOUT: ['it must be a number of milliseconds from 1 to 10000', '0', '10001', '2s', ''],
  MERCHANT_TOKEN_KCV: ['it must be a key check value of 6 lowercase hexadecimal digits, or two with a comma', '02672B', '02672',
    '02672b,', '02672b 625429', '02672b,625429,02672b'],
  REPORT_ONLY: ['it must be a comma-separated list of body-token, strict, policy, rate-limit, authorize', 'audit', 'Strict', 'strict,',
    ',strict', 'strict policy', 'strict;policy', ' '],
  ADMIN_PORT: ['it must be a port number from 1 to 65535, 0 for any free port, or empty for none', '65536', '-1', 'x', '9100.5', '1e3', '0x10'],
  ADMIN_HOST: ['it must be a host name or an IP address', ''],
  RATE_LIMIT_MAX: ['it must be a number of requests, or 0 for no limit', '-1', '1000000001', 'many', ''],
  RATE_LIMIT_WINDOW: ['it must be a number of milliseconds from 1 to 3600000', '0', '3600001', '1m', ''],
  RATE_LIMIT_FAIL: ['it must be open or closed', 'shut', ''],
  REDIS_URL: [
    'it must be a redis:// or rediss:// URL of one server, special characters in its password percent-encoded',
    'http://user:canary@redis', 'localhost:6379', 'redis:localhost', 'redis://', 'redis://[', 'redis://localhost:port', 'redis://:100%@localhost',
    'redis://:%ff@localhost', 'redis://%ff:x@localhost', 'redis://localhost/cache', ' redis://localhost', 'redis://one,two', 'redis+sentinel://one?name=signatures',
    'redis+cluster://one:6379'
  ],
  SHUTDOWN_DELAY: ['it must be a number of milliseconds from 0 to 3600000', '-1', '3600001', '5s'],
  KEEP_ALIVE_TIMEOUT: ['it must be a number of milliseconds from 1000 to 3600000', '0', '999', '3600001', '72s']
}

for (const [name, [allowed, ...values]] of Object.entries(refused)) {
  t.test(`values of ${name} that are refused`, async t => {
    for (const value of values) {
      const shown = JSON.stringify(value)
      const isSecret = ['MERCHANT_TOKEN', 'MERCHANT_TOKEN_KCV', 'AUTHORIZE_URL', 'REDIS_URL'].includes(name)
      const given = value === '' ? 'empty' : isSecret ? 'unusable' : shown
      t.strictSame(await faultsOf(t, { [name]: value }), [`${name} is ${given}; ${allowed}`])
    }
  })
}

t.test('integers given as text or number become numbers', async t => {
  for (const PORT of ['8080', '008080', 8080]) {
    const { app } = testApp(t, { config: { PORT: PORT as number } })
    await app.ready()
    t.equal(app.config.PORT, 8080)
  }
})

/** Misspelled names, by the intended variable. */
const misspelt = {
  MERCHANT_TOKEN: ['MERCHANT_TOKN', 'MERCHAND_TOKENS', 'merchant-token', 'MERCHANTTOKEN', 'MERCHANT_TOKEN_PROD'],
  MERCHANT_TOKEN_FILE: ['MERCHANT_TOKEN_FIEL', 'MERCHANT_TOKEN_FILE_PATH'],
  AUTHORIZE_URL: ['AUTHORISE_URL'],
  STRICT: ['STIRCT', 'strict', 'STRICT_MODE', 'ENABLE_STRICT', 'PAYMENT_SIGNATURE_STRICT'],
  CORS_ORIGIN: ['CORS_ORIGINS'],
  LOG_LEVEL: ['LOGG_LEVELS', 'PAYMENT_SIGNATURE_BACKEND_LOG_LEVEL'],
  TRUST_PROXY: ['TRUSTED_PROXY'],
  RATE_LIMIT_MAX: ['RATE_LIMIT_MAXX'],
  AUDIT: ['AUDITT', 'AUDIT_LOG', 'AUDIT_PORTAL', 'USE_AUDIT'],
  PORT: ['port'],
  POLICY_FILE: ['POLICY_FILE_PATH']
}

t.test('misspellings', async t => {
  for (const [meant, names] of Object.entries(misspelt)) {
    for (const name of names) {
      t.strictSame(variableWarnings({ [name]: 'canary' }),
        [`${name} is not a variable of this service, and has no effect; did you mean ${meant}?`])
    }
  }
  t.strictSame(variableWarnings({ MERCHANT_TOKN: '' }), [], 'not set')
})

/** Variables of other programs whose names resemble ours. */
const others = `
  HOSTNAME HOSTTYPE PATH USER LISTEN_FDS DOC DOCK PORTS HOSTS POST NODE NODE_VERSION NODE_OPTIONS NODE_EXE NODE_APP_INSTANCE
  npm_config_loglevel npm_config_audit NPM_CONFIG_LOGLEVEL KUBERNETES_SERVICE_HOST KUBERNETES_PORT_443_TCP_PORT
  PAYMENT_SIGNATURE_PORT PAYMENT_SIGNATURE_SERVICE_HOST PAYMENT_SIGNATURE_HOST AUDIT_SERVICE_HOST AUDIT_PORT AUDIT_PORT_80_TCP_ADDR
  REDIS_SERVICE_HOST REDIS_PORT NODE_NAME NODE_IP HOST_IP OTEL_LOG_LEVEL DD_ENV DD_LOG_LEVEL DB_HOST DB_PORT PGHOST PGPORT REDIS_HOST
  CACHE_REDIS_URL REDIS_URL_STUNNEL DATABASE_URL TOKEN RATE_LIMIT REDIS DOCS_URL PORT_RANGE AWS_LAMBDA_LOG_LEVEL AWS_SESSION_TOKEN VERCEL_ENV VERCEL_URL AUDITORIUM NODE_ENV_FILE
  LOG_LEVEL_ROOT ENV URL GITHUB_TOKEN CI_JOB_TOKEN MERCHANT_ID MERCHANT_NAME MERCHANT_CODE PAYMENT_SIGNATURE_API_KEY
`.trim().split(/\s+/)

t.test('our variables, and those of other programs and of Kubernetes, cause no warning', async t => {
  t.strictSame(variableWarnings({ STRICT: 'true', MERCHANT_TOKEN_FILE: '/token', PORT: 1, CORS_ORIGIN: '*', ADMIN_PORT: '' }), [])
  t.strictSame(variableWarnings(Object.fromEntries(others.map(name => [name, 'value']))), [])
  t.strictSame(variableWarnings({ AUDIT_PORTAL: 'tcp://10.96.0.7:9464' }), [], 'of a service named audit')
})

t.test('NODE_TLS_REJECT_UNAUTHORIZED=0', async t => {
  const warning = 'NODE_TLS_REJECT_UNAUTHORIZED is 0: anybody on the way can imitate your backend and Redis; set NODE_EXTRA_CA_CERTS instead'
  t.strictSame(variableWarnings({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }), [warning])
  t.strictSame(variableWarnings({ NODE_TLS_REJECT_UNAUTHORIZED: '1' }), [])
})

const nodeEnv = 'NODE_ENV looks like production, and is not: only exactly production refuses the development token'

t.test('values of NODE_ENV that look like production, and others', async t => {
  for (const NODE_ENV of ['Production', 'production ', 'prd', 'live', '"prod"', 'producton', 'PORDUCTION', 'prod-eu']) {
    t.strictSame(variableWarnings({ NODE_ENV }), [nodeEnv], NODE_ENV)
  }
  for (const NODE_ENV of ['production', '', 'development', 'test', 'staging', 'pre-production', undefined]) {
    t.strictSame(variableWarnings({ NODE_ENV }), [], String(NODE_ENV))
  }
})
