import t from 'tap'
import { json, table, visible } from '../../../src/command-line/output.js'
import { flags, run } from '../../support/command-line.js'

t.test('what nobody would see, or what would command a terminal, is an escape', async t => {
  t.equal(visible('plain é ١٠ 日本'), 'plain é ١٠ 日本')
  t.equal(visible('\x1b[31m\x07\x9b\u200b\u00a0\ufeff\u202e\n'), '\\u{1b}[31m\\u{7}\\u{9b}\\u{200b}\\u{a0}\\u{feff}\\u{202e}\\u{a}')
  t.equal(visible('\u{e0041}\ud800'), '\\u{e0041}\\u{d800}')
})

t.test('JSON stays the same value', async t => {
  const value = { a: 'é\x1b\x9b\u200b\u{e0041}\ud800', b: [1, null] }
  const line = json(value)
  t.equal(line, '{"a":"é\\u001b\\u009b\\u200b\\udb40\\udc41\\ud800","b":[1,null]}\n')
  t.same(JSON.parse(line), value)
  t.equal(json({ a: undefined }), '{"a":null}\n')
})

t.test('columns are aligned, and lines have no spaces at their end', async t => {
  t.equal(table([['a', 'bb', ''], ['ccc', 'd', 'e']]), '  a    bb\n  ccc  d   e\n')
})

t.test('colours are for terminals, and as NO_COLOR, FORCE_COLOR and TERM say', async t => {
  const isColoured = async (isTTY: boolean, env: Record<string, string> = {}) => {
    const { stdout } = await run(['verify', ...flags, '--signature', 'x'], { isTTY, env: { MERCHANT_TOKEN: 'a-token', ...env } })
    return stdout.includes('\x1b[31m✗\x1b[39m part 1 differs')
  }
  t.equal(await isColoured(true), true)
  t.equal(await isColoured(false), false)
  t.equal(await isColoured(true, { NO_COLOR: '1' }), false)
  t.equal(await isColoured(true, { NO_COLOR: '' }), true)
  t.equal(await isColoured(true, { TERM: 'dumb' }), false)
  t.equal(await isColoured(false, { FORCE_COLOR: '1' }), true)
  t.equal(await isColoured(false, { FORCE_COLOR: '1', NO_COLOR: '1' }), true)
  t.equal(await isColoured(true, { FORCE_COLOR: '0' }), false)
})
