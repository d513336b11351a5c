import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { duplicatesIn, firstDuplicate } from '../../../src/text/json-text.js'
import { irregularitiesOf } from '../../../src/guard/irregularities.js'
import {
  type Caller, callerFinder, knownKeys, loadPolicy, type Policy, policyFaults
} from '../../../src/guard/policy.js'
import type { SignatureRequest } from '../../../src/scheme/request.js'
import { readerOf, type Variant } from '../../../src/scheme/variants.js'
import { officeKey } from '../../support/example.js'
import { root } from '../../support/server.js'
import { whole } from '../../support/whole.js'

delete process.env.npm_command // `npx tap` sets it, and errors would name the program with npx

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

const deployment = { variant: 'A', accountNumberDigits: 6, isProduction: false } as const
const production = { ...deployment, isProduction: true }

const oneWith = (change: object) => ({ callers: [{ ...shop, ...change }] })

const aName = 'callers.0.name must be 1 to 64 ASCII letters, digits, points, - and _'
const aDigest = 'callers.0.apiKeySha256 must be the SHA-256 of the API key as 64 lowercase hexadecimal digits, or a list of 1 to 4'
const digits = 'callers.0.accountNumbers.0 must be digits'
const aMinimum = 'callers.0.minimumAmount must be an amount such as "100.00"'
const aMaximum = 'callers.0.maximumAmount must be an amount such as "100.00"'
const aWindow = 'callers.0.rate.window must be a number of milliseconds up to 3600000'
const oneOfThem = 'caller "shop" must have either apiKeySha256 or anonymous'

