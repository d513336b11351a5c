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
  const ask = async (fields = {}, headers = {}) => {
    const payload = { ...purchase, ...fields }
    const { statusCode } = await built.app.inject({ method: 'POST', url: '/api/generate-signature', payload, headers })
    return statusCode
  }
  const isUnusable = async () => /file_unusable\{setting="POLICY_FILE"\} (\d)/.exec(await built.app.metrics!.metrics())?.[1]
  return { ...built, path, ask, isUnusable }
}

t.test('a changed file applies from the next request; a file that cannot be used leaves the policy as it is', async t => {
  const { ask, path, log, says, isUnusable } = policyApp(t, policy)
  t.equal(await ask(), 200)
  replaceFile(path, JSON.stringify({ callers: [office] }))
  await says('POLICY_FILE was read again')
  t.strictSame([await ask(), await isUnusable()], [401, '0'])
  replaceFile(path, policy)
  await says('POLICY_FILE was read again', 2)
  for (const [text, fault] of [
    ['{"callers":[]}', ': callers must be a list of at least one caller; the current content stays'],
    ['{', ', which cannot be used: the file is not JSON'],
    [policy.replace('{', '{"callers":[],'), ', which cannot be used: an object of the file has \\"callers\\" twice']
  ] as const) {
    replaceFile(path, text)
    await says(`POLICY_FILE is \\"${path}\\"${fault}`)
    t.strictSame([await ask(), await isUnusable()], [200, '1'])
  }
  replaceFile(path, policy)
  await says('POLICY_FILE can be used again')
  t.strictSame([await ask(), await isUnusable()], [200, '0'])
  t.equal(log().split('was read again').length, 3)
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

t.test('rights and keys are those at the signature: a caller that is gone or has lost its right gets none', async t => {
  const key = { authorization: 'Bearer key-of-the-office' }
  const refund = { operationType: 'refund', transactionFCRN: '987654' }
  for (const [what, changed, status] of [
    ['the key has gone', [anonymous], 401],
    ['the key is another caller\'s', [anonymous, { ...office, name: 'warehouse' }], 401],
    ['the right has gone', [anonymous, { ...office, operations: ['void'] }], 403],
    ['another right has gone', [anonymous, { ...office, operations: ['refund'], maximumAmount: '100.00' }], 200]
  ] as const) {
    const path = join(t.testdir({ 'policy.json': policy }), 'policy.json')
    const { app, says } = testApp(t, {
      config: { POLICY_FILE: path },
      pollInterval: 5,
      async authorize () {
        replaceFile(path, JSON.stringify({ callers: changed }))
        await says('POLICY_FILE was read again')
        return true
      }
    })
    const response = await app.inject({ method: 'POST', url: '/api/generate-signature', payload: { ...purchase, ...refund }, headers: key })
    t.equal(response.statusCode, status, what)
    await app.close()
  }
})
