import t from 'tap'
import { firstDuplicate, isJson, parseJson } from '../../../src/text/json.js'

t.test('a text that is no JSON', async t => {
  for (const [text, place] of [
    ['{', 'line 1, column 2'],
    ['', 'line 1, column 1'],
    ['{"a":1}\n// comment', 'line 2, column 1'],
    ['{\n"a": \u201c1"}', 'line 2, column 6'],
    ['{"a":tru}', 'line 1, column 9'],
    ['{"a":\n"b\nc"}', 'line 2, column 3'],
    [`[${'1,'.repeat(100_000)}\n2,,3]`, 'line 2, column 3']
  ] as const) {
    t.throws(() => parseJson(text, 'FILE'), { name: 'UnreadableError', message: `FILE is not JSON: see ${place}` })
  }
  t.strictSame(['{}', '{'].map(isJson), [true, false])
})

t.test('the first key that an object has twice', async t => {
  for (const [text, key] of [
    ['{"a":1,"a":2}', 'a'],
    ['{"a":1,"b":1,"b":2,"a":2}', 'b'],
    ['{"a":{"b":1,"b":2},"a":3}', 'b'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"\\"":1,"\\u0022":2}', '"'],
    ['{"\\\\":1,"\\\\":2}', '\\'],
    ['{"":1,"":2}', ''],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"a" \n\t:1 , "a"\r\n:2}', 'a'],
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
    ['{"x":{"sid":1,"sid":2},"sid":3}', undefined],
    ['{"":{"sid":1,"sid":2},"sid":1,"\\u0073id":2}', 'sid'],
    ['{"\\u0061mount":1,"\\u0061mount":2}', 'amount'],
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