const faulty: Array<[what: string, policy: unknown, ...faults: string[]]> = [
  ['null', null, 'the policy must be an object with a list of callers'],
  ['no callers', {}, 'callers must be a list of at least one caller'],
  ['a caller that is not an object', { callers: ['shop'] }, 'callers.0 must be an object'],
  ['a name of 65 characters', oneWith({ name: 'x'.repeat(65) }), aName],
  ['a digest of 65 digits', oneWith({ apiKeySha256: `${shopKey}0` }), aDigest],
  ['a digest in upper case', oneWith({ apiKeySha256: shopKey.toUpperCase() }), aDigest],
  ['account numbers in one text', oneWith({ accountNumbers: ['1 2'] }), digits],
  ['an account number of 33 digits', oneWith({ accountNumbers: ['1'.repeat(33)] }), digits],
  ['a negative amount', oneWith({ minimumAmount: '-1.00' }), aMinimum],
  ['an amount of 13 digits', oneWith({ maximumAmount: '1000000000000.00' }), aMaximum],
  ['an amount with three decimals', oneWith({ maximumAmount: '1.000' }), aMaximum],
  ['a window of more than an hour', oneWith({ rate: { max: 1, window: 3_600_001 } }), aWindow],
  ['a window of nothing', oneWith({ rate: { max: 1, window: 0 } }), aWindow],
  ['a misspelt property', { ...policy, caller: [] }, 'caller is not known'],
  ['a misspelt rule', oneWith({ maxAmount: '1.00' }), 'callers.0.maxAmount is not known'],
  ['no name', oneWith({ name: undefined }), aName],
  ['a name with a space', oneWith({ name: 'the shop' }), aName],
  ['an unknown operation', oneWith({ operations: ['purchase', 'sale'] }),
    'callers.0.operations.1 must be purchase, refund, void, inquiry, inquiry-without-id or clear-cache'],
  ['no operations', oneWith({ operations: [] }), 'callers.0.operations must be a list of at least one operation'],
  ['operations left out', oneWith({ operations: undefined }), 'callers.0.operations must be a list of at least one operation'],
  ['account numbers left out', oneWith({ accountNumbers: undefined }),
    'callers.0.accountNumbers must be a list of at least one account number'],
  ['an account number that is a number', oneWith({ accountNumbers: [102551] }), digits],
  ['an amount that is a number', oneWith({ maximumAmount: 500 }), aMaximum],
  ['a rate of nothing', oneWith({ rate: { max: 0, window: 1000 } }),
    'callers.0.rate.max must be a number of requests, at least 1'],
  ['a rate with another key', oneWith({ rate: { max: 1, window: 1, burst: 1 } }), 'callers.0.rate.burst is not known'],
  ['a rate without a window', oneWith({ rate: { max: 1 } }), aWindow],
  ['a caller with neither key nor anonymous', oneWith({ apiKeySha256: undefined }), oneOfThem],
  ['a caller with key and anonymous', oneWith({ anonymous: true }), oneOfThem],
  ['anonymous: false', oneWith({ anonymous: false }), 'callers.0.anonymous must be true'],
  ['an anonymous caller with a name', { callers: [{ ...anonymous, name: 'visitors' }] },
    'caller "visitors": the anonymous caller must have the name "anonymous", and no other caller may have it'],
  ['a key with the name anonymous', oneWith({ name: 'anonymous' }),
    'caller "anonymous": the anonymous caller must have the name "anonymous", and no other caller may have it'],
  ['a minimum above the maximum', oneWith({ minimumAmount: '10.00', maximumAmount: '9.99' }),
    'caller "shop": minimumAmount must not be above maximumAmount'],
  ...['unknown', 'other'].map((name): [string, object, string] => [`the name ${name}`, { callers: [{ ...office, name }] },
    `caller "${name}": audit and metrics give the names "unknown" and "other" to further callers`]),
  ['one name twice', { callers: [shop, { ...office, name: 'shop' }] }, 'two callers have the name "shop"'],
  ['one key twice', { callers: [shop, { ...office, apiKeySha256: shopKey }] }, 'one API key is given twice'],
  ['one key twice, in a list', oneWith({ apiKeySha256: [shopKey, shopKey] }), 'one API key is given twice'],
  ['one key twice, in two lists', { callers: [{ ...shop, apiKeySha256: ['0'.repeat(64), shopKey] }, { ...office, apiKeySha256: [shopKey] }] },
    'one API key is given twice'],
  ['no key in a list', oneWith({ apiKeySha256: [] }), aDigest],
  ['five keys', oneWith({ apiKeySha256: ['1', '2', '3', '4', '5'].map(digit => digit.repeat(64)) }), aDigest],
  ['a list with another text', oneWith({ apiKeySha256: [shopKey, 'x'] }), aDigest],
  ['account numbers that STRICT refuses', oneWith({ accountNumbers: ['102551', '0102551', '1'] }),
    'caller "shop": accountNumbers has "0102551"; an account number must be 6 digits (ACCOUNT_NUMBER_DIGITS)',
    'caller "shop": accountNumbers has "1"; an account number must be 6 digits (ACCOUNT_NUMBER_DIGITS)'],
  ['two faults', oneWith({ name: '', rate: 5 }), aName,
    'callers.0.rate must be an object with max and window']
]

for (const [what, policy, ...faults] of faulty) {
  t.test(`${what} is a fault`, async t => {
    t.strictSame(policyFaults(JSON.parse(JSON.stringify(policy)), deployment).sort(), faults.sort())
  })
}

t.test('a valid policy, and the longest and largest allowed values', async t => {
  t.strictSame(policyFaults(policy, deployment), [])
  t.strictSame(policyFaults(oneWith({
    name: 'x'.repeat(64), minimumAmount: '0.00', maximumAmount: '999999999999.99', rate: { max: 1, window: 3_600_000 }
  }), deployment), [])
  t.strictSame(policyFaults(oneWith({ minimumAmount: '9.99', maximumAmount: '9.99' }), deployment), [])
  t.strictSame(policyFaults(oneWith({ accountNumbers: ['1'.repeat(32)] }), { ...deployment, accountNumberDigits: 32 }), [])
})

t.test('variant B has one operation', async t => {
  const variantB = { ...deployment, variant: 'B' } as const
  t.strictSame(policyFaults(oneWith({ operations: ['purchase'] }), variantB), [])
  const others = ['refund', 'void', 'inquiry', 'inquiry-without-id', 'clear-cache']
  t.strictSame(policyFaults(oneWith({ operations: ['purchase', ...others] }), variantB),
    others.map(name => `caller "shop": operations has "${name}"; the only operation of variant B is "purchase"`))
})

