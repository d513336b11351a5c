import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { AppOptions } from '../../src/app.js'
import { hash256 } from '../../src/scheme/signer.js'
import { testApp } from '../support/app.js'
import { replaceFile } from '../support/replace-file.js'

/*
 * The rights of a caller and the owner of an account are those at the time of signing, and not those at the arrival of
 * the request. The signer that read a request signs it. Files are replaced while requests wait for `authorize`.
 */

/** Interval in which the service reads its files again, in milliseconds. */
const pollInterval = 20

/** Resolves once the service has replaced the content of so many files. */
const reloaded = (says: (text: string, times: number) => Promise<unknown>, files: number): Promise<unknown> =>
  says('its content was replaced', files)

/** An app whose requests wait for `authorize` until the test lets them go on. */
function waitingApp (t: Test, config: object, requests: number) {
  let letGo!: () => void
  let haveArrived!: () => void
  const gate = new Promise<void>(resolve => { letGo = resolve })
  const arrived = new Promise<void>(resolve => { haveArrived = resolve })
  let waiting = 0
  const options: AppOptions = {
    config: { AUDIT: 'true', ...config },
    pollInterval,
    async authorize () {
      if (++waiting === requests) haveArrived()
      await gate
      return true
    }
  }
  return { ...testApp(t, options), arrived, letGo }
}

const post = (fields: object, headers = {}) => ({
  method: 'POST',
  url: '/api/generate-signature',
  headers,
  payload: { amount: '100.00', orderId: 'O-1', sid: 's', clientTimeStamp: 1709912345678, ...fields }
}) as const

const keyOf = (name: string) => ({ apiKeySha256: hash256(`key-of-${name}`) })
const caller = (name: string, more = {}) =>
  ({ name, ...keyOf(name), operations: ['purchase'], accountNumbers: ['102551'], ...more })
const merchant = (name: string, accountNumber: string, more = {}) =>
  ({ name, accountNumbers: [accountNumber], token: `token-of-${name}-4b7d93`, variant: 'A', ...more })

const anonymous = { name: 'anonymous', anonymous: true, operations: ['purchase'], accountNumbers: ['102551'] }
const accounts = ['200001', '200002', '200003', '200004']

const callersBefore = [
  anonymous,
  caller('office', { accountNumbers: accounts }),
  ...['kept', 'gone', 'rotated', 'renamed', 'refunds', 'elsewhere', 'maximum', 'minimum'].map(name => caller(name))
]
const callersAfter = [
  caller('office', { accountNumbers: accounts }),
  caller('kept', { apiKeySha256: [keyOf('next').apiKeySha256, keyOf('kept').apiKeySha256] }),
  caller('rotated', keyOf('another')),
  caller('another-name', keyOf('renamed')),
  caller('refunds', { operations: ['refund'] }),
  caller('elsewhere', { accountNumbers: ['200001'] }),
  caller('maximum', { maximumAmount: '99.99' }),
  caller('minimum', { minimumAmount: '100.01' })
]

const merchantsBefore = [
  merchant('shop', '102551'), merchant('replaced', '200001'), merchant('gone', '200002'), merchant('moved', '200003'),
  merchant('varied', '200004')
]
const merchantsAfter = [
  merchant('shop', '102551', { accountNumbers: ['102551', '200003'] }),
  merchant('replaced', '200001', { token: 'another-token-8ce1a5' }),
  merchant('varied', '200004', { variant: 'B' })
]

// printf %s 1709912345678O-1token-of-shop-4b7d93102551100.00 | sha256sum
const ofShop = 'ca1d4956127f0cda472e1f4d18e347af89869756774628958c4ed21577b200fc'
// printf %s 1709912345678O-1token-of-replaced-4b7d93200001100.00 | sha256sum
const ofReplaced = '9fb0f08a77da92d64e6a9dc058273c998cbe431e1ff42d4b3d98ba9bff3cfe67'

const unknownKey = [401, 'api-key-unknown']
const unknownAccount = [403, 'account-number-unknown']

