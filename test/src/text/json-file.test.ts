import { join } from 'node:path'
import t from 'tap'
import { readJsonFile } from '../../../src/text/json-file.js'

t.test('a byte order mark is no part of the text, and the same character inside is', async t => {
  const path = join(t.testdir({ 'a.json': '\ufeff{"a":"b\ufeff"}' }), 'a.json')
  t.strictSame(await readJsonFile(path), { text: '{"a":"b\ufeff"}', value: { a: 'b\ufeff' } })
  const other = join(t.testdir({ 'b.json': '{"a":"b\ufeff"}' }), 'b.json')
  t.strictSame((await readJsonFile(other)).value, { a: 'b\ufeff' })
})