t.test('a repeated key of an object', async t => {
  const caller = JSON.stringify(shop)
  const again = caller.replace('}', ',"oper\\u0061tions":["refund"]}')
  t.strictSame(policyFaults(JSON.parse(`{"callers":[${caller}]}`), deployment, `{"callers":[${caller}]}`), [])
  const text = `{"callers":[],"callers":[${caller},${again}]}`
  t.strictSame(policyFaults(JSON.parse(text), deployment, text), ['callers is given twice'], 'the first one')
  const path = join(t.testdir({ policy: text }), 'policy')
  await t.rejects(loadPolicy(path, 'POLICY_FILE', () => deployment), {
    message: whole(`POLICY_FILE is "${path}": callers is given twice`)
  })
})

t.test('a policy is read from a file', async t => {
  const folder = t.testdir({ good: JSON.stringify(policy), bom: `\ufeff${JSON.stringify(policy)}`, broken: '{', secret: 'sk9a1c09d2e7b65540a1ff', wrong: '{"callers":[]}' })
  const load = (name: string) => loadPolicy(join(folder, name), 'POLICY_FILE', () => production)
  const loaded = await load('good')
  t.strictSame(loaded, policy)
  t.equal(await loadPolicy(join(folder, 'good'), 'POLICY_FILE', () => production, undefined, loaded), loaded, 'unchanged')
  let accounts: ReadonlyMap<string, { variant: 'A' | 'B' }> = new Map()
  const loading = loadPolicy(join(folder, 'good'), 'POLICY_FILE', () => ({ ...production, variant: 'A,B', accounts }))
  accounts = new Map([['102551', { variant: 'B' }]])
  await t.rejects(loading, { code: 'ERR_POLICY' }, 'merchants that are replaced during the reading')
  t.strictSame(await load('bom'), policy, 'as editors write it, and as policy check accepts it')
  for (const [name, message] of [
    ['wrong', `POLICY_FILE is "${join(folder, 'wrong')}": callers must be a list of at least one caller`],
    ['broken', `POLICY_FILE is "${join(folder, 'broken')}", which cannot be used: the file is not JSON: see line 1, column 2`],
    ['secret', `POLICY_FILE is "${join(folder, 'secret')}", which cannot be used: the file is not JSON`],
    ['missing', /^POLICY_FILE is ".*missing", which cannot be read \(ENOENT\)$/]
  ] as const) {
    await t.rejects(load(name), { name: 'PolicyError', code: 'ERR_POLICY', message: whole(message) })
  }
})

t.test('a policy may be an object, and is checked too', async t => {
  t.strictSame(await loadPolicy(policy, 'policy', () => production), policy)
  t.strictSame(await loadPolicy(policy, 'policy', () => production, undefined, { callers: [] }), policy, 'beside one in use')
  await t.rejects(loadPolicy({ callers: [{ ...shop, name: '' }, { ...shop, anonymous: false }] } as never, 'policy', () => deployment), {
    code: 'ERR_POLICY', message: whole(`policy: ${aName}\npolicy: callers.1.anonymous must be true`)
  })
})

const emptyDigest = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const makeAKey = 'make a key with payment-signature key new'

t.test('the digest of an empty key is refused, and a header without a key matches no caller', async t => {
  const faulty = { callers: [{ ...shop, apiKeySha256: [shopKey, emptyDigest] }] }
  t.strictSame(policyFaults(faulty, deployment), [`caller "shop": apiKeySha256 is the digest of an empty key; ${makeAKey}`])
  for (const authorization of ['', 'Bearer', 'Bearer ']) t.equal(callerFinder(faulty)(authorization), undefined, authorization)
})

t.test('every digest that the documentation shows is known', async t => {
  const documents = ['README.md', 'SECURITY.md', ...readdirSync(join(root, 'docs')).map(name => `docs/${name}`)]
  const shown = documents.filter(name => name.endsWith('.md')).flatMap(name =>
    [...readFileSync(join(root, name), 'utf8').matchAll(/"apiKeySha256": "([0-9a-f]{64})"/g)].map(([, digest]) => digest))
  t.ok(shown.length > 0)
  for (const apiKeySha256 of shown) t.equal(knownKeys({ callers: [{ ...shop, apiKeySha256 }] } as Policy).length, 1)
})

