import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { AppOptions } from '../../src/embed.js'
import { hash256 } from '../../src/scheme/signer.js'
import { testApp } from '../support/app.js'
import { replaceFile } from '../support/replace-file.js'

/*
 * A request keeps the caller of its arrival, and the merchant of the moment when its body was read: policy, token and
 * audit line of one request are of one state of the files. Files are replaced while requests wait for `authorize`.
 */

/** An app whose requests wait for `authorize` until the test lets them go on. */
function waitingApp (t: Test, config: object, requests: number) {
  let letGo!: () => void
  let haveArrived!: () => void
  const gate = new Promise<void>(resolve => { letGo = resolve })
  const arrived = new Promise<void>(resolve => { haveArrived = resolve })
  let waiting = 0
  const options: AppOptions = {
    config: { AUDIT: true, MERCHANT_TOKEN: undefined, ...config },
    async authorize () {
      if (++waiting === requests) haveArrived()
      await gate
      return true
    }
  }
  const built = testApp(t, options)
  async function ask (accountNumber: string, name = '') {
    const { statusCode, headers, body } = await built.app.inject({
      method: 'POST',
      url: '/api/generate-signature',
      headers: name === '' ? {} : { authorization: `Bearer key-of-${name}` },
      payload: { accountNumber, amount: '100.00', orderId: 'O-1', sid: 's', clientTimeStamp: 1709912345678 }
    })
    return [statusCode, JSON.parse(body).signature?.slice(67) ?? headers['error-code']]
  }
  /** Resolves once the service has replaced the content of so many files. */
  const reloaded = (files: number) => built.says('its content was replaced', files)
  const audits = () => built.log().split('\n').filter(line => line.includes('"msg":"decision"')).map(line => JSON.parse(line).audit)
    .map(({ outcome, caller, keyId, merchant, accountNumber }) => [accountNumber, outcome, caller, keyId, merchant])
  return { ask, reloaded, audits, arrived, letGo }
}

const caller = (name: string, accountNumber: string, more = {}) =>
  ({ name, apiKeySha256: hash256(`key-of-${name}`), operations: ['purchase'], accountNumbers: [accountNumber], ...more })
const merchant = (name: string, accountNumber: string, more = {}) =>
  ({ name, accountNumbers: [accountNumber], token: `token-of-${name}-4b7d93`, ...more })

// printf %s 1709912345678O-1token-of-shop-4b7d93102551100.00 | sha256sum, and so on
const ofShop = 'ca1d4956127f0cda472e1f4d18e347af89869756774628958c4ed21577b200fc'
const ofReplaced = '9fb0f08a77da92d64e6a9dc058273c998cbe431e1ff42d4b3d98ba9bff3cfe67'
const ofNext = '804f2a29026674ad0021ba4029517640350b0d74333998811e2b6df5dbc9d104'

t.test('callers and merchants that change while requests wait for authorize', async t => {
  const files = t.testdir({
    policy: JSON.stringify({ callers: [caller('gone', '102551'), caller('renamed', '102551'), caller('office', '200001')] }),
    merchants: JSON.stringify({ merchants: [merchant('shop', '102551'), merchant('replaced', '200001')] })
  })
  const [policy, merchants] = [join(files, 'policy'), join(files, 'merchants')]
  const { ask, reloaded, audits, arrived, letGo } = waitingApp(t, { POLICY_FILE: policy, MERCHANTS_FILE: merchants }, 3)
  const waiting = Promise.all([ask('102551', 'gone'), ask('102551', 'renamed'), ask('200001', 'office')])
  await arrived
  replaceFile(policy, JSON.stringify({
    callers: [{ ...caller('renamed', '102551', { maximumAmount: '1.00' }), name: 'another' }, caller('office', '200001')]
  }))
  replaceFile(merchants, JSON.stringify({ merchants: [merchant('next', '200001', { token: 'another-token-8ce1a5' })] }))
  await reloaded(2)
  letGo()
  t.strictSame(await waiting, [[200, ofShop], [200, ofShop], [200, ofReplaced]])
  const keyOf = (name: string) => hash256(`key-of-${name}`).slice(0, 6)
  t.strictSame(audits().splice(0), [
    ['102551', 'signed', 'gone', keyOf('gone'), 'shop'],
    ['102551', 'signed', 'renamed', keyOf('renamed'), 'shop'],
    ['200001', 'signed', 'office', keyOf('office'), 'replaced']
  ])

  t.strictSame(await ask('102551', 'gone'), [401, 'api-key-unknown'])
  t.strictSame(await ask('102551', 'renamed'), [403, 'policy; reason=maximumAmount'])
  t.strictSame(await ask('200001', 'office'), [200, ofNext])
  t.strictSame(audits().slice(3), [
    ['102551', 'forbidden', 'another', keyOf('renamed'), undefined],
    ['200001', 'signed', 'office', keyOf('office'), 'next']
  ])
})
