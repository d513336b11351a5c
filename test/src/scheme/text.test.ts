import t from 'tap'
import { toText } from '../../../src/scheme/text.js'

for (const [value, text] of [
  ['100.00', '100.00'], [100.00, '100'], [1e21, '1e+21'], [-0, '0'], [true, 'true'], [null, 'null'],
  [undefined, 'undefined'], [['a', ['b', null]], 'a,b,'], [{}, '[object Object]']
] as const) {
  t.test(`${JSON.stringify(value)} is the text "${text}"`, async t => {
    t.equal(toText(value), text)
  })
}

t.test('what cannot be converted says why', async t => {
  t.throws(() => toText({ toString: 1 }), {
    name: 'SigningError', code: 'ERR_NOT_TEXT', message: 'Cannot convert object to primitive value', cause: TypeError
  })
})

/** An array in an array in an array … */
function nested (levels: number): unknown {
  return levels === 0 ? 'x' : [nested(levels - 1)]
}

t.test('arrays may be nested 100 levels deep, as no real value is', async t => {
  t.equal(toText(nested(100)), 'x')
  t.throws(() => toText(nested(101)), { code: 'ERR_NOT_TEXT', message: 'a value is nested more than 100 levels deep' })
  t.throws(() => toText(['a', nested(5000)]), { code: 'ERR_NOT_TEXT' })
})
