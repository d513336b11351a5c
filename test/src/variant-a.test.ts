import t from 'tap'
import { VariantA } from '../../src/variant-a.js'

// What is accepted stands in vectors/variant-a.json; here is what is not.

const signer = new VariantA('secret')
const request = { merchantAccountNumber: '102551', sid: 'sid-1', clientTimeStamp: 1709912345678 }

for (const sid of [' ', '\t\n\r', '\u00a0', '\ufeff', 7, true, false, [], ['sid-1'], {}, null, undefined]) {
  t.test(`sid ${JSON.stringify(sid)} is refused`, async t => {
    t.throws(() => signer.sign({ ...request, sid }), {
      name: 'SigningError', code: 'ERR_SID_INVALID', message: 'sid must be a non-empty string'
    })
  })
}

const unprintable = { toString: 1, valueOf: 1 }

for (const field of [
  'operationType', 'amount', 'orderId', 'transactionFCRN', 'transactionId', 'idType',
  'clientTimeStamp', 'merchantAccountNumber', 'merchantToken'
]) {
  t.test(`${field} that cannot become text fails`, async t => {
    t.throws(() => signer.sign({ ...request, [field]: unprintable }), new TypeError('Cannot convert object to primitive value'))
  })
}

t.test('the token is not to be found on the signer', async t => {
  const { inspect } = await import('node:util')
  t.notMatch(inspect(signer, { showHidden: true, depth: 9 }) + JSON.stringify(signer), 'secret')
})
