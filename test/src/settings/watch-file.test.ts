import Fastify from 'fastify'
import t, { type Test } from 'tap'
import env from '../../../plugins/env.js'
import metrics from '../../../plugins/metrics.js'
import { Redactor } from '../../../src/merchants/redactor.js'
import { polling, watchFile } from '../../../src/settings/watch-file.js'
import { Log } from '../../support/log.js'

polling.interval = 5

/** An app that watches a file every few milliseconds, with `use` in place of its reading. */
async function watching (t: Test, use: () => Promise<boolean>) {
  const log = new Log()
  const app = Fastify({ logger: { stream: log } })
  const alive = setInterval(() => {}, 1000) // the timer of a file keeps no process alive
  t.teardown(async () => {
    clearInterval(alive)
    await app.close()
  })
  app.register(env, { config: { ADMIN_PORT: 1 }, redactor: new Redactor() })
  app.register(metrics)
  app.decorate('merchants', { variant: 'A' } as never)
  await app.after()
  watchFile(app, 'POLICY_FILE', use)
  const lines = () => log.text.trim().split('\n').map(line => JSON.parse(line)).map(({ level, msg }) => `${level} ${msg}`)
  const measured = async () => [...(await app.metrics!.registry.metrics())
    .matchAll(/^payment_signature_file\w+\{.*\} \d+$/gm)].map(String)
  return { app, log, lines, measured }
}

t.test('new content is used; unusable content is logged once, and shown until the file is used', async t => {
  const fault = async () => { throw new Error('POLICY_FILE is broken') }
  const other = async () => { throw new Error('POLICY_FILE is gone') }
  const yes = async () => true
  const no = async () => false
  const results = [no, yes, no, fault, fault, other, no, fault, yes]
  const { log, lines, measured } = await watching(t, async () => (results.shift() ?? no)())
  t.strictSame(await measured(), ['payment_signature_file_unusable{setting="POLICY_FILE"} 0'])
  await log.waitFor('the last replacement', text => text.split('was replaced').length > 2 || undefined)
  t.strictSame(lines(), [
    '30 POLICY_FILE was read again: its content was replaced',
    '50 POLICY_FILE is broken; the current content stays',
    '50 POLICY_FILE is gone; the current content stays',
    '30 POLICY_FILE can be used again',
    '50 POLICY_FILE is broken; the current content stays',
    '30 POLICY_FILE was read again: its content was replaced'
  ])
  t.strictSame(await measured(), ['payment_signature_file_unusable{setting="POLICY_FILE"} 0'])
})

t.test('one reading at a time, and none after the app has closed', async t => {
  const timers = t.capture(globalThis, 'setTimeout', setTimeout)
  let [running, most] = [0, 0]
  let release!: () => void
  let begun!: () => void
  const reading = new Promise<void>(resolve => { begun = resolve })
  const { app } = await watching(t, async () => {
    most = Math.max(most, ++running)
    begun()
    await new Promise<void>(resolve => { release = resolve })
    running--
    return false
  })
  const watchers = () => timers().filter(({ args: [, time] }) => time === 5).length
  await reading
  t.strictSame([most, watchers()], [1, 1], 'the next one waits for this one')
  await app.close()
  release()
  await new Promise(setImmediate)
  t.strictSame([running, watchers()], [0, 0])
})
