import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readJsonFile } from '../../../src/text/json-file.js'
import { pause } from '../../../src/text/slices.js'

t.test('a byte order mark is no part of the text, and the same character inside is', async t => {
  const path = join(t.testdir({ 'a.json': '\ufeff{"a":"b\ufeff"}' }), 'a.json')
  t.strictSame(await readJsonFile(path), { text: '{"a":"b\ufeff"}', value: { a: 'b\ufeff' } })
  const other = join(t.testdir({ 'b.json': '{"a":"b\ufeff"}' }), 'b.json')
  t.strictSame((await readJsonFile(other)).value, { a: 'b\ufeff' })
})

t.test('a file of more than 8 MiB is refused before it is read', async t => {
  const path = join(t.testdir({ 'a.json': '{}' }), 'a.json')
  truncateSync(path, 8 * 2 ** 20 + 1)
  await t.rejects(readJsonFile(path), { name: 'UnreadableError', message: 'the file is larger than 8388608 bytes' })
})

t.test('a long computation waits for a turn of the event loop after 2 ms, and not before', async t => {
  let now = performance.now() + 1000
  t.intercept(performance, 'now', { value: () => now })
  await pause()
  t.equal(pause(), undefined)
  now += 1.9
  t.equal(pause(), undefined)
  now += 0.2
  let hasTurned = false
  setImmediate(() => { hasTurned = true })
  const turn = pause()
  t.ok(turn)
  now += 50 // of other work
  await turn
  t.ok(hasTurned)
  t.equal(pause(), undefined, 'the slice begins after the other work')
})
