import t from 'tap'
import { fieldsOf, toText } from '../../../src/scheme/request.js'
import { readerOf } from '../../../src/scheme/variants.js'
import { whole } from '../../support/whole.js'

// The vectors have each step of 4.1 and each rule of 4.3.

t.test('values as text', async t => {
  for (const [value, text] of [
    ['100.00', '100.00'], [100.00, '100'], [-0, '0'], [null, 'null'], [undefined, 'undefined'], [['a', ['b', null]], 'a,b,'],
    [{}, '[object Object]']
  ] as const) t.equal(toText(value), text)
  t.throws(() => toText({ toString: 1 }), {
    name: 'SigningError', code: 'ERR_NOT_TEXT', message: whole('Cannot convert object to primitive value'), cause: TypeError
  })
  t.throws(() => toText([Symbol('a')]), { code: 'ERR_NOT_TEXT' })
})

/** Returns nested arrays. */
const nested = (levels: number): unknown => levels === 0 ? 'x' : [nested(levels - 1)]

t.test('arrays may be nested 8 levels deep', async t => {
  t.equal(toText(nested(8)), 'x')
  t.throws(() => toText(nested(9)), { code: 'ERR_NOT_TEXT', message: whole('a value is nested more than 8 levels deep') })
  t.throws(() => toText(['a', nested(5000)]), { code: 'ERR_NOT_TEXT' })
})

const purchase = {
  operationType: 'purchase', amount: '100.00', merchantAccountNumber: '102551', orderId: 'ORDER-12345', sid: 's', clientTimeStamp: 1709912345678
}

t.test('the reading and the copies for guards are frozen', async t => {
  const reading = readerOf('A').read(purchase)
  for (const change of [
    () => { (reading as { amount: string }).amount = '1.00' },
    () => { (reading.sources as { amount: string }).amount = 'orderId' },
    () => { (fieldsOf(reading) as { amount: string }).amount = '1.00' }
  ]) t.throws(change, TypeError)
})

t.test('guards get the text that is hashed, with U+FFFD for half a surrogate pair', async t => {
  const half = '\ud83d'
  const reading = readerOf('A').read({
    operationType: 'inquiry', transactionId: `${half}1`, idType: `${half}2`, accountNumber: `${half}3`, sid: `${half}4`, clientTimeStamp: `5${half}`
  })
  t.strictSame(fieldsOf(reading), {
    operationType: 'inquiry', merchantAccountNumber: '\ufffd3', transactionId: '\ufffd1', idType: '\ufffd2', sid: '\ufffd4', clientTimeStamp: '5\ufffd'
  })
})
