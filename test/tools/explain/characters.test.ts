import t from 'tap'
import { json, quote, visible } from '../../../tools/explain/characters.js'

t.test('texts for a terminal, which would execute control characters', async t => {
  const text = 'é "a"\n\u001b[2J\u200b\u00a0\u0301\u{e0001}'
  t.equal(visible(text), 'é "a"\\u{a}\\u{1b}[2J\\u{200b}\\u{a0}\u0301\\u{e0001}')
  t.equal(quote(text), '"é \\"a\\"\\n\\u001b[2J\\u{200B}\\u{00A0}\\u{0301}\\u{E0001}"')
  t.equal(json({ a: undefined, b: text }), '{"a":null,"b":"é \\"a\\"\\n\\u001b[2J\\u200b\\u00a0\u0301\\udb40\\udc01"}\n')
  t.strictSame(JSON.parse(json([text])), [text])
})
