import fc from 'fast-check'
import t from 'tap'
import { duplicateKeys } from '../../../src/guard/duplicate-keys.js'

const texts: Array<[text: string, ...places: string[]]> = [
  ['{}'],
  ['[]'],
  ['"a"'],
  ['1'],
  ['{"a":1,"b":2}'],
  ['{"a":1,"a":2}', 'a'],
  ['{"a":1,"a":2,"a":3}', 'a', 'a'],
  ['{"a":1,"\\u0061":2}', 'a'],
  ['{"\\"":1,"\\u0022":2}', '"'],
  ['{"\\\\":1,"\\\\":2}', '\\'],
  ['{"a":1,"A":2}'],
  ['{"":1,"":2}', ''],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ['{"a" \n\t:1 , "a"\r\n:2}', 'a'],
  ['{"a":{"a":{"a":1}}}'],
  ['{"a":{"b":1},"c":{"b":1}}'],
  ['{"a":{"b":1,"b":2},"c":3}', 'a.b'],
  ['[{"a":1},{"a":1,"b":[0,{"c":1,"c":2}]}]', '1.b.1.c'],
  ['[[],[[]],{"a":1,"a":2}]', '2.a'],
  ['{"a":"\\"b\\":1,{[","b":"}","b":"a\\\\"}', 'b'],
  ['{"a":"b","c":"a","b":["a","a","b"]}']
]

for (const [text, ...places] of texts) {
  t.test(text, async t => {
    t.doesNotThrow(() => JSON.parse(text))
    t.strictSame(duplicateKeys(text), places)
  })
}

t.test('output of JSON.stringify has no duplicate keys, and an added duplicate is found', async () => {
  fc.assert(fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), fc.integer({ min: 0, max: 3 }), (value, indent) => {
    const text = JSON.stringify(value, null, indent)
    if (duplicateKeys(text).length > 0) return false
    const [key] = Object.keys(value)
    if (key === undefined) return true
    const found = duplicateKeys(`${text.replace(/\s*}$/, '')},${JSON.stringify(key)}:0}`)
    return found.length === 1 && found[0] === key
  }))
})
