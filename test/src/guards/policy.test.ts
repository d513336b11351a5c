import t from 'tap'
import type { Caller, Policy } from '../../../src/guards/policy-schema.js'
import { callerFinder } from '../../../src/guards/policy.js'
import { officeKey } from '../../support/example.js'

// The model of test/service.test.ts has each rule of a policy.

// printf '%s' key-of-the-shop | sha256sum
const shopKey = 'd0ddc66349f3b4f5e52d479167db0408480e105b7813f91ffc99be06f9c63ffb'

const anonymous: Caller = {
  name: 'anonymous', anonymous: true, operations: ['purchase'], accountNumbers: ['102551'], maximumAmount: '500.00'
}
const shop: Caller = {
  name: 'shop', apiKeySha256: shopKey, operations: ['purchase', 'inquiry'], accountNumbers: ['102551', '102552']
}
const office: Caller = {
  name: 'office',
  apiKeySha256: officeKey,
  operations: ['refund', 'void'],
  accountNumbers: ['102551'],
  minimumAmount: '1.00',
  maximumAmount: '99.99',
  rate: { max: 10, window: 60_000 }
}
const policy: Policy = { callers: [anonymous, shop, office] }

t.test('a caller is found by the key', async t => {
  const find = callerFinder(policy)
  t.equal(find(undefined), anonymous)
  t.strictSame(find('Bearer key-of-the-shop'), { ...shop, apiKey: 'd0ddc6' })
  t.strictSame(find('bearer  key-of-the-office '), { ...office, apiKey: '0b1de6' })
  for (const authorization of [
    '', 'Bearer', 'Bearer ', 'Bearer key-of-the-sho', 'Bearer key-of-the-shop x', 'key-of-the-shop', 'Basic key-of-the-shop',
    `Bearer ${shopKey}`, 'Bearer anonymous'
  ]) t.equal(find(authorization), undefined, authorization)

  const rotating = callerFinder({ callers: [{ ...shop, apiKeySha256: [officeKey, shopKey] }] })
  t.strictSame(['Bearer key-of-the-office', 'Bearer key-of-the-shop'].map(key => rotating(key)?.apiKey), ['0b1de6', 'd0ddc6'])
  t.equal(callerFinder({ callers: [shop] })(undefined), undefined, 'without an anonymous caller a key is needed')
  t.equal(callerFinder({ callers: [anonymous] })('Bearer for-the-backend'), anonymous, 'without keys the header is not ours')
})
