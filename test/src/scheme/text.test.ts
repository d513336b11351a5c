import t from 'tap'
import { codePoint, isInvisible, quote, toText } from '../../../src/scheme/text.js'
import { hash256, signatureOf } from '../../../src/scheme/signature.js'
import { whole } from '../../support/whole.js'

for (const [value, text] of [
  ['100.00', '100.00'], [100.00, '100'], [1e21, '1e+21'], [-0, '0'], [true, 'true'], [null, 'null'],
  [undefined, 'undefined'], [['a', ['b', null]], 'a,b,'], [{}, '[object Object]']
] as const) {
  t.test(`${JSON.stringify(value)} is the text "${text}"`, async t => t.equal(toText(value), text))
}

t.test('a failed conversion reports the reason', async t => {
  t.throws(() => toText({ toString: 1 }), {
    name: 'SigningError', code: 'ERR_NOT_TEXT', message: whole('Cannot convert object to primitive value'), cause: TypeError
  })
})

/** Returns nested arrays. */
function nested (levels: number): unknown {
  return levels === 0 ? 'x' : [nested(levels - 1)]
}

t.test('arrays may be nested 100 levels deep', async t => {
  t.equal(toText(nested(100)), 'x')
  t.throws(() => toText(nested(101)), { code: 'ERR_NOT_TEXT', message: whole('a value is nested more than 100 levels deep') })
  t.throws(() => toText(['a', nested(5000)]), { code: 'ERR_NOT_TEXT' })
  t.throws(() => toText([Symbol('a')]), { code: 'ERR_NOT_TEXT' })
})

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

t.test('a signature is two digests, separated by three slashes', async t => {
  t.equal(signatureOf({ part1: 'abc', part2: '' }), `${abc}///${empty}`)
})

t.test('invisible characters', async t => {
  for (const character of ['\n', '\u00a0', '\u200b', '\u00ad', '\ufeff', '\u2028', '\u001b', '\u2800', '\ud800']) {
    t.ok(isInvisible(character), codePoint(character))
  }
  for (const character of [' ', 'a', 'é', '١', '€', '😀']) t.notOk(isInvisible(character), codePoint(character))
})

t.test('a quoted text shows invisible characters', async t => {
  t.equal(quote('a "b"\n'), '"a \\"b\\"\\n"')
  t.equal(quote('a\u200bb\u00a0'), '"a\\u{200B}b\\u{00A0}"')
  t.equal(quote('e\u0301 é'), '"e\\u{0301} é"')
  t.equal(quote('\u001b[31m\u009b'), '"\\u001b[31m\\u{009B}"')
})
