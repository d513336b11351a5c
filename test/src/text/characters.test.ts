import t from 'tap'
import { codePoint, isInvisible, quote } from '../../../src/text/characters.js'

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
