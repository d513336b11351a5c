import { join } from 'node:path'
import t, { type Test } from 'tap'
import { testApp } from '../../support/app.js'
import { officeKey } from '../../support/example.js'
import { replaceFile } from '../../support/replace-file.js'
import { whole } from '../../support/whole.js'

const anonymous = {
  name: 'anonymous', anonymous: true as const, operations: ['purchase' as const], accountNumbers: ['102551'], maximumAmount: '500.00'
}
const office = { name: 'office', apiKeySha256: officeKey, operations: ['refund' as const], accountNumbers: ['102551'] }
const policy = JSON.stringify({ callers: [anonymous, office] })
const purchase = { amount: '100.00', merchantAccountNumber: '102551', sid: 's', clientTimeStamp: 1709912345678 }

/** An app that reads its policy every 5 milliseconds. */
function policyApp (t: Test, text: string, config = {}) {
  const path = join(t.testdir({ 'policy.json': text }), 'policy.json')
  const built = testApp(t, { config: { POLICY_FILE: path, ADMIN_PORT: '0', ...config }, pollInterval: 5 })
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
  t.match(await app.metrics!.metrics(), 'payment_signature_file_unusable{setting="POLICY_FILE"} 1')
  replaceFile(path, JSON.stringify({ callers: [office] }))
  await says('POLICY_FILE was read again')
  t.equal(await ask(), 401)
})

t.test('a policy that cannot be used stops the start, with a line for each fault', async t => {
  const wrong = policyApp(t, policy, { VARIANT: 'b', ACCOUNT_NUMBER_DIGITS: 8 })
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
