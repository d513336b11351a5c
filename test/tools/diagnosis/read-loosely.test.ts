import t from 'tap'
import type { SignatureRequest } from '../../../src/scheme/request.js'
import { readLoosely } from '../../../tools/diagnosis/read-loosely.js'

t.test('a loose reading refuses only values that have no text', async t => {
  const request = { merchantAccountNumber: '102551', sid: 's', clientTimeStamp: 1709912345678 }
  t.match(readLoosely('B', { ...request, amount: '-1', sid: 7 }), { amount: '-1', sid: '7' })
  t.match(readLoosely('A', {} as SignatureRequest), { sid: '', clientTimeStamp: 'undefined', accountNumber: 'undefined' })
  t.equal(readLoosely('A', { ...request, idType: { toString: 1 } }), undefined)
})
