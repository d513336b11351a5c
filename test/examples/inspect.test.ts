import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { oddityOf } from '../../examples/inspector/characters.js'
import { inspect } from '../../examples/inspector/inspect.js'
import { root } from '../support/server.js'

/** `printf '%s' "$preImage" | sha256sum`, and any second part. */
const signatureWith = (part1: string): string => `${part1}///${'0'.repeat(64)}`

const sid = '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11'
const purchase = { amount: '100.00', merchantAccountNumber: '102551', orderId: 'ORDER-12345', sid, clientTimeStamp: 1709912345678 }
// printf '%s' 17099123456785f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11100.00 | sha256sum
const part1 = '8ffa2c87ec0ba39c3a775be930e10c6bebe869c0cfdad774f8cbd21523a6df9c'

t.test('every vector is right', async t => {
  for (const variant of ['A', 'B'] as const) {
    const { vectors } = JSON.parse(readFileSync(join(root, `vectors/variant-${variant.toLowerCase()}.json`), 'utf8'))
    for (const { name, request, part1, signature } of vectors) {
      const { terms, signed, expected, given } = await inspect(variant, JSON.stringify(request), signature)
      t.strictSame([expected, given], [part1.digest, part1.digest], name)
      t.equal(signed, terms, name)
    }
  }
})

t.test('what was signed instead', async t => {
  const right = { clientTimeStamp: '1709912345678', sid, amount: '100.00', referenceNumber: '' }
  for (const [what, changes, wrong] of [
    ['an amount with no decimals', { amount: '100' }, ['amount']],
    ['an amount sent as a number', { amount: 100 }, ['amount']],
    ['an amount in cents', { amount: '10000' }, []],
    ['an amount with a comma', { amount: '100,00' }, ['amount']],
    ['full-width digits', { amount: '１００.００' }, ['amount']],
    ['a time stamp with three more digits', { clientTimeStamp: 1709912345678000 }, ['clientTimeStamp']],
    ['a sid in capitals', { sid: sid.toUpperCase() }, ['sid']],
    ['a sid with a space after it', { sid: `${sid} ` }, ['sid']],
    ['a reference too many', { operationType: 'refund', transactionFCRN: '987654' }, ['referenceNumber']],
    ['two mistakes at once', { amount: '100', sid: sid.toUpperCase() }, ['sid', 'amount']],
    ['a void', { operationType: 'void', transactionFCRN: '' }, ['amount']]
  ] as const) {
    const { terms, signed } = await inspect('A', JSON.stringify({ ...purchase, ...changes }), signatureWith(part1))
    if (wrong.length === 0) {
      t.equal(signed, undefined, what)
      continue
    }
    t.strictSame(signed, right, what)
    t.strictSame(Object.keys(terms).filter(term => terms[term as 'sid'] !== right[term as 'sid']), wrong, what)
  }
})

t.test('seconds instead of milliseconds, and an amount in cents', async t => {
  // printf '%s' 17099123455f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b1110000 | sha256sum
  const given = 'b455f406c029cde3493f6ec0c13a2ab5058927ac37dc8d7c0832f3c869ee0bee'
  const { signed } = await inspect('A', JSON.stringify(purchase), signatureWith(given))
  t.match(signed, { clientTimeStamp: '1709912345', amount: '10000' })
})

t.test('the other variant', async t => {
  // printf '%s' 17099123456785f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11100.00ORDER-12345 | sha256sum
  const given = '9c824b5d871e0bfc54aecc2254c682ebbac2ea0fba8cf6397fa16c970189efc9'
  t.match((await inspect('A', JSON.stringify(purchase), signatureWith(given))).signed, { referenceNumber: 'ORDER-12345' })
  const { terms, signed } = await inspect('B', JSON.stringify(purchase), signatureWith(given))
  t.equal(signed, terms)
})

t.test('no guess gives it', async t => {
  t.equal((await inspect('A', JSON.stringify(purchase), signatureWith('0'.repeat(64)))).signed, undefined)
  t.equal((await inspect('A', JSON.stringify({ ...purchase, amount: 'abc' }), signatureWith('0'.repeat(64)))).signed, undefined)
})

t.test('a signature in JSON', async t => {
  const { given } = await inspect('A', JSON.stringify(purchase), `{"signature":"${signatureWith(part1)}"}`)
  t.equal(given, part1)
})

t.test('what cannot be inspected', async t => {
  const signature = signatureWith(part1)
  for (const [request, given, message] of [
    ['{', signature, /^The request cannot be read: .*JSON/],
    ['[]', signature, 'The request cannot be read: request must be an object, such as a decoded JSON body'],
    [JSON.stringify(purchase), part1, 'This is not a signature: it must be 64 lowercase hexadecimal digits, /// and 64 more'],
    [JSON.stringify(purchase), signature.toUpperCase(), /^This is not a signature/],
    [JSON.stringify(purchase), `${signature}0`, /^This is not a signature/],
    ['{}', signature, 'The service refuses this request: merchantAccountNumber or accountNumber is required'],
    [JSON.stringify({ ...purchase, sid: ' ' }), signature, 'The service refuses this request: sid must be a non-empty string']
  ] as const) {
    await t.rejects(inspect('A', request, given), { message })
  }
})

t.test('on a page that came over plain HTTP', async t => {
  t.intercept(globalThis, 'crypto', { value: {} })
  await t.rejects(inspect('A', JSON.stringify(purchase), signatureWith(part1)), {
    message: 'Browsers offer SHA-256 only over HTTPS and on localhost: open the page there'
  })
})

for (const [character, codePoint, name, isVisible] of [
  [' ', 'U+0020', 'SPACE', false],
  ['\n', 'U+000A', 'LINE FEED', false],
  ['\u200b', 'U+200B', 'ZERO WIDTH SPACE', false],
  ['\u00ad', 'U+00AD', 'SOFT HYPHEN', false],
  ['\ufeff', 'U+FEFF', 'ZERO WIDTH NO-BREAK SPACE', false],
  ['\u0430', 'U+0430', 'CYRILLIC SMALL LETTER A', true],
  ['\u041e', 'U+041E', 'CYRILLIC CAPITAL LETTER O', true],
  ['\u2013', 'U+2013', 'EN DASH', true],
  ['\u2212', 'U+2212', 'MINUS SIGN', true],
  ['\u0301', 'U+0301', 'combining mark: with the character before it, it may look like one character', false],
  ['\ud800', 'U+D800', 'half a surrogate pair, hashed as U+FFFD', false],
  ['\u0001', 'U+0001', 'invisible character', false],
  ['\u2063', 'U+2063', 'invisible character', false],
  ['\uff11', 'U+FF11', 'digit of another script or form', true],
  ['\u0661', 'U+0661', 'digit of another script or form', true],
  ['é', 'U+00E9', 'not ASCII', true],
  ['💳', 'U+1F4B3', 'not ASCII', true]
] as const) {
  t.test(`${codePoint} is odd`, async t => t.strictSame(oddityOf(character), { codePoint, name, isVisible }))
}

t.test('visible ASCII is not odd', async t => {
  for (let code = 0x21; code <= 0x7e; code++) {
    const character = String.fromCharCode(code)
    t.equal(oddityOf(character), undefined, character)
  }
})
