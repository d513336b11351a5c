import t from 'tap'
import { oddityOf } from '../../examples/inspector/characters.js'

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
  t.test(codePoint, async t => t.strictSame(oddityOf(character), { codePoint, name, isVisible }))
}

t.test('visible ASCII is not odd', async t => {
  for (let code = 0x21; code <= 0x7e; code++) {
    const character = String.fromCharCode(code)
    t.equal(oddityOf(character), undefined, character)
  }
})
