import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import t from 'tap'
import type { Test } from 'tap'
import type { Authorize } from '../../../plugins/signing/authorize.js'
import { testApp } from '../../support/app.js'
import { portOf } from '../../support/http.js'

const request = { accountNumber: '102551', amount: '1.00', sid: 'sid-1', clientTimeStamp: 1, orderId: 'A-1' }

/** What is to be judged of it. */
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

/** A merchant's backend on a free port. */
async function backend (t: Test, answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/may-sign?shop=1`
}

const answering = (statusCode: number, body = '', headers = {}) =>
  (_request: IncomingMessage, response: ServerResponse) => { response.writeHead(statusCode, headers).end(body) }

t.test('the backend is asked with the request, who asks, and without the token', async t => {
  const asked: unknown[] = []
  const AUTHORIZE_URL = await backend(t, async (incoming, response) => {
    const { method, url, headers } = incoming
    asked.push({ method, url, headers, body: JSON.parse(await text(incoming)) })
    response.writeHead(204).end()
  })
  const { app } = testApp(t, { config: { AUTHORIZE_URL } })
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

for (const [what, answer, statusCode, error] of [
  ['a refusal', answering(403, '{"error":"the order costs 2.00"}'), 403, 'the order costs 2.00'],
  ['another refusal', answering(409, '{"error":"already paid","code":7}'), 409, 'already paid'],
  ['a refusal without JSON', answering(401, '<html>'), 401, 'Refused by the merchant'],
  ['a refusal without an error', answering(422, '{"message":"no"}'), 422, 'Refused by the merchant'],
  ['a refusal with null', answering(400, 'null'), 400, 'Refused by the merchant'],
  ['a refusal with an odd error', answering(400, '{"error":{"a":1}}'), 400, 'Refused by the merchant'],
  ['a redirect', answering(302, '', { location: '/elsewhere' }), 503, unavailable.error],
  ['a fault', answering(500, '{"error":"secret detail"}'), 503, unavailable.error],
  ['a reset', (request: IncomingMessage) => { request.socket.destroy() }, 503, unavailable.error]
] as const) {
  t.test(`${what} is answered with ${statusCode}`, async t => {
    const { app } = testApp(t, { config: { AUTHORIZE_URL: await backend(t, answer) } })
    const response = await app.inject(send())
    t.equal(response.statusCode, statusCode)
    t.same(response.json(), { error })
    t.equal(response.headers['access-control-allow-origin'], '*')
  })
}

t.test('no answer in time is 503', async t => {
  const { app, log } = testApp(t, { config: { AUTHORIZE_URL: await backend(t, () => {}), AUTHORIZE_TIMEOUT: 50 } })
  const response = await app.inject(send())
  t.equal(response.statusCode, 503)
  t.same(response.json(), unavailable)
  t.match(log(), /"level":50.*"authorization is unavailable"/)
})

t.test('nobody there is 503', async t => {
  const { app } = testApp(t, { config: { AUTHORIZE_URL: 'http://127.0.0.1:1/' } })
  t.equal((await app.inject(send())).statusCode, 503)
})

t.test('the specification\'s rules come first', async t => {
  const { app } = testApp(t, { authorize: () => { throw new Error('asked') } })
  const response = await app.inject({ ...send(), payload: { ...request, amount: '0' } })
  t.equal(response.statusCode, 400)
})

const functions: Array<[what: string, authorize: Authorize, statusCode: number, error?: string]> = [
  ['true', () => true, 200],
  ['a promise of true', async () => true as const, 200],
  ['a refusal', async () => ({ statusCode: 402, error: 'pay first' }), 402, 'pay first'],
  ['nothing', (async () => {}) as unknown as Authorize, 503, unavailable.error],
  ['null', (() => null) as unknown as Authorize, 503, unavailable.error],
  ['something truthy', (() => 'yes') as unknown as Authorize, 503, unavailable.error],
  ['a refusal that is none', () => ({ statusCode: 200, error: 'no' }), 503, unavailable.error],
  ['an error', () => { throw new Error('secret detail') }, 503, unavailable.error],
  ['a promise that never settles', () => new Promise(() => {}), 503, unavailable.error]
]

for (const [what, authorize, statusCode, error] of functions) {
  t.test(`a function that gives ${what}`, async t => {
    const { app } = testApp(t, { config: { AUTHORIZE_TIMEOUT: 50 }, authorize })
    await portOf(app) // listening, it waits for the time-out
    const response = await app.inject(send())
    t.equal(response.statusCode, statusCode)
    if (error !== undefined) t.same(response.json(), { error })
  })
}

t.test('a function gets the request without the token, and the headers', async t => {
  let given: unknown
  const { app } = testApp(t, {
    authorize (input) {
      given = input
      return true
    }
  })
  await app.inject(send({ cookie: 'session=1', 'x-request-id': 'id-1' }))
  t.strictSame(given, {
    request: judged,
    caller: 'anonymous',
    clientAddress: '127.0.0.1',
    headers: { authorization: undefined, cookie: 'session=1' },
    id: 'id-1'
  })
})

t.test('a connection may be idle for longer than the answer may take', async t => {
  for (const [AUTHORIZE_TIMEOUT, timeout] of [[2000, 90_000], [200_000, 210_000]] as const) {
    const { app } = testApp(t, { config: { AUTHORIZE_TIMEOUT }, authorize: () => true })
    await app.ready()
    t.equal(app.server.timeout, timeout)
  }
})
