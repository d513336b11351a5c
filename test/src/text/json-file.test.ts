import { spawn, spawnSync } from 'node:child_process'
import { symlinkSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { firstDuplicate, isJson, parseJson, readJsonFile } from '../../../src/text/json-file.js'
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
    ['broken', /^the file is not JSON(?:: see line 2, column 11)?$/],
    ['cut', /^the file is not JSON(?:: see line 1, column 18)?$/]
  ] as const) await t.rejects(readJsonFile(join(folder, name)), { name: 'UnreadableError', message: whole(message) })
  await t.rejects(readJsonFile(join(folder, 'none')), { code: 'ENOENT' })
  t.throws(() => parseJson('{', 'FILE'), { name: 'UnreadableError', message: /^FILE is not JSON/ })
  t.strictSame(['{}', '{'].map(isJson), [true, false])
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

t.test('the first key that an object has twice', async t => {
  for (const [text, key] of [
    ['"a"', undefined],
    ['{"a":1,"a":2}', 'a'],
    ['{"a":1,"b":1,"b":2,"a":2}', 'b'],
    ['{"a":{"b":1,"b":2},"a":3}', 'b'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"\\"":1,"\\u0022":2}', '"'],
    ['{"\\\\":1,"\\\\":2}', '\\'],
    ['{"a":1,"A":2}', undefined],
    ['{"":1,"":2}', ''],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"a" \n\t:1 , "a"\r\n:2}', 'a'],
    ['{"a":{"a":{"a":1}}}', undefined],
    ['{"a":{"b":1},"c":{"b":1}}', undefined],
    ['[{"a":1},{"a":1,"b":[0,{"c":1,"c":2}]}]', 'c'],
    ['{"a":"\\"b\\":1,{[","b":"}","b":"a\\\\"}', 'b'],
    ['{"a":"b","c":"a","b":["a","a","b"]}', undefined]
  ] as const) {
    t.doesNotThrow(() => JSON.parse(text))
    t.equal(firstDuplicate(text), key, text)
  }
})

t.test('some fields of the outermost object', async t => {
  for (const [text, key] of [
    ['{"x":1,"x":2,"sid":1,"sid":2,"amount":1,"amount":2}', 'sid'],
    ['{"x":1,"x":2}', undefined],
    ['{"x":{"sid":1,"sid":2},"sid":3}', undefined],
    ['[{"sid":1,"sid":2}]', undefined],
    ['{"":{"sid":1,"sid":2},"sid":1,"\\u0073id":2}', 'sid'],
    ['{"\\u0061mount":1,"\\u0061mount":2}', 'amount'],
    ['{"amount":1,"a\\u006dount":2}', 'amount'],
    ['{"\\\\u0061mount":1,"amount":2}', undefined]
  ] as const) t.equal(firstDuplicate(text, ['amount', 'sid']), key, text)
})

t.test('the search takes a time in proportion to the text', async t => {
  for (const text of [
    `{"${'\\\\'.repeat(2_000_000)}":1}`, `{"a":"${'\\"'.repeat(2_000_000)}"}`, `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
    `{"${'"'.repeat(2_000_000)}`, `"${'\\'.repeat(4_000_000)}`
  ]) {
    const start = performance.now()
    t.equal(firstDuplicate(text), undefined)
    t.ok(performance.now() - start < 5000, text.slice(0, 9)) // 0.1 s; a square of the length takes hours
  }
})