t.test('callers', async t => {
  t.equal(callerFinder(policy)(undefined), anonymous)
  t.strictSame(callerFinder(policy)('Bearer key-of-the-shop'), { ...shop, apiKey: shopKey.slice(0, 6) })
  t.strictSame(callerFinder(policy)('bearer  key-of-the-office '), { ...office, apiKey: officeKey.slice(0, 6) })
  const rotating = { ...shop, apiKeySha256: [officeKey, shopKey] }
  const [theOld, theNew] = ['Bearer key-of-the-office', 'Bearer key-of-the-shop'].map(callerFinder({ callers: [rotating] }))
  t.strictSame([theOld, theNew], [{ ...rotating, apiKey: '0b1de6' }, { ...rotating, apiKey: shopKey.slice(0, 6) }])
  for (const authorization of [
    '', 'Bearer', 'Bearer ', 'Bearer key-of-the-sho', 'Bearer key-of-the-shop x', 'key-of-the-shop', 'Basic key-of-the-shop',
    `Bearer ${shopKey}`, 'Bearer anonymous'
  ]) {
    t.equal(callerFinder(policy)(authorization), undefined, authorization)
  }
  t.equal(callerFinder({ callers: [shop] })(undefined), undefined, 'without an anonymous caller a key is needed')
  t.equal(callerFinder({ callers: [anonymous] })('Bearer for-the-backend'), anonymous, 'without keys the header is not ours')
})

const sid = '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11'
const common = { merchantAccountNumber: '102551', sid, clientTimeStamp: 1709912345678 }

const texts: Array<[text: string, place?: string]> = [
  ['"a"'],
  ['{"a":1,"a":2}', 'a'],
  ['{"a":1,"b":1,"b":2,"a":2}', 'b'],
  ['{"a":{"b":1,"b":2},"a":3}', 'a.b'],
  ['{"a":1,"a":{"b":1,"b":2}}', 'a'],
  ['{"a":1,"\\u0061":2}', 'a'],
  ['{"\\"":1,"\\u0022":2}', '"'],
  ['{"\\\\":1,"\\\\":2}', '\\'],
  ['{"a":1,"A":2}'],
  ['{"":1,"":2}', ''],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ['{"a" \n\t:1 , "a"\r\n:2}', 'a'],
  ['{"a":{"a":{"a":1}}}'],
  ['{"a":{"b":1},"c":{"b":1}}'],
  ['[{"a":1},{"a":1,"b":[0,{"c":1,"c":2}]}]', '1.b.1.c'],
  ['[[],[[]],{"a":1,"a":2}]', '2.a'],
  ['{"a":"\\"b\\":1,{[","b":"}","b":"a\\\\"}', 'b'],
  ['{"a":"b","c":"a","b":["a","a","b"]}']
]

t.test('a long text is searched in slices, wherever its strings end', async t => {
  for (const length of [65_500, 65_520, 65_530, 65_535, 65_536, 65_540]) {
    const entry = `"${'k'.repeat(length)}":{"a":1`
    const slices = (text: string) => [...duplicatesIn(text, 65_536)]
    const none = length === 65_500 ? [] : [undefined]
    t.strictSame(slices(`{${entry},"b":2},"c":"${entry.length}"}`), none, `${length}`)
    t.equal(slices(`{${entry},"a":2},"c":"${entry.length}"}`).at(-1), `${'k'.repeat(length)}.a`, `${length}`)
  }
})

t.test('the first duplicate key of a text', async t => {
  for (const [text, place] of texts) {
    t.doesNotThrow(() => JSON.parse(text))
    t.equal(firstDuplicate(text), place, text)
  }
})

t.test('output of JSON.stringify has no duplicate keys, and an added duplicate is found', async () => {
  fc.assert(fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), fc.integer({ min: 0, max: 3 }), (value, indent) => {
    const text = JSON.stringify(value, null, indent)
    if (firstDuplicate(text) !== undefined) return false
    const [key] = Object.keys(value)
    if (key === undefined) return true
    return firstDuplicate(`${text.replace(/\s*}$/, '')},${JSON.stringify(key)}:0}`) === key
  }))
})

