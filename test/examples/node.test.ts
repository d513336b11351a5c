import { Buffer as NodeBuffer } from 'node:buffer'
import { createHmac as nodeHmac, hash as nodeHash } from 'node:crypto'
import t from 'tap'
import { Buffer, createHmac, hash, isDeepStrictEqual, timingSafeEqual } from '../../examples/inspector/node.js'
import type { Algorithm, Encoding } from '../../examples/inspector/node.js'

const algorithms: Algorithm[] = [
  'md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512', 'sha512-224', 'sha512-256', 'sha3-224', 'sha3-256', 'sha3-384',
  'sha3-512', 'blake2s256', 'blake2b512'
]
const encodings: Encoding[] = ['utf8', 'latin1', 'utf16le', 'hex', 'base64', 'base64url']
const texts = ['', 'abc', 'Größe \u0661 💳', '\ufeffmark', '\ud800', 'x'.repeat(1000)]

t.test('the hash functions are those of Node.js', async t => {
  for (const algorithm of algorithms) {
    for (const text of texts) t.equal(hash(algorithm, text, 'hex'), nodeHash(algorithm, text, 'hex'), `${algorithm} ${text}`)
    const bytes = Buffer.from('Größe', 'utf16le')
    t.equal(hash(algorithm, bytes, 'base64'), nodeHash(algorithm, NodeBuffer.from('Größe', 'utf16le'), 'base64'), algorithm)
    t.equal(createHmac(algorithm, 'kéy').update('abc').digest('hex'), nodeHmac(algorithm, 'kéy').update('abc').digest('hex'), algorithm)
  }
})

t.test('so are the encodings', async t => {
  for (const encoding of encodings) {
    for (const text of texts) {
      const encoded = NodeBuffer.from(text).toString(encoding)
      t.equal(Buffer.from(text).toString(encoding), encoded, `${text} as ${encoding}`)
      t.strictSame([...Buffer.from(encoded, encoding)], [...NodeBuffer.from(encoded, encoding)], `${text} from ${encoding}`)
    }
  }
  t.equal(Buffer.from('Größe').toString(), 'Größe')
  t.strictSame([...Buffer.from('', 'hex')], [])
})

t.test('what is compared', async t => {
  t.ok(timingSafeEqual(Buffer.from('abc'), Buffer.from('abc')))
  t.notOk(timingSafeEqual(Buffer.from('abc'), Buffer.from('abd')))
  t.ok(isDeepStrictEqual('a', 'a'))
})
