import t from 'tap'
import { callerFinder, policyRefusalOf } from '../../../src/guard/policy.js'
import type { Caller, Policy } from '../../../src/guard/policy-schema.js'
import type { SignatureRequest } from '../../../src/scheme/request.js'
import { readerOf } from '../../../src/scheme/variants.js'
import { officeKey } from '../../support/example.js'

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

const common = { merchantAccountNumber: '102551', sid: 's', clientTimeStamp: 1709912345678 }
const refund = { ...common, operationType: 'refund', amount: '50.00', transactionFCRN: '987654' }
const inquiry = { ...common, operationType: 'inquiry' }
const listing: Caller = { ...shop, operations: ['inquiry-without-id'] }

for (const [what, caller, request, rule, text] of [
  ['a right', office, refund],
  ['another operation', shop, refund, 'operations', 'this operation'],
  ['another account', office, { ...refund, merchantAccountNumber: '102552' }, 'accountNumbers', 'for this account'],
  ['the largest amount', office, { ...refund, amount: '99.99' }],
  ['more than the largest amount', office, { ...refund, amount: '100.00' }, 'maximumAmount', 'an amount above 99.99'],
  ['the smallest amount', office, { ...refund, amount: '1.00' }],
  ['less than the smallest amount', office, { ...refund, amount: '0.99' }, 'minimumAmount', 'an amount below 1.00'],
  ['a void, which has no amount', office, { ...common, operationType: 'void', transactionFCRN: '1' }],
  ['an inquiry', shop, { ...inquiry, transactionId: 'A-1', idType: 'ORDER_ID' }],
  ['an inquiry by digits', shop, { ...inquiry, transactionId: '987654', idType: 'FCRN' }, 'operations',
    'this inquiry: its signature is also that of a void on FCRN 987654'],
  ['an inquiry by digits for a caller that may void', { ...shop, operations: ['inquiry', 'void'] },
    { ...inquiry, transactionId: '987654', idType: 'FCRN' }],
  ['an inquiry without an id', shop, inquiry, 'operations',
    'an inquiry without a transactionId: the right "inquiry-without-id" is missing'],
  ['an inquiry without an id for a caller that may list', listing, inquiry],
  ['a clear cache, which has the same signature', listing, { ...common, operationType: 'clearCache' }],
  ['a clear cache', shop, { ...common, operationType: 'clearCache' }, 'operations',
    'a clear cache: the right "clear-cache" is missing']
] as Array<[what: string, caller: Caller, request: SignatureRequest, rule?: string, text?: string]>) {
  t.test(`rights: ${what}`, async t => {
    const refusal = policyRefusalOf(caller, readerOf('A').read(request, true))
    t.strictSame(refusal, rule === undefined ? undefined : { rule, message: `caller "${caller.name}" may not sign ${text} (${rule})` })
  })
}
