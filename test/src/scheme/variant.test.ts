import t from 'tap'
import { hash256 } from '../../../src/scheme/variant.js'

// Digests by coreutils: printf '%s' TEXT | sha256sum
const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad' // also in FIPS 180-4's examples
const replacementCharacter = '83d544ccc223c057d2bf80d3f2a32982c32c3c0db8e2674820da5064783fb097'

t.test('hash256 is SHA-256 of the UTF-8 bytes in lowercase hexadecimal', async t => {
  t.equal(hash256(''), empty)
  t.equal(hash256('abc'), abc)
})

t.test('a lone surrogate is hashed as U+FFFD', async t => {
  t.equal(hash256('\ufffd'), replacementCharacter)
  t.equal(hash256('\ud800'), replacementCharacter)
  t.equal(hash256('\udfff'), replacementCharacter)
})
