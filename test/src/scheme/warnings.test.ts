import t from 'tap'
import { readRequest } from '../../../src/scheme/reading.js'
import type { SignatureRequest } from '../../../src/scheme/request.js'
import { warningsOf } from '../../../src/scheme/warnings.js'
import { requests } from '../../support/mistakes.js'

const { purchase, refund, inquiry } = requests
const someSid = '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11'

for (const [what, request, expected] of [
  ['nothing', purchase, []],
  ['an amount that is a number', { ...refund, amount: 100.5 }, ['not-a-string amount', 'amount-format amount']],
  ['an amount of one decimal', { ...refund, amount: '100.5' }, ['amount-format amount']],
  ['no amount', { ...purchase, amount: null }, []],
  ['seconds', { ...purchase, clientTimeStamp: 1709912345 }, ['timestamp-not-milliseconds clientTimeStamp']],
  ['a time stamp as text', { ...purchase, clientTimeStamp: '1709912345678' }, []],
  ['a fraction of a millisecond', { ...purchase, clientTimeStamp: 1709912345678.5 }, [
    'not-a-string clientTimeStamp', 'timestamp-not-milliseconds clientTimeStamp'
  ]],
  ['an unknown operation', { ...purchase, operationType: 'refnd' }, ['operation-unknown operationType']],
  ['an operation in another case', { ...purchase, operationType: 'PURCHASE' }, []],
  ['an FCRN in a purchase', { ...purchase, transactionFCRN: '1' }, ['field-not-used transactionFCRN']],
  ['an amount in an inquiry', { ...inquiry, amount: '1', orderId: '' }, ['field-not-used amount']],
  ['an inquiry by another id', { ...inquiry, idType: 'FCRN', orderId: undefined }, ['id-type-unknown idType']],
  ['the text null', { ...purchase, orderId: 'null' }, ['text-counts-as-empty orderId']],
  ['white space', { ...purchase, orderId: 'a\n' }, ['white-space orderId']],
  ['a zero-width space', { ...purchase, orderId: 'a\u200bb' }, ['invisible-character orderId']],
  ['decomposed', { ...purchase, orderId: 'e\u0301' }, ['not-normalized orderId']],
  ['half of a pair', { ...purchase, orderId: 'a\ud800' }, ['lone-surrogate orderId']],
  ['an array', { ...purchase, orderId: ['a'] }, ['not-a-string orderId']],
  ['an object', { ...purchase, orderId: {} }, ['not-a-string orderId']],
  ['two account numbers', { ...purchase, accountNumber: '1' }, ['two-account-numbers accountNumber']],
  ['a key in another case', { ...purchase, AMOUNT: '1.00' }, ['key-case amount']],
  ['a token', { ...purchase, merchantToken: 'mine' }, ['token-in-request merchantToken']]
] as const) {
  t.test(what, async t => {
    const warnings = warningsOf(readRequest('A', request as SignatureRequest))
    t.same(warnings.map(({ code, field }) => `${code} ${field}`), expected)
    for (const { message } of warnings) t.match(message, /\.$/)
    t.notMatch(JSON.stringify(warnings), 'mine')
  })
}

t.test('variant B', async t => {
  const codes = (request: object) => warningsOf(readRequest('B', { ...request, sid: someSid } as never)).map(({ code, field }) => `${code} ${field}`)
  t.same(codes({ ...purchase, orderId: 'null' }), [])
  t.same(codes({ ...purchase, amount: 'undefined' }), ['text-counts-as-empty amount'])
  t.same(codes({ ...purchase, operationType: 'void', transactionFCRN: '1' }), ['field-not-used transactionFCRN'])
})
