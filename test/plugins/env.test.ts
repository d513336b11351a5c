import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import Fastify from 'fastify'
import fp from 'fastify-plugin'
import t from 'tap'
import type { Test } from 'tap'
import exposureWarnings from '../../plugins/exposure-warnings.js'
import { createApp } from '../../src/app.js'
import type { AppOptions } from '../../src/app.js'
import { ConfigurationError } from '../../src/service/configuration.js'
import type { Environment } from '../../src/service/configuration.js'
import { testApp } from '../support/app.js'

/** Makes `.env` and the environment what a test says, and puts the process back after it. */
function environment (t: Test, dotenv: string | undefined, variables: Record<string, string>): void {
  const folder = t.testdir(dotenv === undefined ? {} : { '.env': dotenv })
  const before = process.cwd()
  process.chdir(folder)
  t.teardown(() => process.chdir(before))
  t.intercept(process, 'env', { value: variables })
}

t.test('.env in the working directory is read', async t => {
  environment(t, 'VARIANT=B\nMERCHANT_TOKEN=\'to#ken\'\n', {})
  const app = createApp({ logger: false })
  t.teardown(() => app.close())
  await app.ready()
  t.match(app.config, { VARIANT: 'B', MERCHANT_TOKEN: 'to#ken' })
  t.equal(app.signer.variant, 'B')
})

t.test('the environment wins over .env', async t => {
  environment(t, 'VARIANT=B\nPORT=4000\n', { VARIANT: 'A' })
  const app = createApp({ logger: false })
  t.teardown(() => app.close())
  await app.ready()
  t.match(app.config, { VARIANT: 'A', PORT: 4000 })
})

t.test('without either there are the defaults', async t => {
  environment(t, undefined, {})
  const app = createApp({ logger: false })
  t.teardown(() => app.close())
  await app.ready()
  t.match(app.config, { VARIANT: 'A', PORT: 3001 })
  t.equal(app.config.MERCHANT_TOKEN, undefined)
})

t.test('given a configuration, neither is read', async t => {
  environment(t, 'VARIANT=B\n', { PORT: '4000' })
  const { app } = testApp(t)
  await app.ready()
  t.match(app.config, { VARIANT: 'A', PORT: 3001 })
})

t.test('a .env that cannot be read is a fault', async t => {
  environment(t, undefined, {})
  mkdirSync(join(process.cwd(), '.env'))
  const app = createApp({ logger: false })
  await t.rejects(async () => app.ready(), new ConfigurationError(['.env cannot be read: EISDIR: illegal operation on a directory, read']))
})

t.test('LOG_LEVEL is the level', async t => {
  const { app, log } = testApp(t, { config: { LOG_LEVEL: 'warn' } })
  await app.inject('/nowhere')
  t.equal(log(), '')
  app.log.warn('heard')
  t.match(log(), 'heard')
})

t.test('warnings of what is left open', async t => {
  const cors = 'CORS_ORIGIN is *: web pages of any origin may get signatures; set it to the origins of your shop'
  const policy = 'whoever reaches this service gets signatures, refunds included: set POLICY_FILE or AUTHORIZE_URL'
  const strict = 'STRICT is false: the signature of one request may also be that of another operation; set it to true'
  const bodyToken = 'ACCEPT_BODY_TOKEN is true: clients may send a merchant token of their own; set it to false'
  const rateLimit = 'RATE_LIMIT_MAX is 0: clients may ask as often as they like; set it to a number of requests'

  const MERCHANT_TOKEN = 'tK7-mQ2xV9/bR4+wZ1'

  /** What is logged at start, all of it warnings. */
  async function warnings (t: Test, config: AppOptions['config'], options: AppOptions = {}): Promise<string[]> {
    const { app, log } = testApp(t, { config: { MERCHANT_TOKEN, ...config }, ...options })
    await app.ready()
    const lines = log().split('\n').slice(0, -1).map(line => JSON.parse(line))
    t.ok(lines.every(({ level }) => level === 40))
    return lines.map(({ msg }) => msg)
  }

  t.test('outside production nothing is said', async t => {
    t.strictSame(await warnings(t, {}), [])
    t.strictSame(await warnings(t, { NODE_ENV: 'development' }), [])
  })

  t.test('in production all that is open by default', async t => {
    t.strictSame(await warnings(t, { NODE_ENV: 'production' }), [cors, policy, strict, bodyToken, rateLimit])
  })

  const production = { NODE_ENV: 'production' }

  for (const [what, config, gone] of [
    ['CORS_ORIGIN', { CORS_ORIGIN: 'https://shop.example' }, [cors]],
    ['STRICT', { STRICT: true }, [strict]],
    ['AUTHORIZE_URL', { AUTHORIZE_URL: 'https://shop.example/may-sign' }, [policy]],
    ['ACCEPT_BODY_TOKEN', { ACCEPT_BODY_TOKEN: false }, [bodyToken]],
    ['RATE_LIMIT_MAX', { RATE_LIMIT_MAX: 100 }, [rateLimit]]
  ] as const) {
    t.test(`${what} silences its own`, async t => {
      t.strictSame(await warnings(t, { ...production, ...config }),
        [cors, policy, strict, bodyToken, rateLimit].filter(warning => !(gone as readonly string[]).includes(warning)))
    })
  }

  t.test('an authorize function silences the one about the policy', async t => {
    t.strictSame(await warnings(t, production, { authorize: () => true }), [cors, strict, bodyToken, rateLimit])
  })

  t.test('POLICY_FILE silences those about the policy and STRICT, which it implies', async t => {
    const app = Fastify({ logger: { stream: new PassThrough() } })
    t.teardown(() => app.close())
    const said = t.capture(app.log, 'warn')
    app.register(fp(async app => {
      const config = { ...production, CORS_ORIGIN: '*', POLICY_FILE: 'policy.json', STRICT: false }
      app.decorate('config', { AUTHORIZE_URL: '', ACCEPT_BODY_TOKEN: true, RATE_LIMIT_MAX: 0, ...config } as Environment)
    }, { name: 'env' }))
    app.register(exposureWarnings)
    await app.ready()
    t.strictSame(said.args(), [[cors], [bodyToken], [rateLimit]])
  })

  t.test('with everything closed nothing is said', async t => {
    t.strictSame(await warnings(t, {
      ...production,
      CORS_ORIGIN: 'https://shop.example',
      STRICT: true,
      AUTHORIZE_URL: 'https://shop.example/may-sign',
      ACCEPT_BODY_TOKEN: false,
      RATE_LIMIT_MAX: 100
    }), [])
  })
})
