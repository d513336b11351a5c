import { Buffer as NodeBuffer } from 'node:buffer'
import { createHmac as nodeHmac, getHashes as nodeHashes, hash as nodeHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { oddityOf } from '../../examples/inspector/characters.js'
import { inspect } from '../../examples/inspector/inspect.js'
import { Buffer, createHmac, getHashes, hash, timingSafeEqual, type Algorithm } from '../../examples/inspector/node.js'
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
      const { explanation, diagnosis } = inspect(variant, JSON.stringify(request), signature)
      t.equal(explanation?.part1.digest, part1.digest, name)
      t.match(diagnosis, { finding: 'matches', causes: [] }, name)
    }
  }
})

t.test('what was signed instead', async t => {
  for (const [what, changes, finding] of [
    ['an amount with no decimals', { amount: '100' }, /amount was "100\.00" when it was signed; your request has "100"/],
    ['a sid in capitals', { sid: sid.toUpperCase() }, /was "5f0c/],
    ['a refund, signed as a purchase', { operationType: 'refund', transactionFCRN: '987654' }, /purchase/]
  ] as const) {
    const { diagnosis } = inspect('A', JSON.stringify({ ...purchase, ...changes }), signatureWith(part1))
    t.equal(diagnosis?.finding, 'explained', what)
    t.match(diagnosis?.causes[0]?.changes[0]?.finding, finding, what)
  }
})

t.test('nothing explains it', async t => {
  const { diagnosis } = inspect('B', JSON.stringify(purchase), signatureWith('0'.repeat(64)))
  t.match(diagnosis, { finding: 'unexplained', causes: [] })
})

t.test('the form of a signature', async t => {
  const { diagnosis } = inspect('A', JSON.stringify(purchase), `{"signature":"${signatureWith(part1)}"}`)
  t.match(diagnosis, { finding: 'matches', causes: [{ changes: [{ hypothesis: 'signature-in-json' }] }] })
  t.match(inspect('A', JSON.stringify(purchase), 'abc').diagnosis, { finding: 'unexplained', hints: [/^This is not a signature/] })
})

t.test('no signature', async t => {
  const { explanation, diagnosis } = inspect('A', JSON.stringify(purchase), ' \n')
  t.equal(explanation?.part1.preImage, '17099123456785f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11100.00')
  t.equal(diagnosis, undefined)
})

t.test('a curl command, and a log line', async t => {
  const text = JSON.stringify(purchase)
  for (const request of [`curl http://localhost:3001 -d '${text}'`, `10:00 INFO body=${JSON.stringify(text)} 200`]) {
    t.match(inspect('A', request, signatureWith(part1)).diagnosis, { finding: 'matches', causes: [] })
  }
})

t.test('odd characters in any field, and in the names of fields', async t => {
  const request = { ...purchase, orderId: 'OR\u200bDER 1', accountNumber: '\u0661', amoуnt: '\u200b', note: 'Größe' }
  const { oddCharacters } = inspect('A', JSON.stringify(request), '')
  t.strictSame(oddCharacters.map(({ field, position, codePoint }) => [field, position, codePoint]), [
    ['orderId', 3, 'U+200B'], ['orderId', 7, 'U+0020'], ['accountNumber', 1, 'U+0661'], ['the name of amo\u0443nt', 4, 'U+0443']
  ])
})

t.test('a request that the service refuses', async t => {
  const { explanation, refusal, oddCharacters, diagnosis } = inspect('A', JSON.stringify({ ...purchase, sid: '\u200b', amount: '0\u200b' }), signatureWith(part1))
  t.equal(explanation, undefined)
  t.equal(diagnosis, undefined)
  t.equal(refusal, 'Invalid amount: amount must be greater than 0')
  t.equal(oddCharacters.length, 2)
})

t.test('no request', async t => {
  t.throws(() => inspect('A', '', ''), { message: 'The text is empty: it must contain a request' })
  t.throws(() => inspect('A', '{', ''), { message: /^The text is not JSON/ })
})

for (const [character, codePoint, name, isVisible] of [
  [' ', 'U+0020', 'SPACE', false],
  ['\u200b', 'U+200B', 'ZERO WIDTH SPACE', false],
  ['\u0430', 'U+0430', 'CYRILLIC SMALL LETTER A', true],
  ['\u2212', 'U+2212', 'MINUS SIGN', true],
  ['\u0301', 'U+0301', 'combining mark: with the character before it, it may look like one character', false],
  ['\ud800', 'U+D800', 'half a surrogate pair, hashed as U+FFFD', false],
  ['\u0001', 'U+0001', 'invisible character', false],
  ['\uff11', 'U+FF11', 'digit of another script or form', true],
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

// The inspector replaces modules of Node.js in a browser.

const texts = ['', 'abc', 'Größe \u0661 💳', '\ufeffmark', '\ud800', 'x'.repeat(1000)]

t.test('in a browser, the hash functions are those of Node.js', async t => {
  const known = nodeHashes()
  for (const algorithm of getHashes() as Algorithm[]) {
    t.ok(known.includes(algorithm), algorithm)
    for (const text of texts) t.equal(hash(algorithm, text), nodeHash(algorithm, text, 'hex'), `${algorithm} ${text}`)
    const bytes = Buffer.from('c3ff', 'hex')
    t.equal(hash(algorithm, bytes), nodeHash(algorithm, NodeBuffer.from('c3ff', 'hex'), 'hex'), algorithm)
    t.equal(createHmac(algorithm, 'kéy').update('abc').digest(), nodeHmac(algorithm, 'kéy').update('abc').digest('hex'), algorithm)
  }
})

t.test('so are the encodings', async t => {
  for (const text of texts) {
    const encoded = NodeBuffer.from(text).toString('hex')
    t.equal(Buffer.from(text).toString('hex'), encoded, text)
    t.equal(Buffer.from(encoded, 'hex').toString(), NodeBuffer.from(text).toString(), text)
  }
  t.strictSame([...Buffer.from('', 'hex')], [])
})

t.test('so is the comparison', async t => {
  t.ok(timingSafeEqual(Buffer.from('abc'), Buffer.from('abc')))
  t.notOk(timingSafeEqual(Buffer.from('abc'), Buffer.from('abd')))
})