/** Requests that wait while both files are replaced, each with status and part 2, or `Error-Code`. */
const requests = [
  ['a key that is still the caller\'s', 'kept', '102551', [200, ofShop]],
  ['a caller that is gone', 'gone', '102551', unknownKey],
  ['a caller that has another key now', 'rotated', '102551', unknownKey],
  ['a key that is another caller\'s now', 'renamed', '102551', unknownKey],
  ['the anonymous caller that is gone', '', '102551', [401, 'api-key-required']],
  ['a right that is gone', 'refunds', '102551', [403, 'policy; reason=operations']],
  ['an account that the caller may not use any more', 'elsewhere', '102551', [403, 'policy; reason=accountNumbers']],
  ['an amount that is too high now', 'maximum', '102551', [403, 'policy; reason=maximumAmount']],
  ['an amount that is too low now', 'minimum', '102551', [403, 'policy; reason=minimumAmount']],
  ['a merchant that has another token now', 'office', '200001', [200, ofReplaced]],
  ['a merchant that is gone', 'office', '200002', unknownAccount],
  ['an account that is another merchant\'s now', 'office', '200003', unknownAccount],
  ['an account that has another variant now', 'office', '200004', unknownAccount]
] as const

t.test('rights and accounts that change while requests wait for authorize', async t => {
  const folder = t.testdir({
    'policy.json': JSON.stringify({ callers: callersBefore }),
    'merchants.json': JSON.stringify({ merchants: merchantsBefore })
  })
  const [policy, merchants] = [join(folder, 'policy.json'), join(folder, 'merchants.json')]
  const config = { POLICY_FILE: policy, MERCHANTS_FILE: merchants, MERCHANT_TOKEN: undefined }
  const { app, log, says, arrived, letGo } = waitingApp(t, config, requests.length)
  const responses = requests.map(([, name, accountNumber]) => {
    const headers = name === '' ? {} : { authorization: `Bearer key-of-${name}` }
    return app.inject(post({ accountNumber }, headers)).then(response => response)
  })
  await arrived
  replaceFile(policy, JSON.stringify({ callers: callersAfter }))
  replaceFile(merchants, JSON.stringify({ merchants: merchantsAfter }))
  await reloaded(says, 2)
  letGo()
  for (const [index, [what, , , expected]] of requests.entries()) {
    const { statusCode, headers, body } = await responses[index]!
    const { signature } = JSON.parse(body)
    t.strictSame([statusCode, signature?.slice(67) ?? headers['error-code']], expected, what)
  }
  t.equal(log().split('"outcome":"signed"').length - 1, 2, 'signatures in the audit')
})

t.test('a token file that is replaced while a request waits for authorize', async t => {
  const path = join(t.testdir({ token: 'the-first-token-4b7d93' }), 'token')
  const config = { MERCHANT_TOKEN: undefined, MERCHANT_TOKEN_FILE: path }
  const { app, says, arrived, letGo } = waitingApp(t, config, 1)
  const waiting = app.inject(post({ accountNumber: '102551' })).then(response => response)
  await arrived
  replaceFile(path, 'another-token-8ce1a5')
  await reloaded(says, 1)
  letGo()
  // printf %s 1709912345678O-1the-first-token-4b7d93102551100.00 | sha256sum
  t.match((await waiting).json(), { signature: /d61ffcbb6d34bbede11122f3ec164bbc5a0bf16eef206b45afac36af62088772$/ })
  // printf %s 1709912345678O-1another-token-8ce1a5102551100.00 | sha256sum
  const next = await app.inject(post({ accountNumber: '102551' }))
  t.match(next.json(), { signature: /45d0e1d8ba4eb6a9bb1537cad0eb331b99f7f0557bbbb1c35a0b06af3bf8eee5$/ })
})

t.test('a right that is gone while the function with the tokens, the last wait, is looking one up', async t => {
  const path = join(t.testdir({ 'policy.json': JSON.stringify({ callers: [anonymous] }) }), 'policy.json')
  let lookUp!: () => void
  let giveToken!: (token: string) => void
  const looksUp = new Promise<void>(resolve => { lookUp = resolve })
  const token = new Promise<string>(resolve => { giveToken = resolve })
  const { app, says } = testApp(t, {
    config: { POLICY_FILE: path },
    pollInterval,
    tokenOf () {
      lookUp()
      return token
    }
  })
  const waiting = app.inject(post({ accountNumber: '102551' })).then(response => response)
  await looksUp
  replaceFile(path, JSON.stringify({ callers: [{ ...anonymous, accountNumbers: ['200001'] }] }))
  await reloaded(says, 1)
  giveToken('the-first-token-4b7d93')
  const { statusCode, headers } = await waiting
  t.strictSame([statusCode, headers['error-code']], [403, 'policy; reason=accountNumbers'])
})
