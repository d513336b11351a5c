import { text } from 'node:stream/consumers'
import t from 'tap'
import type { Authorize } from '../../../src/backend/backend.js'
import { testApp } from '../../support/app.js'
import { answering, backend } from '../../support/backend.js'

const request = { accountNumber: '102551', amount: '1.00', sid: 'sid-1', clientTimeStamp: 1, orderId: 'A-1' }

/** The fields of the request that the backend judges. */
const judged = {
  operationType: 'purchase', merchantAccountNumber: '102551', amount: '1.00', orderId: 'A-1', sid: 'sid-1', clientTimeStamp: 1
}
const send = (headers: Record<string, string> = {}) => ({
  method: 'POST',
  url: '/api/generate-signature',
  payload: { ...request, merchantToken: 'canary-token' },
  headers
}) as const

const unavailable = { error: 'Authorization is unavailable, try again' }

t.test('the question contains the request and the caller, and not the token', async t => {
  const asked: unknown[] = []
  const AUTHORIZE_URL = await backend(t, async (incoming, response) => {
    const { method, url, headers } = incoming
    asked.push({ method, url, headers, body: JSON.parse(await text(incoming)) })
    response.writeHead(204).end()
  })
  const { app } = testApp(t, { config: { AUTHORIZE_URL, TRUST_PROXY: '127.0.0.1' } })
  const response = await app.inject(send({
    authorization: 'Bearer session', cookie: 'session=1', 'x-request-id': 'id-1', 'x-other': 'kept back'
  }))
  t.equal(response.statusCode, 200)
  t.match(asked, [{
    method: 'POST',
    url: '/may-sign?shop=1',
    headers: {
      authorization: 'Bearer session', cookie: 'session=1', 'x-request-id': 'id-1', 'content-type': 'application/json'
    },
    body: { ...judged, caller: 'anonymous', clientAddress: '127.0.0.1' }
  }])
  t.strictSame(Object.keys((asked[0] as { body: object }).body), [...Object.keys(judged), 'caller', 'clientAddress'])
  t.notMatch(JSON.stringify(asked), /canary-token|kept back/)
})

