import t from 'tap'
import type { PolicyCaller } from '../../../../src/guards/policy/policy-schema.js'
import { callerFinder } from '../../../../src/guards/policy/policy.js'
import { officeKey } from '../../../support/example.js'

// The model of test/service.test.ts has each rule of a policy.

// printf '%s' key-of-the-shop | sha256sum
const shopKey = 'd0ddc66349f3b4f5e52d479167db0408480e105b7813f91ffc99be06f9c63ffb'

const rights = { operations: ['purchase' as const], accountNumbers: ['102551'] }
const anonymous: PolicyCaller = { name: 'anonymous', ...rights }
const shop: PolicyCaller = { name: 'shop', apiKeySha256: shopKey, ...rights }
const office: PolicyCaller = { name: 'office', apiKeySha256: officeKey, ...rights }

t.test('a caller is found by the key', async t => {
  const find = callerFinder({ callers: [anonymous, shop, office] })
  t.equal(find(undefined), anonymous)
  t.strictSame(find('Bearer key-of-the-shop'), { ...shop, keyId: 'd0ddc6' })
  t.strictSame(find('bearer  key-of-the-office '), { ...office, keyId: '0b1de6' })
  for (const authorization of [
    '', 'Bearer', 'Bearer ', 'Bearer key-of-the-sho', 'Bearer key-of-the-shop x', 'key-of-the-shop', 'Basic key-of-the-shop',
    `Bearer ${shopKey}`, 'Bearer anonymous'
  ]) t.equal(find(authorization), undefined, authorization)

  const rotating = callerFinder({ callers: [{ ...shop, apiKeySha256: [officeKey, shopKey] }] })
  t.strictSame(['Bearer key-of-the-office', 'Bearer key-of-the-shop'].map(key => rotating(key)?.keyId), ['0b1de6', 'd0ddc6'])
  t.equal(callerFinder({ callers: [shop] })(undefined), undefined, 'without an anonymous caller a key is needed')
  t.equal(callerFinder({ callers: [anonymous] })('Bearer for-the-backend'), anonymous, 'without keys the header is not ours')
})
