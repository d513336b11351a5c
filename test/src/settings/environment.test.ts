import Fastify from 'fastify'
import t, { type Test } from 'tap'
import env from '../../../plugins/env.js'
import { Redactor } from '../../../src/merchants/redactor.js'
import { ConfigurationError, type Environment } from '../../../src/settings/environment.js'

/** Returns the faults of a configuration. Uses no whole app, which takes ten times as long. */
async function faultsOf (t: Test, config: object): Promise<readonly string[]> {
  const app = Fastify().register(env, { config, redactor: new Redactor() })
  t.teardown(() => app.close())
  const error: unknown = await app.ready().then(() => undefined, error => error)
  if (error === undefined) return []
  if (error instanceof ConfigurationError && error.code === 'ERR_CONFIGURATION') return error.message.split('\n')
  throw error
}

const allowed: { readonly [Name in keyof Environment]?: readonly unknown[] } = {
  NODE_ENV: ['', 'production', 'test', 'production-eu', 'product-tests', 'prod-2', 'preprod'],
  VARIANT: ['A', 'B'],
  PORT: ['0', '1', '65535', '0000008080', 8080],
  HOST: ['0.0.0.0', '::', 'fe80::1%lo', 'pay-1.example'],
  CORS_ORIGIN: [
    '*', 'https://shop.example', 'http://localhost:8080', 'https://a.example,https://b.example:8443',
    'https://a.example , https://b.example', 'capacitor://localhost', 'https://xn--bcher-kva.example', 'http://[::1]:8080'
  ],
  TRUST_PROXY: ['', '127.0.0.1', '10.0.0.5,10.1.0.0/16', '::1, fd00::/8', '10.0.0.0/32', 'fd00::1/128'],
  STRICT: ['true', 'false', 'report', true],
  AUTHORIZE_URL: ['', 'http://127.0.0.1:8080/may-sign', 'https://shop.example/may-sign'],
  REDIS_URL: [
    '', 'redis://127.0.0.1:6379', 'rediss://user:password@redis.example:6380/1', 'redis://:100%25@redis/',
    'redis://[::1]:6379', 'redis:///1', 'redis://localhost/?path=/run/redis.sock'
  ]
}

for (const [name, values] of Object.entries(allowed)) {
  t.test(`values of ${name} that are allowed`, async t => {
    for (const value of values) t.strictSame(await faultsOf(t, { RATE_LIMIT_MAX: 1, [name]: value }), [], String(value))
  })
}

const host = 'a host name or an IP address'

const refused: Record<string, readonly [allowed: string, ...values: unknown[]]> = {
  MERCHANT_TOKEN: ['the merchant\'s secret token', '', ['canary-token']],
  NODE_ENV: ['a name without spaces, such as production', 'production ', ' production', '\tproduction'],
  VARIANT: ['A or B', 'C', 'a', 'b', 'AB', ' A', ''],
  HOST: [host, '', ' ', 'localhost ', 'localhost:3001', '[::1]', '*', '/run/a.sock'],
  PORT: [
    'a port number from 0 to 65535, as plain digits', '-1', '65536', '80a', '3001.5', 3001.5, 'three', '', '+', ['80'], ' ', ' 80', '80\r',
    '0x50', '8e1', '80.0', '-Infinity', '00000000080', true
  ],
  CORS_ORIGIN: [
    '*, or a comma-separated list of exact origins such as https://shop.example (no path, no final slash)',
    '', ',', 'shop.example', 'https://shop.example/', 'https://shop.example/cart', 'https://shop.example:443',
    'https://Shop.example', 'https://*.shop.example', '*,https://shop.example', 'null', 'https://a.example,',
    'https://a.example https://b.example', 'https://a.example;https://b.example', 'https://a.example;b.example', 'https://', 'https://user@shop.example',
    'HTTP://shop.example:80, https://a.example, https://bücher.example', 'Capacitor://localhost', 'file:///', 'blob:https://shop.example/'
  ],
  CORS_CREDENTIALS: ['true or false', '*', 'yes', ''],
  LOG_LEVEL: ['info, fatal, error, warn, debug, trace or silent', 'INFO', 'verbose', ''],
  TRUST_PROXY: [
    'a comma-separated list of the reverse proxies\' addresses or CIDRs, such as 10.0.0.5,10.1.0.0/16, and not all addresses (/0)',
    '1', 'true', 'loopback', '10.0.0', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/255.0.0.0', 'fd00::/129',
    '10.0.0.1,', 'nginx.internal', '10.0.0.1 10.0.0.2', '10.0.0.0/0'
  ],
  STRICT: ['false, true or report', 'yes', 'TRUE', ''],
  AUTHORIZE_URL: [
    'an http or https URL without white space, #, a user or a password', 'ftp://canary', 'http://canary/ # the shop',
    'http://canary/#shop', 'http://canary#', 'http://canary@shop', 'http://:canary@shop', '/may-sign'
  ],
  REDIS_URL: [
    'a redis:// or rediss:// URL of one server, special characters in its password percent-encoded',
    'http://user:canary@redis', 'localhost:6379', 'redis:localhost', 'redis://', 'redis://[', 'redis://localhost:port',
    'redis://localhost/cache', ' redis://localhost', 'redis://one,two', 'redis+cluster://one:6379',
    'redis://:p%ss@localhost', 'redis://:p%ff@localhost'
  ],
  AUDIT: ['true or false; for decisions in a file, set AUDIT_FILE alone', 'required', ''],
  ADMIN_HOST: [host, '']
}

