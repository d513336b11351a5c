import t, { type Test } from 'tap'
import type { Environment } from '../../../src/configuration/settings.js'
import { testApp } from '../../support/app.js'
import { answer } from '../../support/http.js'

const sid = '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11'
const request = { amount: '100.00', merchantAccountNumber: '102551', sid, clientTimeStamp: 1709912345678 }
const send = (payload: object) => ({ method: 'POST', url: '/api/generate-signature', payload }) as const

const ambiguous = { ...request, amount: null, operationType: 'inquiry', idType: 'FCRN', transactionId: '100.00987654' }

t.test('STRICT=true refuses requests outside the grammar and signs others unchanged', async t => {
  const { app } = testApp(t, { config: { STRICT: true } })
  const refused = await app.inject(send(ambiguous))
  t.equal(refused.statusCode, 400)
  t.match(refused.json().error, /^transactionId must be 1 to 32 ASCII digits/)
  const { app: open } = testApp(t)
  t.equal((await open.inject(send(ambiguous))).statusCode, 200, 'off, the specification alone decides')
  const signed = await app.inject(send(request))
  t.equal(signed.statusCode, 200)
  t.equal(signed.body, (await open.inject(send(request))).body)
})

t.test('STRICT without a policy refuses an inquiry whose signature is also that of a void', async t => {
  const { app } = testApp(t, { config: { STRICT: true, AUTHORIZE_URL: 'http://127.0.0.1:1/' } })
  for (const idType of ['FCRN', 'ORDER_ID']) {
    const response = await app.inject(send({ ...ambiguous, idType, transactionId: '987654' }))
    t.equal(response.statusCode, 400)
    t.same(response.json(), {
      error: 'transactionId must not be only digits: the signature would also be that of a void on FCRN 987654; ' +
        'a policy can allow it to callers that may void'
    })
  }
})

t.test('STRICT without a policy signs an inquiry without an id for any dates', async t => {
  const { app } = testApp(t, { config: { STRICT: true } })
  const { amount, ...common } = { ...request, operationType: 'inquiry' }
  // printf '%s' 1709912345678$sid | sha256sum; printf '%s' 1709912345678nulldevelopment-only-token102551 | sha256sum
  const signature = '073332f50642ae83005ce45ddd9187dd966fb0f7fcf621ae0b82d53858760ab1///' +
    '01b7fc982214937d1ec70c57550a2c2f0b077feb7f7fb59fff6c4a437926c0dd'
  for (const fields of [{}, { transactionId: '', idType: 'ORDER_ID', dateFrom: '1970-01-01', dateTo: '2038-01-19' }]) {
    t.same((await app.inject(send({ ...common, ...fields }))).json(), { signature })
  }
})

t.test('ACCOUNT_NUMBER_DIGITS', async t => {
  const { app } = testApp(t, { config: { STRICT: true, ACCOUNT_NUMBER_DIGITS: 8, VARIANT: 'B' } })
  t.same((await app.inject(send(request))).json(), { error: 'merchantAccountNumber must be 8 ASCII digits' })
  t.equal((await app.inject(send({ ...request, merchantAccountNumber: '00102551' }))).statusCode, 200)
})

t.test('TIME_STAMP_MAX_AHEAD', async t => {
  /** The response for a time stamp that is this far ahead of the clock, in milliseconds. */
  async function ahead (t: Test, ahead: number, config: Partial<Environment> = {}) {
    const { app } = testApp(t, { config: { STRICT: true, ...config } })
    const response = await app.inject(send({ ...request, clientTimeStamp: Date.now() + ahead }))
    return [response.statusCode, response.json().error]
  }
  const minute = 60_000
  const refusal = /^clientTimeStamp \d{13} is \d+ ms ahead of the service's clock; it may be at most 86400000 ms ahead$/
  t.match(await ahead(t, 1441 * minute), [400, refusal])
  t.match(await ahead(t, 1439 * minute), [200, undefined])
  t.match(await ahead(t, 61 * minute, { TIME_STAMP_MAX_AHEAD: 60 * minute }), [400, /; it may be at most 3600000 ms ahead$/])
  t.match(await ahead(t, 59 * minute, { TIME_STAMP_MAX_AHEAD: 60 * minute }), [200, undefined])
  t.match(await ahead(t, 1441 * minute, { STRICT: false }), [200, undefined], 'off, the specification alone decides')
})

t.test('ACCEPT_BODY_TOKEN=false refuses a merchantToken that would be used', async t => {
  const request = { accountNumber: '1', sid: 's', clientTimeStamp: 1 }
  const { app, log } = testApp(t, { config: { ACCEPT_BODY_TOKEN: false } })
  for (const merchantToken of ['canary-token', 7, true, {}]) {
    t.strictSame(await answer(app, send({ ...request, merchantToken })), [400, { error: 'merchantToken is not accepted: leave it out' }])
  }
  t.notMatch(log(), 'canary-token')
  for (const merchantToken of [undefined, null, '', 0, false]) {
    t.equal((await app.inject(send({ ...request, merchantToken }))).statusCode, 200)
  }
})

t.test('a repeated field is refused with its name', async t => {
  const sent = JSON.stringify(request).slice(1)
  const post = (payload: string) => ({ ...send({}), payload, headers: { 'content-type': 'application/json' } })
  for (const [first, statusCode, error] of [
    ['"amount":"1.00"', 400, 'amount must be given only once'],
    ['"\\u0061mount":"100.00"', 400, 'amount must be given only once'],
    ['"sid":null,"a":[{"sid":1}]', 400, 'sid must be given only once'],
    ['"merchantToken":"","merchantToken":""', 400, 'merchantToken must be given only once'],
    ['"amount":"1.00","amount":"1.00","sid":null,"sid":null,"a":[{}]', 400, 'amount must be given only once'],
    ['"amount":"0","sid":"x","amount":"0"', 400, 'amount must be given only once'],
    ['"a":{"amount":1,"amount":2},"a":[{"sid":"s"}],"\\u0022":"\\",\\"amount\\":"', 200, undefined]
  ] as const) {
    for (const config of [{ STRICT: true }, {}]) {
      const { app } = testApp(t, { config })
      const response = await app.inject(post(`{${first},${sent}`))
      t.equal(response.statusCode, config.STRICT ? statusCode : 200, first)
      if (config.STRICT) t.equal(response.json().error, error)
    }
  }
  const { app } = testApp(t, { config: { STRICT: true } })
  t.match((await app.inject(post(`{"sid":"s",${sent.replace('"100.00"', '"0"')}`))).body, 'Invalid amount', 'the specification comes first')
})