t.test('what the backend judges is what is signed, however it was sent', async t => {
  const asked: unknown[] = []
  const AUTHORIZE_URL = await backend(t, async (incoming, response) => {
    asked.push(await text(incoming))
    response.writeHead(204).end()
  })
  const { app } = testApp(t, { config: { AUTHORIZE_URL } })
  const common = '"merchantAccountNumber":"102551","sid":"sid-1","clientTimeStamp":1'
  const whoAsks = '"caller":"anonymous","clientAddress":"127.0.0.1"'
  for (const [sent, judged, preImage, part1] of [
    // A decoder that ignores the case of keys would read the last amount.
    [`{"amount":"500.00","orderId":"O-4711",${common},"AMOUNT":"1.00"}`,
      `{"operationType":"purchase","merchantAccountNumber":"102551","amount":"500.00","orderId":"O-4711","sid":"sid-1","clientTimeStamp":1,${whoAsks}}`,
      '1sid-1500.00', '097fd138b8dab7bbdb90832e6d2a24ac8191fd6a45ec5abe25771c4f04b4231f'],
    // Another parser may read the first of two equal keys.
    [`{"amount":"1.00",${common},"amount":"500.00"}`,
      `{"operationType":"purchase","merchantAccountNumber":"102551","amount":"500.00","sid":"sid-1","clientTimeStamp":1,${whoAsks}}`,
      '1sid-1500.00', '097fd138b8dab7bbdb90832e6d2a24ac8191fd6a45ec5abe25771c4f04b4231f'],
    [`{"operationType":"Refund","amount":"5.00","transactionFCRN":"9","orderId":"null",${common}}`,
      `{"operationType":"refund","merchantAccountNumber":"102551","amount":"5.00","transactionFCRN":"9","sid":"sid-1","clientTimeStamp":1,${whoAsks}}`,
      '1sid-15.009', 'b138f696bd37097b8a8997e03f66ef196769bb540e3331eabb05cf3a77d1bbb6'],
    [`{"operationType":["refund"],"amount":1e400,"transactionFCRN":9,${common},"accountNumber":"777"}`,
      `{"operationType":"refund","merchantAccountNumber":"102551","amount":"Infinity","transactionFCRN":"9","sid":"sid-1","clientTimeStamp":1,${whoAsks}}`,
      '1sid-1Infinity9', 'c125fe374fcfbd6b467309b1aea8b366674a0e61fdee0c71b853788ebf13d780'],
    [`{"operationType":"sale","amount":"5.00","transactionFCRN":"9","extra":{"amount":"1.00"},${common}}`,
      `{"operationType":"purchase","merchantAccountNumber":"102551","amount":"5.00","sid":"sid-1","clientTimeStamp":1,${whoAsks}}`,
      '1sid-15.00', '390e7843e41670393b00d19743d0ff0f6241498fd4e172dbaba56ab4a07c69d6'],
    ['{"operationType":"VOID","amount":"5.00","transactionFCRN":"9","accountNumber":"7","sid":"sid-1","clientTimeStamp":"1"}',
      `{"operationType":"void","merchantAccountNumber":"7","transactionFCRN":"9","sid":"sid-1","clientTimeStamp":"1",${whoAsks}}`,
      '1sid-19', 'a228c2c95fb3d486b2f916bcb1c8055f59f3dc680bff71be9c4ba310bb9ea853'],
    ['{"operationType":"inquiry","transactionId":"A-1","idType":"order_id","orderId":"B-2","accountNumber":7,"sid":"sid-1","clientTimeStamp":1e21}',
      `{"operationType":"inquiry","merchantAccountNumber":"7","transactionId":"A-1","idType":"ORDER_ID","sid":"sid-1","clientTimeStamp":"1e+21",${whoAsks}}`,
      '1e+21sid-1A-1', 'c96c01d3bbbb9949b9a125e3216d102a97d4d72cf1fdc68a7e3b9573f599a295'],
    // PHP does not decode lone surrogates.
    ['{"amount":"9999.00","merchantAccountNumber":"102551","sid":"\\ud800","clientTimeStamp":1}',
      `{"operationType":"purchase","merchantAccountNumber":"102551","amount":"9999.00","sid":"\ufffd","clientTimeStamp":1,${whoAsks}}`,
      '1\ufffd9999.00', '406a718fe5fbddc33f3ac7b0795b9bd2d2e6039d0b273b92e1870e4f7ea3a323'],
    // The signature is also that of a void.
    [`{"operationType":"inquiry","transactionId":"987654","idType":"FCRN",${common}}`,
      `{"operationType":"inquiry","merchantAccountNumber":"102551","transactionId":"987654","idType":"FCRN","sid":"sid-1","clientTimeStamp":1,"alsoSignedLike":"void",${whoAsks}}`,
      '1sid-1987654', '8a04b323f5b37891ba03c2d6e74e33fce48bb8ab485dbaacda371dd73e520120'],
    ...['""', 'null', '"null"', '[]'].map(transactionId => [
      `{"operationType":"inquiry","transactionId":${transactionId},"idType":"fcrn",${common}}`,
      `{"operationType":"inquiry","merchantAccountNumber":"102551","idType":"FCRN","sid":"sid-1","clientTimeStamp":1,${whoAsks}}`,
      '1sid-1', '289e7b76c3723cfcdef2cfb54347353a63f32596632b967a2ba695f57e5184d2'] as const)
  ] as const) {
    const response = await app.inject({ ...send(), payload: sent, headers: { 'content-type': 'application/json' } })
    t.equal(asked.pop(), judged)
    t.equal(response.json().signature.slice(0, 64), part1, preImage)
  }
})

t.test('pages of any origin can read a refusal and an outage of the backend', async t => {
  for (const [status, error] of [[409, 'already paid'], [500, unavailable.error]] as const) {
    const AUTHORIZE_URL = await backend(t, answering(status, '{"error":"already paid"}'))
    const response = await testApp(t, { config: { AUTHORIZE_URL } }).app.inject(send())
    t.same(response.json(), { error })
    t.equal(response.headers['access-control-allow-origin'], '*')
  }
})

