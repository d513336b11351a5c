import { Buffer as NodeBuffer } from 'node:buffer'
import { createHmac as nodeHmac, getHashes as nodeHashes, hash as nodeHash } from 'node:crypto'
import t from 'tap'
import { Buffer, createHmac, getHashes, hash, timingSafeEqual, type Algorithm } from '../../examples/inspector/node.js'

const texts = ['', 'abc', 'Größe \u0661 💳', '\ufeffmark', '\ud800', 'x'.repeat(1000)]

t.test('the hash functions are those of Node.js', async t => {
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

t.test('what is compared', async t => {
  t.ok(timingSafeEqual(Buffer.from('abc'), Buffer.from('abc')))
  t.notOk(timingSafeEqual(Buffer.from('abc'), Buffer.from('abd')))
})
