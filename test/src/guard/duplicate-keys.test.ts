import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import t from 'tap'
import { firstDuplicate, firstDuplicateInSlices } from '../../../src/guard/duplicate-keys.js'

const texts: Array<[text: string, place?: string]> = [
  ['{}'],
  ['[]'],
  ['"a"'],
  ['1'],
  ['{"a":1,"b":2}'],
  ['{"a":1,"a":2}', 'a'],
  ['{"a":1,"a":2,"a":3}', 'a'],
  ['{"a":1,"b":1,"b":2,"a":2}', 'b'],
  ['{"a":{"b":1,"b":2},"a":3}', 'a.b'],
  ['{"a":1,"a":{"b":1,"b":2}}', 'a'],
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

t.test('a long text is searched in slices, wherever its strings end', async t => {
  let pauses = 0
  const pause = () => { pauses++; return undefined }
  for (const length of [65_500, 65_520, 65_530, 65_535, 65_536, 65_540]) {
    const entry = `"${'k'.repeat(length)}":{"a":1`
    t.equal(await firstDuplicateInSlices(`{${entry},"b":2},"c":"${entry.length}"}`, pause), undefined, `${length}`)
    t.equal(await firstDuplicateInSlices(`{${entry},"a":2},"c":"${entry.length}"}`, pause), `${'k'.repeat(length)}.a`, `${length}`)
  }
  t.equal(pauses > 12, true, 'it pauses between the slices')
})

for (const [text, place] of texts) {
  t.test(text, async t => {
    t.doesNotThrow(() => JSON.parse(text))
    t.equal(firstDuplicate(text), place)
  })
}

t.test('output of JSON.stringify has no duplicate keys, and an added duplicate is found', async () => {
  fc.assert(fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), fc.integer({ min: 0, max: 3 }), (value, indent) => {
    const text = JSON.stringify(value, null, indent)
    if (firstDuplicate(text) !== undefined) return false
    const [key] = Object.keys(value)
    if (key === undefined) return true
    return firstDuplicate(`${text.replace(/\s*}$/, '')},${JSON.stringify(key)}:0}`) === key
  }))
})

t.test('some fields of the outermost object', async t => {
  for (const [text, place] of [
    ['{"x":1,"x":2,"sid":1,"sid":2,"amount":1,"amount":2}', 'sid'],
    ['{"x":1,"x":2}', undefined],
    ['{"x":{"sid":1,"sid":2},"sid":3}', undefined],
    ['[{"sid":1,"sid":2}]', undefined],
    ['{"":{"sid":1,"sid":2},"sid":1,"\\u0073id":2}', 'sid']
  ] as const) t.equal(firstDuplicate(text, ['amount', 'sid']), place, text)
})

t.test('many duplicates under a long key need the memory of one path', async t => {
  const module = new URL('../../../src/guard/duplicate-keys.js', import.meta.url)
  const worker = new Worker(`
    const { parentPort } = require('node:worker_threads')
    import('${module}').then(({ firstDuplicate }) => {
      const text = '{"' + 'k'.repeat(95_000) + '":{' + Array(990).fill('"a":1').join() + '}}'
      parentPort.postMessage([firstDuplicate(text).length, firstDuplicate(text, ['a'])])
    })
  `, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 16 } })
  t.strictSame(await once(worker, 'message'), [[95_002, undefined]])
})