t.test('the reason of the backend is in Error-Code', async t => {
  const paid = { error: 'Paid', code: 'ALREADY_PAID' }
  for (const [what, answer, status, errorCode] of [
    ['a 4xx', { statusCode: 409, ...paid }, 409, 'refused; reason=ALREADY_PAID'],
    ['allowed: false', { allowed: false, ...paid }, 403, 'refused; reason=ALREADY_PAID'],
    ['a code that is no token', { statusCode: 409, error: 'Paid', code: 'paid\r\nset-cookie: a=b' }, 409, 'refused'],
    ['no code', { statusCode: 409, error: 'Paid' }, 409, 'refused']
  ] as const) {
    const { statusCode = 200, ...body } = { statusCode: undefined, ...answer }
    const AUTHORIZE_URL = await backend(t, answering(statusCode, JSON.stringify(body)))
    for (const options of [{ config: { AUTHORIZE_URL } }, { authorize: () => answer }]) {
      const { statusCode, headers, ...response } = await testApp(t, options).app.inject(send())
      t.strictSame([statusCode, headers['error-code'], response.json()], [status, errorCode, { error: 'Paid' }], what)
      t.equal(headers['set-cookie'], undefined)
    }
  }
})

const functions: Array<[what: string, authorize: Authorize, statusCode: number, error?: string]> = [
  ['true', () => true, 200],
  ['a promise of true', async () => true as const, 200],
  ['a refusal', async () => ({ statusCode: 402, error: 'pay first' }), 402, 'pay first'],
  ['a refusal with 400', () => ({ statusCode: 400 }), 400, 'Refused by the merchant'],
  ['a refusal with 499', () => ({ statusCode: 499 }), 499, 'Refused by the merchant'],
  ...[200, 399, 400.5, 500, NaN].map(statusCode =>
    [`a refusal with ${statusCode}`, () => ({ statusCode }), 503, unavailable.error] as [string, Authorize, number, string]),
  ['allowed: true', () => ({ allowed: true, error: 'ignored' }), 200],
  ['a promise of allowed: true', async () => ({ allowed: true, statusCode: undefined }), 200],
  ['allowed: false', () => ({ allowed: false }), 403, 'Refused by the merchant'],
  ['allowed: false and an error', () => ({ allowed: false, error: 'pay first' }), 403, 'pay first'],
  ['allowed: true and a refusal', () => ({ allowed: true, statusCode: 402 }), 402, 'Refused by the merchant'],
  ...[
    { allowed: true, statusCode: 200 }, { allowed: false, statusCode: 200 }, { allowed: true, statusCode: null },
    { allowed: 'true' }, { allowed: 1 }, { Allowed: true }, { allow: true }, { ok: true }, { data: { allowed: true } },
    {}, [true], [{ allowed: true }], null, undefined, false, 'true', 'yes', 1, () => true
  ].map(value => [
    JSON.stringify(value) ?? String(value), (() => value) as unknown as Authorize, 503, unavailable.error
  ] as [string, Authorize, number, string])
]

for (const [what, authorize, statusCode, error] of functions) {
  t.test(`an authorize function that returns ${what}`, async t => {
    const response = await testApp(t, { authorize }).app.inject(send())
    t.strictSame([response.statusCode, response.json().error], [statusCode, error])
  })
}

t.test('a 429 of the backend is a refusal: it has no Retry-After', async t => {
  const AUTHORIZE_URL = await backend(t, answering(429, '{"error":"too many orders"}', { 'retry-after': '1' }))
  const { statusCode, headers } = await testApp(t, { config: { AUTHORIZE_URL } }).app.inject(send())
  t.strictSame([statusCode, headers['error-code'], headers['retry-after']], [429, 'refused', undefined])
})

t.test('an authorize function gets the request without the token, and the headers', async t => {
  let given: unknown
  const { app } = testApp(t, {
    config: { TRUST_PROXY: '127.0.0.1' },
    authorize (input) {
      given = input
      return true
    }
  })
  await app.inject(send({ cookie: 'session=1', 'x-request-id': 'id-1' }))
  t.strictSame(given, {
    request: judged,
    context: null,
    caller: 'anonymous',
    clientAddress: '127.0.0.1',
    headers: { authorization: undefined, cookie: 'session=1' },
    id: 'id-1'
  })
})

t.test('the socket time-out is longer than AUTHORIZE_TIMEOUT', async t => {
  for (const [AUTHORIZE_TIMEOUT, timeout] of [[2000, 90_000], [200_000, 210_000]] as const) {
    const { app } = testApp(t, { config: { AUTHORIZE_TIMEOUT }, authorize: () => true })
    await app.ready()
    t.equal(app.server.timeout, timeout)
  }
})