/** Origins as a browser sends them, for values of CORS_ORIGIN that have one. */
const browserForms: Readonly<Record<string, string>> = {
  'https://shop.example/': 'https://shop.example',
  'https://shop.example/cart': 'https://shop.example',
  'https://shop.example:443': 'https://shop.example',
  'https://Shop.example': 'https://shop.example',
  'HTTP://shop.example:80, https://a.example, https://bücher.example': 'http://shop.example, https://xn--bcher-kva.example',
  'https://user@shop.example': 'https://shop.example'
}

for (const [name, [allowed, ...values]] of Object.entries(refused)) {
  t.test(`values of ${name} that are refused`, async t => {
    for (const value of values) {
      const isSecret = ['MERCHANT_TOKEN', 'AUTHORIZE_URL', 'REDIS_URL'].includes(name)
      const given = value === '' ? 'empty' : isSecret ? 'unusable' : JSON.stringify(value)
      const faults = (await faultsOf(t, { [name]: value })).map(fault => fault.replaceAll('"', '')) // "65536" is read as 65536
      const sent = name === 'CORS_ORIGIN' ? browserForms[String(value)] : undefined
      const hint = sent === undefined ? '' : `; browsers send ${sent}`
      t.strictSame(faults, [`${name} is ${given.replaceAll('"', '')}; it must be ${allowed}${hint}`])
    }
  })
}

const milliseconds = 'a number of milliseconds'

t.test('the least and the largest numbers', async t => {
  for (const [name, least, most, what] of [
    ['ADMIN_PORT', 0, 65_535, 'a port number'],
    ['ACCOUNT_NUMBER_DIGITS', 1, 32, 'how many digits an account number has under STRICT,'],
    ['AUTHORIZE_TIMEOUT', 1, 10_000, milliseconds],
    ['RATE_LIMIT_MAX', 0, 1_000_000_000, 'a number of requests'],
    ['SHUTDOWN_DELAY', 0, 3_600_000, milliseconds],
    ['KEEP_ALIVE_TIMEOUT', 1000, 3_600_000, milliseconds]
  ] as const) {
    t.strictSame(await faultsOf(t, { [name]: String(least) }), [])
    t.strictSame(await faultsOf(t, { [name]: String(most) }), [])
    for (const value of [least - 1, most + 1]) {
      t.strictSame(await faultsOf(t, { [name]: value }), [`${name} is ${value}; it must be ${what} from ${least} to ${most}, as plain digits`])
    }
    t.match(await faultsOf(t, { [name]: '5s' }), [`${name} is "5s"`])
  }
})
