import t from 'tap'
import { fieldsOf, type Reading } from '../../src/scheme/request.js'
import { VariantA } from '../../src/scheme/variant-a.js'
import { testApp } from '../support/app.js'
import { body, signature } from '../support/example.js'
import { answer } from '../support/http.js'

const url = '/api/generate-signature'
const post = (payload: unknown) =>
  ({ method: 'POST', url, payload: JSON.stringify(payload), headers: { 'content-type': 'application/json' } }) as const

t.test('the signer gets each field that is signed, as the text that is signed, and no other', async t => {
  const readings: Reading[] = []
  const { app } = testApp(t)
  await app.ready()
  t.intercept(app.merchants.merchantOf('102551'), 'sign', {
    value (reading: Reading) {
      readings.push(reading)
      return 'signed'
    }
  })
  const sent = {
    operationType: ['Refund'],
    amount: 100.5,
    merchantAccountNumber: 102551,
    accountNumber: { a: [1] },
    orderId: null,
    sid: ' sid ',
    clientTimeStamp: '1709912345678',
    merchantToken: 'its own token',
    transactionFCRN: false,
    transactionId: [],
    idType: 'unused text',
    ORDERID: 'unused key',
    extra: { kept: false }
  }
  t.strictSame(await answer(app, post(sent)), [200, { signature: 'signed' }])
  t.strictSame(readings.map(reading => JSON.parse(JSON.stringify(reading))), [{
    variant: 'A',
    operation: 'refund',
    sources: { amount: 'amount', referenceNumber: 'transactionFCRN', orderId: 'orderId' },
    amount: '100.5',
    referenceNumber: 'false',
    orderIdOrNull: 'null',
    idType: '',
    clientTimeStamp: '1709912345678',
    hasNumericTimeStamp: false,
    sid: ' sid ',
    accountNumber: '102551',
    accountNumberField: 'merchantAccountNumber'
  }])
  t.strictSame(readings.map(fieldsOf), [{
    operationType: 'refund',
    merchantAccountNumber: '102551',
    amount: '100.5',
    transactionFCRN: 'false',
    sid: ' sid ',
    clientTimeStamp: '1709912345678'
  }])
})

const request = JSON.parse(body)

t.test('a token of the request signs, and is refused under STRICT; one whose text is empty is none', async t => {
  const { app: closed } = testApp(t, { config: { STRICT: 'true' } })
  const { app: open, log } = testApp(t, { config: { AUDIT: true } })
  const withToken = { ...request, merchantToken: 'canary-token' }
  const error = 'merchantToken must be left out: only the configured token signs'
  t.strictSame(await answer(closed, post(withToken)), [400, { error }])
  const own = new VariantA('canary-token')
  const signed = own.sign(own.read(request))
  t.strictSame(await answer(open, post(withToken)), [200, { signature: signed }])
  t.match(log(), '"merchantToken":"of the request"')
  t.notMatch(log(), 'canary-token')
  for (const none of ['', null, [], [null], [[]], false, 0]) {
    const answered = await answer(open, post({ ...request, merchantToken: none }))
    t.strictSame(answered, [200, { signature }], JSON.stringify(none))
  }
  t.equal(log().split('"merchantToken":"of the request"').length, 2)
})
