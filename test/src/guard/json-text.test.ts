import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import t from 'tap'
import { duplicatesIn, firstDuplicate } from '../../../src/guard/duplicate-keys.js'
import { irregularitiesOf } from '../../../src/guard/irregularities.js'
import type { SignatureRequest } from '../../../src/scheme/request.js'
import { readerOf, type Variant } from '../../../src/scheme/variants.js'

const texts: Array<[text: string, place?: string]> = [
  ['{}'],
  ['[]'],
  ['"a"'],
  ['1'],
  ['{"a":1,"b":2}'],
  ['{"a":1,"a":2}', 'a'],
  ['{"a":1,"a":2,"a":3}', 'a'],
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
  ['{"a":{"b":1,"b":2},"c":3}', 'a.b'],
  ['[{"a":1},{"a":1,"b":[0,{"c":1,"c":2}]}]', '1.b.1.c'],
  ['[[],[[]],{"a":1,"a":2}]', '2.a'],
  ['{"a":"\\"b\\":1,{[","b":"}","b":"a\\\\"}', 'b'],
  ['{"a":"b","c":"a","b":["a","a","b"]}']
]

t.test('a long text is searched in slices, wherever its strings end', async t => {
  for (const length of [65_500, 65_520, 65_530, 65_535, 65_536, 65_540]) {
    const entry = `"${'k'.repeat(length)}":{"a":1`
    const slices = (text: string) => [...duplicatesIn(text, 65_536)]
    const none = length === 65_500 ? [undefined] : [undefined, undefined]
    t.strictSame(slices(`{${entry},"b":2},"c":"${entry.length}"}`), none, `${length}`)
    t.equal(slices(`{${entry},"a":2},"c":"${entry.length}"}`).at(-1), `${'k'.repeat(length)}.a`, `${length}`)
  }
})

for (const [text, place] of texts) {
  t.test(text, async t => {
    t.doesNotThrow(() => JSON.parse(text))
    t.equal(firstDuplicate(text), place)
  })
}

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

t.test('many duplicates under a long key need the memory of one path', async t => {
  const module = new URL('../../../src/guard/duplicate-keys.js', import.meta.url)
  const worker = new Worker(`
    const { parentPort } = require('node:worker_threads')
    import('${module}').then(({ firstDuplicate }) => {
      const text = '{"' + 'k'.repeat(95_000) + '":{' + Array(990).fill('"a":1').join() + '}}'
      parentPort.postMessage([firstDuplicate(text).length, firstDuplicate(text, ['a'])])
    })
  `, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 16 } })
  t.strictSame(await once(worker, 'message'), [[95_002, undefined]])
})

const sid = '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11'
const common = { merchantAccountNumber: '102551', sid, clientTimeStamp: 1709912345678 }
const purchase = { ...common, operationType: 'purchase', amount: '100.00', orderId: 'ORDER-12345' }

const irregularities = (variant: Variant, request: SignatureRequest) =>
  irregularitiesOf(request, readerOf(variant).read(request))

for (const [what, change, ...expected] of [
  ['a number for an amount', { amount: 100.5 }, { kind: 'type', field: 'amount', sent: 'a number' }],
  ['1e400', { amount: JSON.parse('1e400') }, { kind: 'type', field: 'amount', sent: 'a number' }],
  ['an array', { operationType: ['purchase'] }, { kind: 'type', field: 'operationType', sent: 'an array' }],
  ['an object', { orderId: {} }, { kind: 'type', field: 'orderId', sent: 'an object' }],
  ['a boolean', { merchantAccountNumber: true }, { kind: 'type', field: 'merchantAccountNumber', sent: 'a boolean' }],
  ['a time stamp as text', { clientTimeStamp: '1' }, { kind: 'type', field: 'clientTimeStamp', sent: 'a string' }],
  ['half a millisecond', { clientTimeStamp: 1.5 }, { kind: 'type', field: 'clientTimeStamp', sent: 'a number' }],
  ['the text null', { orderId: 'null' }, { kind: 'counts-as-empty', field: 'orderId', sent: 'null' }],
  ['the text undefined', { amount: 'undefined' }, { kind: 'counts-as-empty', field: 'amount', sent: 'undefined' }],
  ['an operation of another case', { operationType: 'PURCHASE' }],
  ['an unknown operation', { operationType: ' refund' }, { kind: 'unknown-operation', field: 'operationType', sent: ' refund' }],
  ['a field of another operation', { transactionFCRN: '9' }, { kind: 'not-used', field: 'transactionFCRN', sent: '' }],
  ['two account numbers', { accountNumber: '102551' }, { kind: 'two-account-numbers', field: 'accountNumber', sent: '' }],
  ['a token', { merchantToken: 'canary' }, { kind: 'own-token', field: 'merchantToken', sent: '' }],
  ['a token that is not used', { merchantToken: 0 }, { kind: 'type', field: 'merchantToken', sent: 'a number' }],
  ['a key in another case', { AMOUNT: '1.00' }, { kind: 'key-case', field: 'amount', sent: 'AMOUNT' }],
  ['two keys in another case', { Sid: '2', ORDERID: '1' },
    { kind: 'key-case', field: 'orderId', sent: 'ORDERID' }, { kind: 'key-case', field: 'sid', sent: 'Sid' }],
  ['a long s, which is an s to decoders that ignore the case', { \u017fid: '' }, { kind: 'key-case', field: 'sid', sent: '\u017fid' }],
  ['the sign of the kelvin, which is a k', { merchantTo\u212aen: '' }, { kind: 'key-case', field: 'merchantToken', sent: 'merchantTo\u212aen' }],
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
