import t, { type Test } from 'tap'
import type { Environment } from '../../../src/configuration/settings.js'
import { testApp } from '../../support/app.js'

const sid = '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11'
const request = { amount: '100.00', merchantAccountNumber: '102551', sid, clientTimeStamp: 1709912345678 }
const send = (payload: object) => ({ method: 'POST', url: '/api/generate-signature', payload }) as const

const ambiguous = { ...request, amount: null, operationType: 'inquiry', idType: 'FCRN', transactionId: '100.00987654' }

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

t.test('a repeated field is refused with its name', async t => {
  const { app: open } = testApp(t)
  const { app: strict } = testApp(t, { config: { STRICT: true } })
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
    t.equal((await open.inject(post(`{${first},${sent}`))).statusCode, 200, first)
    const response = await strict.inject(post(`{${first},${sent}`))
    t.strictSame([response.statusCode, response.json().error], [statusCode, error], first)
  }
  t.match((await strict.inject(post(`{"sid":"s",${sent.replace('"100.00"', '"0"')}`))).body, 'Invalid amount', 'the specification comes first')
})
