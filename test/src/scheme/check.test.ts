import t from 'tap'
import { checkRequest } from '../../../src/scheme/check.js'

const request = { accountNumber: '102551', sid: 'sid-1', clientTimeStamp: 1709912345678 }

t.test('an amount that cannot become text is a failure of the derivation', async t => {
  t.throws(() => checkRequest({ ...request, amount: { toString: 1 } }), {
    name: 'SigningError', code: 'ERR_NOT_TEXT', message: 'Cannot convert object to primitive value'
  })
})

// parseFloat's leading decimal prefix decides; see specification 4.1, step 2.
for (const amount of [
  '0', '0.00', '-0', '-1', '-5 EGP', '0x10', '0abc', '1e-400', ' 0', '\n-1', '-Infinity', '-.5', '.0', 0, -0, -1, [0],
  ['-1.00']
]) {
  t.test(`amount ${JSON.stringify(amount)} is refused`, async t => {
    t.throws(() => checkRequest({ ...request, amount }), {
      code: 'ERR_AMOUNT_NOT_POSITIVE', message: 'Invalid amount: amount must be greater than 0'
    })
  })
}

for (const amount of [
  undefined, null, '', ' ', 'abc', '١٠', '０', 'null', 'NaN', 'Infinity', '0.001', '1e-300', '1,000.00', '5 EGP', '.5',
  '$0', true, false, {}, [], [null], 0.5, 1e21
]) {
  t.test(`amount ${JSON.stringify(amount)} passes`, async t => {
    t.doesNotThrow(() => checkRequest({ ...request, amount }))
  })
}

for (const clientTimeStamp of [0, '', false, 'null', [], {}]) {
  t.test(`clientTimeStamp ${JSON.stringify(clientTimeStamp)} is present`, async t => {
    t.doesNotThrow(() => checkRequest({ ...request, clientTimeStamp }))
  })
}

for (const sid of [0, false, ' ', [], {}]) {
  t.test(`sid ${JSON.stringify(sid)} is present: whether it is valid is for the signer to say`, async t => {
    t.doesNotThrow(() => checkRequest({ ...request, sid }))
  })
}

for (const missing of [undefined, null]) {
  t.test(`a field that is ${missing} is missing`, async t => {
    t.throws(() => checkRequest({ ...request, sid: missing }), { code: 'ERR_SID_REQUIRED' })
    t.throws(() => checkRequest({ ...request, clientTimeStamp: missing }), { code: 'ERR_CLIENT_TIMESTAMP_REQUIRED' })
  })
}

for (const accountNumber of ['0', 'null', ' ', 1, true, [], {}]) {
  t.test(`account number ${JSON.stringify(accountNumber)} is present`, async t => {
    t.doesNotThrow(() => checkRequest({ ...request, accountNumber }))
    t.doesNotThrow(() => checkRequest({ ...request, accountNumber: '', merchantAccountNumber: accountNumber }))
  })
}

for (const accountNumber of [undefined, null, '', 0, false]) {
  t.test(`account number ${JSON.stringify(accountNumber)} is missing`, async t => {
    t.throws(() => checkRequest({ ...request, accountNumber, merchantAccountNumber: accountNumber }), {
      code: 'ERR_ACCOUNT_NUMBER_REQUIRED'
    })
  })
}
