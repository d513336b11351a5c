import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Authorize } from '../../../../src/embed.js'
import { testApp } from '../../../support/app.js'
import { policy as documentedPolicy } from '../../../support/documented.js'
import { officeKey } from '../../../support/example.js'
import { replaceFile } from '../../../support/replace-file.js'
import { root } from '../../../support/server.js'
import { whole } from '../../../support/whole.js'

const anonymous = {
  name: 'anonymous', operations: ['purchase' as const], accountNumbers: ['102551'], maximumAmount: '500.00'
}
const office = { name: 'office', apiKeySha256: officeKey, operations: ['refund' as const], accountNumbers: ['102551'] }
const policy = JSON.stringify({ callers: [anonymous, office] })
const purchase = { amount: '100.00', merchantAccountNumber: '102551', sid: 's', clientTimeStamp: 1709912345678 }

/** An app that reads its policy every 5 milliseconds. */
function policyApp (t: Test, text: string, config = {}, authorize?: Authorize) {
  const path = join(t.testdir({ 'policy.json': text }), 'policy.json')
  const built = testApp(t, { config: { POLICY_FILE: path, ADMIN_PORT: 1, ...config }, authorize })
  const ask = async () =>
    (await built.app.inject({ method: 'POST', url: '/api/generate-signature', payload: purchase })).statusCode
  return { ...built, path, ask }
}

t.test('a file that cannot be used leaves the policy as it is; a changed file applies from the next request', async t => {
  const { app, ask, path, says } = policyApp(t, policy)
  t.equal(await ask(), 200)
  replaceFile(path, '{')
  await says(`POLICY_FILE is \\"${path}\\", which cannot be used: the file is not JSON`)
  t.equal(await ask(), 200)
  t.match(await app.metrics!.registry.metrics(), 'payment_signature_file_unusable{setting="POLICY_FILE"} 1')
  replaceFile(path, JSON.stringify({ callers: [office] }))
  await says('POLICY_FILE was read again')
  t.equal(await ask(), 401)
})

t.test('a Redis limits nothing if no caller has a rate', async t => {
  const REDIS_URL = 'redis://127.0.0.1:9'
  const refused = policyApp(t, policy, { REDIS_URL })
  await t.rejects(async () => { await refused.app.ready() }, {
    code: 'ERR_POLICY', message: `POLICY_FILE is "${refused.path}": no caller has a rate, so REDIS_URL limits nothing; set RATE_LIMIT_MAX`
  })
  const rated = JSON.stringify({ callers: [{ ...anonymous, rate: 9 }] })
  for (const [text, config] of [[rated, { REDIS_URL }], [policy, { REDIS_URL, RATE_LIMIT_MAX: 9 }]] as const) {
    await policyApp(t, text, config).app.ready()
  }
  const running = policyApp(t, rated, { REDIS_URL })
  await running.app.ready()
  replaceFile(running.path, JSON.stringify({ callers: [office] }))
  await running.says('no caller has a rate, so REDIS_URL limits nothing; set RATE_LIMIT_MAX, or the next start refuses it')
  t.equal(await running.ask(), 401, 'the caller with the rate has gone at once')
})

t.test('in production, a start warns of callers without a key whom nothing checks, and of the digest of the documents', async t => {
  const open = 'open: nothing checks order and price for callers without a key (set AUTHORIZE_URL, or authorize)'
  const documented = '5e3f8e11cf4fefe495cc5586d9445ae01ea260eafbb2ec42b905b1ca926dd0ad'
  const copied = policy.replace(officeKey, documented)
  const production = { NODE_ENV: 'production', MERCHANT_TOKEN: 'aProductionTokenThatIsLongEnough', CORS_ORIGIN: 'https://shop.example', RATE_LIMIT_MAX: 9 }
  const AUTHORIZE_URL = 'http://127.0.0.1:9/may-sign'
  const own = policyApp(t, policy, production, () => true)
  await own.app.ready()
  t.equal(own.log(), '')
  const reloaded = policyApp(t, JSON.stringify({ callers: [office] }), production)
  await reloaded.app.ready()
  replaceFile(reloaded.path, policy)
  await reloaded.says(open)
  for (const [text, config, ...expected] of [
    [policy, production, open],
    [policy, { ...production, AUTHORIZE_URL }],
    [JSON.stringify({ callers: [office] }), production],
    [copied, production, open, 'copied'],
    [copied, { ...production, AUTHORIZE_URL }, 'copied'],
    [copied, { ...production, NODE_ENV: 'test' }]
  ] as const) {
    const { app, path, log } = policyApp(t, text, config)
    await app.ready()
    const lines = log().split('\n').filter(line => line !== '').map(line => JSON.parse(line))
    t.strictSame(lines.map(({ level, msg }) => [level, msg]), expected.map(line =>
      [40, line.replace('copied', `POLICY_FILE is "${path}": paste a digest of new-key over that of the documents`)]))
    await app.close()
  }
  const example = readFileSync(join(root, 'examples/first/policy.json'), 'utf8')
  for (const text of [documentedPolicy, example]) t.match(text, documented, 'the documents have this digest')
})

t.test('a policy that cannot be used stops the start, with a line for each fault', async t => {
  const wrong = policyApp(t, policy, { VARIANT: 'B', ACCOUNT_NUMBER_DIGITS: 8 })
  const digits = 'account number "102551" must have 8 digits (ACCOUNT_NUMBER_DIGITS)'
  await t.rejects(async () => wrong.app.ready(), {
    code: 'ERR_POLICY',
    message: whole([
      `caller "anonymous": ${digits}`, 'caller "office": the only operation of variant B is "purchase"', `caller "office": ${digits}`
    ].map(fault => `POLICY_FILE is "${wrong.path}": ${fault}`).join('\n'))
  })
  const missing = policyApp(t, policy, { POLICY_FILE: './nowhere.json' })
  await t.rejects(async () => missing.app.ready(), {
    code: 'ERR_POLICY', message: whole('POLICY_FILE is "./nowhere.json", which cannot be used: ENOENT')
  })
})
