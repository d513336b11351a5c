import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { CallerLabels } from '../../../src/telemetry/caller-labels.js'
import { testApp } from '../../support/app.js'

const url = '/api/generate-signature'
const refund = {
  operationType: 'refund',
  amount: '12.00',
  transactionFCRN: '987654',
  merchantAccountNumber: '102551',
  sid: 's',
  clientTimeStamp: 1709912345678
}
// printf '%s' key-of-the-office | sha256sum
const officeKey = '0b1de613ef1d8a750f9092dfe13ce8fd2a2e21424bcf1fdcbf5db7f1402a2553'

/** Returns a policy of an anonymous caller, the office, and further callers. */
const policyOf = (others: string[]) => JSON.stringify({
  callers: [
    { name: 'anonymous', anonymous: true, operations: ['purchase'], accountNumbers: ['102551'] },
    ...['office', ...others].map((name, n) => ({
      name,
      apiKeySha256: n === 0 ? officeKey : String(n).padStart(64, '0'),
      operations: ['refund'],
      accountNumbers: ['102551']
    }))
  ]
})
const shops = (count: number) => Array.from({ length: count }, (_, n) => `shop-${n}`)

t.test('decisions have the caller: its name, anonymous, unknown, or other beside more than 50 callers', async t => {
  const path = join(t.testdir({ 'policy.json': policyOf([]) }), 'policy.json')
  const { app, says } = testApp(t, { config: { ADMIN_PORT: '0', POLICY_FILE: path }, pollInterval: 10 })
  const ask = (key?: string) => app.inject({
    method: 'POST', url, payload: refund, headers: key === undefined ? {} : { authorization: `Bearer ${key}` }
  })
  const counted = async () => [...(await app.metrics?.metrics() ?? '')
    .matchAll(/^payment_signature_decisions_total\{variant="A",operation="(\w+)",outcome="(\w+)",caller="(.*)"\} ([1-9]\d*)$/gm)]
    .map(([, ...labels]) => labels.join(' '))
  await ask('key-of-the-office')
  await ask()
  await ask('another-key')
  t.strictSame((await counted()).sort(), [
    'refund forbidden anonymous 1', 'refund signed office 1', 'unknown unauthenticated unknown 1'
  ])
  writeFileSync(`${path}.new`, policyOf(shops(49)))
  renameSync(`${path}.new`, path)
  await says('the policy was replaced, 51 callers')
  await ask('key-of-the-office')
  await ask()
  t.match((await counted()).join('\n'), /^refund signed office 1$[^]*^refund signed other 1$/m)
  t.match((await counted()).join('\n'), /^refund forbidden anonymous 2$/m)
})

t.test('no metric has the labels caller and merchant', async t => {
  const { app } = testApp(t, { config: { ADMIN_PORT: '0' } })
  await app.ready()
  const { labelNames } = app.metrics?.getSingleMetric('payment_signature_decisions_total') as unknown as { labelNames: string[] }
  t.strictSame(labelNames, ['variant', 'operation', 'outcome', 'caller'])
  const lines = (await app.metrics?.metrics() ?? '').split('\n')
  t.strictSame(lines.filter(line => line.includes('caller=') && line.includes('merchant=')), [])
})

t.test('the labels are bounded', async t => {
  const labels = new CallerLabels()
  labels.use(shops(50))
  t.strictSame(shops(50).map(name => labels.of(name)), shops(50))
  labels.use(shops(51))
  t.equal(labels.of('shop-0'), 'other', 'with more than 50 callers')
  for (const name of ['anonymous', 'unknown', 'payment-signature-probe']) t.equal(labels.of(name), name)
  labels.use(['new'])
  t.equal(labels.of('new'), 'other', 'a process shows 50 names, also of several policies')
  t.equal(labels.of('shop-0'), 'shop-0')
})
