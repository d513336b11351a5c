import t from 'tap'
import { VariantA } from '../../../src/scheme/signer.js'

// What is accepted stands in vectors/variant-a.json; here is what is not.

const signer = new VariantA('secret')
const request = { merchantAccountNumber: '102551', sid: 'sid-1', clientTimeStamp: 1709912345678 }

for (const sid of [' ', '\t\n\r', '\u00a0', '\ufeff', 7, true, false, [], ['sid-1'], {}]) {
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
    t.throws(() => signer.sign({ ...request, [field]: unprintable }), {
      name: 'SigningError', code: 'ERR_NOT_TEXT', message: 'Cannot convert object to primitive value'
    })
  })
}

t.test('the token is not to be found on the signer', async t => {
  const { inspect } = await import('node:util')
  t.notMatch(inspect(signer, { showHidden: true, depth: 9 }) + JSON.stringify(signer), 'secret')
})

for (const token of ['', undefined, null, 7]) {
  t.test(`the token ${JSON.stringify(token)} is a misuse`, async t => {
    t.throws(() => new VariantA(token as never), { name: 'UsageError', code: 'ERR_MERCHANT_TOKEN' })
  })
}

for (const misuse of [undefined, null, 'text', []]) {
  t.test(`the request ${JSON.stringify(misuse)} is a misuse`, async t => {
    t.throws(() => signer.sign(misuse as never), { name: 'UsageError', code: 'ERR_REQUEST' })
  })
}

t.test('what the specification refuses is not signed', async t => {
  t.throws(() => signer.sign({ ...request, amount: '0.00' }), { code: 'ERR_AMOUNT_NOT_POSITIVE' })
  t.throws(() => signer.sign({ sid: request.sid, clientTimeStamp: 1 }), { code: 'ERR_ACCOUNT_NUMBER_REQUIRED' })
})
