import t from 'tap'
import { tooManyRequests } from '../../../src/http/refused-error.js'
import { traceFieldsOf, traceParentOf } from '../../../src/http/request-id.js'
import { testApp } from '../../support/app.js'
import { hostWith } from '../../support/disconnects.js'
import { embedded } from '../../support/embedded.js'
import { body } from '../../support/example.js'
import { answer, portOf, raw } from '../../support/http.js'

const TRUST_PROXY = '127.0.0.1'
const own = /^[0-9a-f]{12}-[0-9a-z]+$/

t.test('a limit that ends now says to try again in a second', async t => {
  t.match(tooManyRequests('rate-limit', 'Too many requests', 0),
    { message: 'Too many requests: try again in 1 second', headers: { 'retry-after': 1 } })
})

t.test('a valid X-Request-Id of a trusted proxy is used and returned', async t => {
  const { app, log } = testApp(t, { config: { TRUST_PROXY } })
  const response = await app.inject({ method: 'POST', url: '/api/generate-signature', headers: { 'x-request-id': '7f3a-01.A_b' } })
  t.equal(response.headers['x-request-id'], '7f3a-01.A_b')
  const lines = log().trim().split('\n').map(line => JSON.parse(line))
  t.strictSame(lines.map(({ msg, reqId }) => [msg, reqId]),
    [['request refused', '7f3a-01.A_b'], ['request completed', '7f3a-01.A_b']])
})

t.test('an X-Request-Id of an untrusted client, or an invalid one, is replaced', async t => {
  for (const [TRUST_PROXY, remoteAddress] of [['', '127.0.0.1'], ['10.0.0.0/8', '11.1.2.3']] as const) {
    const { app, log } = testApp(t, { config: { TRUST_PROXY } })
    const headers = { 'x-request-id': 'canary', 'x-forwarded-for': '127.0.0.1' }
    const response = await app.inject({ url: '/nowhere', remoteAddress, headers })
    t.match(response.headers['x-request-id'], own)
    t.notMatch(log(), 'canary')
  }
  const { app } = testApp(t, { config: { TRUST_PROXY } })
  for (const id of ['', 'a b', 'a\tb', 'x'.repeat(65), '"},{"', 'é', '../etc']) {
    t.match((await app.inject({ url: '/health', headers: { 'x-request-id': id } })).headers['x-request-id'], own, id)
  }
})

t.test('responses to requests that Node.js refuses have X-Request-Id', async t => {
  const { app, log } = testApp(t, { config: { TRUST_PROXY } })
  const head = 'POST /api/generate-signature HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
    'Transfer-Encoding: chunked\r\nX-Request-Id: id-1\r\n' +
    'traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\r\n\r\n'
  const port = await portOf(app)
  const answer = await raw(port, `${head}zz\r\n`)
  t.equal(answer.statusCode, 400)
  t.equal(answer.headers['x-request-id'], 'id-1')
  t.match(JSON.parse(log().split('\n').find(line => line.includes('request refused')) ?? ''), {
    reqId: 'id-1', trace_id: '4bf92f3577b34da6a3ce929d0e0e4736', statusCode: 400, error: 'Malformed HTTP request'
  })
  const garbage = await raw(port, 'garbage\r\n\r\n')
  t.notHas(garbage.headers, { 'x-request-id': /./ }, 'where there is no request there is no id')
})

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

t.test('a traceparent is used if it is valid', async t => {
  t.equal(traceParentOf({ headers: { traceparent } }), traceparent)
  t.strictSame(traceFieldsOf({ headers: { traceparent } }), { trace_id: '4bf92f3577b34da6a3ce929d0e0e4736' })
  for (const [what, given] of [
    ['a missing header', undefined],
    ['another version', '01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
    ['a trace id of zeros', '00-00000000000000000000000000000000-00f067aa0ba902b7-01'],
    ['a parent id of zeros', '00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01'],
    ['capitals', '00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01'],
    ['a trace id that is too short', '00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01'],
    ['a parent id that is too long', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7a-01'],
    ['no flags', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7'],
    ['two headers, joined by Node.js', `${traceparent}, ${traceparent}`],
    ['a trailing line break', `${traceparent}\n`]
  ] as const) {
    const request = { headers: { ...given !== undefined && { traceparent: given } } }
    t.equal(traceParentOf(request), undefined, what)
    t.strictSame(traceFieldsOf(request), {}, what)
  }
})

t.test('a promise that is rejected without an error is a fault', async t => {
  for (const reason of [undefined, null, 0, '', false]) {
    const { app, log } = embedded(t, { context: () => Promise.reject(reason) })
    const response = { method: 'POST', url: '/api/generate-signature', payload: JSON.parse(body) } as const
    t.strictSame(await answer(app, response), [500, { error: 'Internal Server Error' }])
    t.match(log(), 'a promise was rejected without an error')
  }
})

t.test('nothing is signed for a client that has hung up', async t => {
  for (const option of ['authorize', 'Redis', 'context'] as const) {
    const { counts, disconnect } = await hostWith(t, 'no hook', 'no onSend', ['signer', option])
    t.equal(await disconnect({ place: option, wait: 'closed', isLoggedIn: false }), true)
    t.equal(counts.signed, 0, option)
    t.equal(await disconnect({ place: 'none', wait: 0, isLoggedIn: false }), false)
    t.equal(counts.signed, 1)
  }
})
