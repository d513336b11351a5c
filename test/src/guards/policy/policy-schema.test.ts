import t from 'tap'
import { policyFaults, type PolicyCaller, type Policy } from '../../../../src/guards/policy/policy-schema.js'
import { officeKey } from '../../../support/example.js'

// printf '%s' key-of-the-shop | sha256sum
const shopKey = 'd0ddc66349f3b4f5e52d479167db0408480e105b7813f91ffc99be06f9c63ffb'
const emptyDigest = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

const anonymous: PolicyCaller = {
  name: 'anonymous', operations: ['purchase'], accountNumbers: ['102551'], maximumAmount: '500.00'
}
const shop: PolicyCaller = {
  name: 'shop', apiKeySha256: shopKey, operations: ['purchase', 'inquiry'], accountNumbers: ['102551', '102552']
}
const office: PolicyCaller = {
  name: 'office',
  apiKeySha256: officeKey,
  operations: ['refund', 'void'],
  accountNumbers: ['102551'],
  maximumAmount: '99.99',
  rate: 10
}
const policy: Policy = { callers: [anonymous, shop, office] }
const oneWith = (change: object) => ({ callers: [{ ...shop, ...change }] })

t.test('valid policies, up to the longest and largest values', async t => {
  for (const valid of [
    policy,
    oneWith({ name: 'x'.repeat(64), maximumAmount: '999999999999.99', rate: 1 }),
    oneWith({ apiKeySha256: ['1', '2', '3', '4'].map(digit => digit.repeat(64)) }),
    oneWith({ operations: ['purchase', 'refund', 'void', 'inquiry', 'inquiry-without-id'] })
  ]) t.strictSame(policyFaults(valid, 'A', 6), [])
  t.strictSame(policyFaults(oneWith({ accountNumbers: ['1'.repeat(32)] }), 'A', 32), [])
  t.strictSame(policyFaults(oneWith({ operations: ['purchase'] }), 'B', 6), [])
})

t.test('at most 20 faults are named, however many there are', async t => {
  t.equal(policyFaults({ callers: Array(100_000).fill({}) }, 'A', 6).length, 20)
})

const aName = 'callers.0.name must be 1 to 64 ASCII letters, digits, points, - and _'
const aDigest = 'callers.0.apiKeySha256 must be the digest that new-key prints, not the key: 64 lowercase hexadecimal digits, or a list of 1 to 4'
const digits = 'callers.0.accountNumbers.0 must be digits in quotes, such as "102551"'
const aMaximum = 'callers.0.maximumAmount must be an amount such as "100.00"'
const aRate = 'callers.0.rate must be a number of requests in a minute, at least 1'

for (const [what, faulty, ...faults] of [
  ['no callers', {}, 'callers must be a list of at least one caller'],
  ['a caller that is not an object', { callers: ['shop'] }, 'callers.0 must be an object'],
  ['a name of 65 characters', oneWith({ name: 'x'.repeat(65) }), aName],
  ['five keys', oneWith({ apiKeySha256: ['1', '2', '3', '4', '5'].map(digit => digit.repeat(64)) }), aDigest],
  ['a key in place of its digest', oneWith({ apiKeySha256: `psk_${'0'.repeat(64)}` }), aDigest],
  ['an account number that is a number', oneWith({ accountNumbers: [102551] }), digits],
  ['an amount of 13 digits', oneWith({ maximumAmount: '1000000000000.00' }), aMaximum],
  ['a rate of 0', oneWith({ rate: 0 }), aRate],
  ['a misspelt rule', oneWith({ maxAmount: '1.00' }), 'callers.0.maxAmount is not known'],
  ['an unknown operation', oneWith({ operations: ['purchase', 'sale'] }),
    'callers.0.operations.1 must be purchase, refund, void, inquiry or inquiry-without-id'],
  ['a caller without a key', oneWith({ apiKeySha256: undefined }), 'caller "shop": apiKeySha256 is missing; only the caller "anonymous" has no key'],
  ['a key of the anonymous caller', oneWith({ name: 'anonymous' }), 'caller "anonymous": apiKeySha256 must be left out: this is the caller without a key'],
  ['one name twice', { callers: [shop, { ...office, name: 'shop' }] }, 'two callers have the name "shop"'],
  ['one key twice', { callers: [shop, { ...office, apiKeySha256: ['0'.repeat(64), shopKey] }] }, 'caller "office": apiKeySha256 repeats a digest of caller "shop"'],
  ['the digest of an empty key', oneWith({ apiKeySha256: [shopKey, emptyDigest] }),
    'caller "shop": apiKeySha256 is the digest of an empty key'],
  ['account numbers that STRICT refuses', oneWith({ accountNumbers: ['102551', '0102551'] }),
    'caller "shop": account number "0102551" must have 6 digits (ACCOUNT_NUMBER_DIGITS)'],
  ['two faults', oneWith({ name: '', rate: '5' }), aName, aRate]
] as Array<[what: string, policy: unknown, ...faults: string[]]>) {
  t.test(`${what} is a fault`, async t => {
    t.strictSame(policyFaults(JSON.parse(JSON.stringify(faulty)), 'A', 6).sort(), faults.sort())
  })
}

t.test('variant B has one operation', async t => {
  const fault = 'caller "shop": the only operation of variant B is "purchase"'
  for (const name of ['refund', 'void', 'inquiry', 'inquiry-without-id']) {
    t.strictSame(policyFaults(oneWith({ operations: ['purchase', name] }), 'B', 6), [fault], name)
  }
})
