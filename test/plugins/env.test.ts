import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Test } from 'tap'
import { createApp } from '../../src/app.js'
import { ConfigurationError } from '../../src/service/configuration.js'
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
