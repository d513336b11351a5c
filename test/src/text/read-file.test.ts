import { spawn, spawnSync } from 'node:child_process'
import { symlinkSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readJsonFile } from '../../../src/text/read-file.js'
import { whole } from '../../support/whole.js'

t.test('a file of JSON, with a byte order mark or without', async t => {
  const folder = t.testdir({ a: '{"a":"b\ufeff"}', bom: '\ufeff{"a":"b\ufeff"}' })
  for (const name of ['a', 'bom']) {
    const { bytes, value } = (await readJsonFile(join(folder, name)))!
    t.strictSame(value, { a: 'b\ufeff' })
    const parse = t.capture(JSON, 'parse')
    t.equal(await readJsonFile(join(folder, name), bytes), undefined, 'the bytes before')
    t.strictSame(parse(), [])
    parse.restore()
  }
})

t.test('files that are refused; no error quotes a value', async t => {
  const folder = t.testdir({
    large: '{}', latin1: Buffer.from('{"a":"\xe9"}', 'latin1') as never, twice: '{"a":{"s3cret":1,"s3cret":2}}', broken: '{\n "token": s3cret', cut: '{"token": "s3cret', long: `{"${'k'.repeat(99)}":1,"${'k'.repeat(99)}":2}`
  })
  truncateSync(join(folder, 'large'), 8 * 2 ** 20 + 1)
  for (const [name, message] of [
    ['large', 'the file is longer than 8388608 bytes'],
    ['latin1', 'the file is not UTF-8 text'],
    ['twice', 'an object of the file has "s3cret" twice'],
    ['long', `an object of the file has "${'k'.repeat(40)}" twice`],
    ['broken', 'the file is not JSON: see line 2, column 11'],
    ['cut', 'the file is not JSON: see line 1, column 18']
  ] as const) await t.rejects(readJsonFile(join(folder, name)), { name: 'UnreadableError', message: whole(message) })
  await t.rejects(readJsonFile(join(folder, 'none')), { code: 'ENOENT' })
})

t.test('a pipe has no end for a service that polls: only a command reads it', { timeout: 10_000 }, async t => {
  const folder = t.testdir({})
  const path = join(folder, 'pipe')
  spawnSync('mkfifo', [path])
  const fault = { name: 'UnreadableError', message: whole('it is a pipe or a device: use a regular file') }
  await t.rejects(readJsonFile(path), fault)
  symlinkSync('pipe', join(folder, 'link'))
  for (const other of [join(folder, 'link'), '/dev/zero', '/dev/null']) await t.rejects(readJsonFile(other), fault)
  spawn('sh', ['-c', 'sleep 0.1; echo "{}" > "$0"', path])
  t.strictSame(await readJsonFile(path, undefined, true), { bytes: Buffer.from('{}\n'), value: {} })
})
