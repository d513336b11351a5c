import Fastify from 'fastify'
import t, { type Test } from 'tap'
import env from '../../../plugins/env.js'
import { allowedOrigins, ConfigurationError, httpUrlIn, isRedisUrl, listOf } from '../../../src/settings/environment.js'
import type { Environment } from '../../../src/settings/environment.js'
import { Redactor } from '../../../src/token/redactor.js'

/** Returns the values of a configuration. Uses no whole app, which takes ten times as long. */
async function configOf (t: Test, config: object): Promise<Environment> {
  const app = Fastify().register(env, { config, redactor: new Redactor() })
  t.teardown(() => app.close())
  await app.ready()
  return app.config
}

async function faultsOf (t: Test, config: object): Promise<readonly string[]> {
  const error: unknown = await configOf(t, config).then(() => undefined, error => error)
  if (error === undefined) return []
  if (error instanceof ConfigurationError && error.code === 'ERR_CONFIGURATION') return error.message.split('\n')
  throw error
}

t.test('the defaults', async t => {
  t.strictSame({ ...await configOf(t, {}) }, {
    NODE_ENV: '',
    MERCHANT_TOKEN_FILE: '',
    MERCHANTS_FILE: '',
    VARIANT: 'A',
    HOST: 'localhost',
    PORT: 3001,
    CORS_ORIGIN: '*',
    CORS_CREDENTIALS: false,
    LOG_LEVEL: 'info',
    TRUST_PROXY: '',
    STRICT: 'false',
    ACCOUNT_NUMBER_DIGITS: 6,
    POLICY_FILE: '',
    AUTHORIZE_URL: '',
    AUTHORIZE_TIMEOUT: 2000,
    RATE_LIMIT_MAX: 0,
    RATE_LIMIT_WINDOW: 60_000,
    RATE_LIMIT_FAIL: 'open',
    REDIS_URL: '',
    AUDIT: 'false',
    AUDIT_FILE: '',
    ADMIN_PORT: '',
    ADMIN_HOST: 'localhost',
    SHUTDOWN_DELAY: 0,
    KEEP_ALIVE_TIMEOUT: 72_000
  })
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
  STRICT: ['true', 'false', 'report', true],
  ACCOUNT_NUMBER_DIGITS: ['1', '32'],
  AUTHORIZE_URL: ['', 'http://127.0.0.1:8080/may-sign', 'https://shop.example/may-sign'],
  AUTHORIZE_TIMEOUT: ['1', '10000'],
  RATE_LIMIT_MAX: ['0', '1000000000'],
  RATE_LIMIT_WINDOW: ['1', '3600000'],
  RATE_LIMIT_FAIL: ['open', 'closed'],
  REDIS_URL: [
    '', 'redis://127.0.0.1:6379', 'rediss://user:password@redis.example:6380/1', 'redis://:100%25@redis/',
    'redis://[::1]:6379', 'redis:///1', 'redis://localhost/?path=/run/redis.sock'
  ],
  AUDIT: ['true', 'false'],
  ADMIN_PORT: ['', '0', '1', '65535'],
  ADMIN_HOST: ['0.0.0.0', '::', 'signer.internal'],
  SHUTDOWN_DELAY: ['0', '3600000'],
  KEEP_ALIVE_TIMEOUT: ['1000', '3600000']
}

for (const [name, values] of Object.entries(allowed)) {
  t.test(`values of ${name} that are allowed`, async t => {
    for (const value of values) t.strictSame(await faultsOf(t, { [name]: value }), [], String(value))
  })
}

const milliseconds = (from: number, to: number) => `a number of milliseconds from ${from} to ${to}`
const host = 'a host name or an IP address'

const refused: Record<string, readonly [allowed: string, ...values: unknown[]]> = {
  MERCHANT_TOKEN: ['the merchant\'s secret token', '', ['canary-token']],
  VARIANT: ['A or B', 'C', 'AB', ' A', ''],
  HOST: [host, ''],
  PORT: ['a port number from 0 to 65535', '-1', '65536', '80a', '3001.5', 'three', '', '+', ['80']],
  CORS_ORIGIN: [
    '*, or a comma-separated list of exact origins such as https://shop.example (no path, no final slash)',
    '', ',', 'shop.example', 'https://shop.example/', 'https://shop.example/cart', 'https://shop.example:443',
    'https://Shop.example', 'https://*.shop.example', '*,https://shop.example', 'null', 'https://a.example,',
    'https://a.example https://b.example', 'https://a.example;https://b.example', 'https://', 'https://user@shop.example'
  ],
  CORS_CREDENTIALS: ['true or false', '*', 'yes', ''],
  LOG_LEVEL: ['info, fatal, error, warn, debug, trace or silent', 'INFO', 'verbose', ''],
  TRUST_PROXY: [
    'a comma-separated list of the reverse proxies\' addresses or CIDRs, such as 10.0.0.5,10.1.0.0/16',
    '1', 'true', 'loopback', '10.0.0', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/255.0.0.0', 'fd00::/129',
    '10.0.0.1,', 'nginx.internal', '10.0.0.1 10.0.0.2', '10.0.0.0/0'
  ],
  STRICT: ['false, true or report', 'yes', 'TRUE', ''],
  ACCOUNT_NUMBER_DIGITS: ['how many digits an account number has under STRICT, from 1 to 32', '0', '33', 'six'],
  AUTHORIZE_URL: ['an http or https URL without a user or a password', 'ftp://canary', 'http://canary@shop', 'http://:canary@shop', '/may-sign'],
  AUTHORIZE_TIMEOUT: [milliseconds(1, 10_000), '0', '10001', '2s', ''],
  RATE_LIMIT_MAX: ['a number of requests from 0 to 1000000000', '-1', '1000000001', 'many', ''],
  RATE_LIMIT_WINDOW: [milliseconds(1, 3_600_000), '0', '3600001', '1m', ''],
  RATE_LIMIT_FAIL: ['open or closed', 'shut', ''],
  REDIS_URL: [
    'a redis:// or rediss:// URL of one server, special characters in its password percent-encoded',
    'http://user:canary@redis', 'localhost:6379', 'redis:localhost', 'redis://', 'redis://[', 'redis://localhost:port',
    'redis://localhost/cache', ' redis://localhost', 'redis://one,two', 'redis+cluster://one:6379'
  ],
  AUDIT: ['false, true or required', 'yes', ''],
  ADMIN_PORT: ['a port number from 1 to 65535, or empty for none', '65536', '-1', 'x', '9100.5', '123456'],
  ADMIN_HOST: [host, ''],
  SHUTDOWN_DELAY: [milliseconds(0, 3_600_000), '-1', '3600001', '5s'],
  KEEP_ALIVE_TIMEOUT: [milliseconds(1000, 3_600_000), '0', '999', '3600001', '72s']
}

for (const [name, [allowed, ...values]] of Object.entries(refused)) {
  t.test(`values of ${name} that are refused`, async t => {
    for (const value of values) {
      const isSecret = ['MERCHANT_TOKEN', 'AUTHORIZE_URL', 'REDIS_URL'].includes(name)
      const given = value === '' ? 'empty' : isSecret ? 'unusable' : JSON.stringify(value)
      const faults = (await faultsOf(t, { [name]: value })).map(fault => fault.replaceAll('"', '')) // "65536" is read as 65536
      t.strictSame(faults, [`${name} is ${given.replaceAll('"', '')}; it must be ${allowed}`])
    }
  })
}

t.test('each fault has a line, and no line has the token', async t => {
  t.strictSame(await faultsOf(t, { PORT: 'x', STRICT: 'canary-token', MERCHANT_TOKEN: 'canary-token' }), [
    'PORT is "x"; it must be a port number from 0 to 65535',
    'STRICT is "[redacted]"; it must be false, true or report'
  ])
})

t.test('settings that contradict each other', async t => {
  for (const [config, fault] of [
    [{ PORT: 9100, ADMIN_PORT: '9100' }, 'PORT and ADMIN_PORT are both 9100; set another ADMIN_PORT'],
    [{ PORT: 9100, ADMIN_PORT: '9100', ADMIN_HOST: '127.0.0.2' }],
    [{ PORT: 0, ADMIN_PORT: '0' }],
    [{ CORS_CREDENTIALS: true }, 'CORS_CREDENTIALS is true, so CORS_ORIGIN must list origins instead of *'],
    [{ CORS_CREDENTIALS: true, CORS_ORIGIN: 'https://shop.example' }],
    [{ AUDIT_FILE: './audit.log' }, 'AUDIT_FILE is set, but AUDIT is false; set AUDIT to true or required'],
    [{ AUDIT: 'required' }, 'AUDIT is required, which needs AUDIT_FILE: the log may lose lines'],
    [{ AUDIT: 'required', AUDIT_FILE: './audit.log' }],
    [{ STRICT: 'report', POLICY_FILE: './policy.json' },
      'STRICT is report, but POLICY_FILE needs strict fields; leave one of them out']
  ] as const) t.strictSame(await faultsOf(t, config), fault === undefined ? [] : [fault])
})

t.test('lists and URLs', async t => {
  t.strictSame([listOf(''), listOf('a, b')], [[], ['a', 'b']])
  t.strictSame([allowedOrigins('*'), allowedOrigins('https://a.example,https://b.example')],
    ['*', ['https://a.example', 'https://b.example']])
  t.equal(httpUrlIn('HTTPS://shop.example/may-sign')?.href, 'https://shop.example/may-sign')
  t.strictSame([httpUrlIn('https://user@shop.example'), isRedisUrl('redis://localhost'), isRedisUrl('redis://a,b')], [undefined, true, false])
})