t.test('some fields of the outermost object', async t => {
  for (const [text, place] of [
    ['{"x":1,"x":2,"sid":1,"sid":2,"amount":1,"amount":2}', 'sid'],
    ['{"x":1,"x":2}', undefined],
    ['{"x":{"sid":1,"sid":2},"sid":3}', undefined],
    ['[{"sid":1,"sid":2}]', undefined],
    ['{"":{"sid":1,"sid":2},"sid":1,"\\u0073id":2}', 'sid']
  ] as const) t.equal(firstDuplicate(text, ['amount', 'sid']), place, text)
})

const purchase = { ...common, operationType: 'purchase', amount: '100.00', orderId: 'ORDER-12345' }

const irregularities = (variant: Variant, request: SignatureRequest) =>
  irregularitiesOf(request, readerOf(variant).read(request))

for (const [what, change, ...expected] of [
  ['a number for an amount', { amount: 100.5 }, { kind: 'type', field: 'amount', sent: 'a number' }],
  ['an array', { operationType: ['purchase'] }, { kind: 'type', field: 'operationType', sent: 'an array' }],
  ['an object', { orderId: {} }, { kind: 'type', field: 'orderId', sent: 'an object' }],
  ['a time stamp as text', { clientTimeStamp: '1' }, { kind: 'type', field: 'clientTimeStamp', sent: 'a string' }],
  ['half a millisecond', { clientTimeStamp: 1.5 }, { kind: 'type', field: 'clientTimeStamp', sent: 'a number' }],
  ['the text null', { orderId: 'null' }, { kind: 'counts-as-empty', field: 'orderId', sent: 'null' }],
  ['an operation of another case', { operationType: 'PURCHASE' }],
  ['an unknown operation', { operationType: ' refund' }, { kind: 'unknown-operation', field: 'operationType', sent: ' refund' }],
  ['a field of another operation', { transactionFCRN: '9' }, { kind: 'not-used', field: 'transactionFCRN', sent: '' }],
  ['two account numbers', { accountNumber: '102551' }, { kind: 'two-account-numbers', field: 'accountNumber', sent: '' }],
  ['a token', { merchantToken: 'canary' }, { kind: 'own-token', field: 'merchantToken', sent: '' }],
  ['a token that is not used', { merchantToken: 0 }, { kind: 'type', field: 'merchantToken', sent: 'a number' }],
  ['a key in another case', { AMOUNT: '1.00' }, { kind: 'key-case', field: 'amount', sent: 'AMOUNT' }],
  ['the longest key in another case', { MerchantAccountNumber: '1' },
    { kind: 'key-case', field: 'merchantAccountNumber', sent: 'MerchantAccountNumber' }],
  ['two keys in another case', { Sid: '2', ORDERID: '1' },
    { kind: 'key-case', field: 'orderId', sent: 'ORDERID' }, { kind: 'key-case', field: 'sid', sent: 'Sid' }],
  ['the sign of the kelvin, a k to decoders that ignore the case', { merchantTo\u212aen: '' },
    { kind: 'key-case', field: 'merchantToken', sent: 'merchantTo\u212aen' }],
  ['a key that only begins like one', { amountInCents: 1, order_id: 2, '': 3, merchantAccountNumberAndMore: 4 }],
  ['empty fields', { transactionFCRN: '', transactionId: null, accountNumber: '', merchantToken: null }]
] as const) {
  t.test(`irregular: ${what}`, async t => {
    t.strictSame(irregularities('A', { ...purchase, ...change }), expected)
  })
}

t.test('in variant B, a signed text does not count as empty', async t => {
  t.strictSame(irregularities('B', { ...common, amount: 'null', orderId: 'undefined' }), [])
  t.strictSame(irregularities('B', { ...common, amount: 'undefined' }),
    [{ kind: 'counts-as-empty', field: 'amount', sent: 'undefined' }])
})
