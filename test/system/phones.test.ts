import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { verify } from '../../src/index.js'
import { testApp } from '../support/app.js'
import { backend, scripted } from '../support/backend.js'
import { signature } from '../support/example.js'
import { freePort } from '../support/free-port.js'
import { portOf } from '../support/http.js'
import { lacking } from '../support/installed.js'
import { root } from '../support/server.js'

/** The JSON classes that Android has. */
const json = '/usr/share/java/com.android.json.jar'

t.test('the call from an Android app', { skip: lacking('kotlinc', 'java', json), jobs: 4 }, async t => {
  const jar = join(t.testdir(), 'call.jar')
  const compiling = ['-cp', json, join(root, 'examples/calls/Call.kt'), '-include-runtime', '-d', jar]
  t.notMatch((await promisify(execFile)('kotlinc', compiling)).stderr, 'warning: [^c]')

  const call = async (SIGNATURE_URL: string): Promise<string> => (await promisify(execFile)(
    'java', ['-cp', `${jar}:${json}`, 'CallKt'], { env: { PATH: process.env.PATH, SIGNATURE_URL } })).stdout

  t.test('the setters get what the service signed, for the session of the user', async t => {
    const sessions: unknown[] = []
    const AUTHORIZE_URL = await backend(t, ({ headers }, response) => {
      sessions.push(headers.authorization)
      response.writeHead(204).end()
    })
    const { app } = testApp(t, { config: { AUTHORIZE_URL, STRICT: true } })
    const printed = await call(`http://127.0.0.1:${await portOf(app)}/api/generate-signature`)
    const { setSignature = '', setSid, setClientTimeStamp } = Object.fromEntries(printed.trim().split('\n').map(line => line.split(' ')))
    t.match(verify(setSignature, {
      amount: '100.00', merchantAccountNumber: '102551', orderId: 'ORDER-12345', sid: setSid, clientTimeStamp: Number(setClientTimeStamp)
    }, { variant: 'A', merchantToken: 'development-only-token' }), { valid: true })
    t.strictSame(sessions, ['Bearer session-of-your-user'])
  })

  for (const [what, first, wait] of [
    ['no response in time', 'none', 1], ['a response by a byte a second', 'slow', 6], ['a 503', [503, { 'Retry-After': '2' }, '{"error":"overloaded"}'], 2],
    ['a 429', [429, { 'Retry-After': '1' }, '{"error":"slow"}'], 1], ['a proxy\'s 502', [502, {}, '<html>'], 1]
  ] as const) {
    t.test(`${what}: the same request once more`, async t => {
      const { url, bodies, times } = await scripted(t, first, [200, {}, JSON.stringify({ signature })])
      t.match(await call(url), `setSignature ${signature}\n`)
      t.equal(bodies.length, 2)
      t.equal(bodies[0], bodies[1])
      t.ok(times[1]! - times[0]! >= 990 * wait)
    })
  }

  const loggedOut = 'Please log in. Nothing was paid.\n'
  const busy = 'Busy. Nothing was paid. Please try again later.\n'
  for (const [notice, ...responses] of [
    [loggedOut, [401, { 'Error-Code': 'refused' }, '{"error":"No session"}']],
    [loggedOut, [401, {}, '{"error":"No session"}']],
    ['Payment is not possible. Nothing was paid. Reference: id-2\n',
      [401, { 'Error-Code': 'api-key-unknown', 'X-Request-Id': 'id-2' }, '{"error":"The API key is not known"}']],
    ['This order is already paid.\n', [409, { 'Error-Code': 'refused; reason=ALREADY_PAID' }, '{"error":"Paid"}']],
    ['Your shop refuses this payment. Nothing was paid.\n', [403, { 'Error-Code': 'refused' }, '{"error":"Not yours"}']],
    ['Your shop refuses this payment. Nothing was paid.\n', [429, { 'Error-Code': 'refused' }, '{"error":"Too often"}']],
    ['Payment is not possible. Nothing was paid. Reference: id-1\n', [400, { 'Error-Code': 'strict; field=amount', 'X-Request-Id': 'id-1' }, '{}']],
    ['Payment is not possible. Nothing was paid. Reference: 200\n', [200, {}, '<html>Log in to the network</html>']],
    ['Payment is not possible. Nothing was paid. Reference: 200\n', [200, {}, JSON.stringify({ signature: `${signature}0` })]],
    ['Payment is not possible. Nothing was paid. Reference: 302\n', [302, { location: 'https://shop.example/' }, '']],
    [busy, [429, { 'Retry-After': '600', 'Error-Code': 'rate-limit' }, '{"error":"much too slow"}']],
    [busy, [503, { 'Retry-After': '1' }, ''], [503, { 'Retry-After': '1' }, '']]
  ] as const) {
    t.test(`${responses[0][0]} ${JSON.stringify(responses[0][1])}`, async t => {
      const { url, bodies } = await scripted(t, ...responses)
      t.equal(await call(url), notice)
      t.equal(bodies.length, responses.length)
    })
  }

  t.test('a URL without a scheme is a mistake of the app, not of the network', async t => {
    t.equal(await call('shop.example/api/generate-signature'), 'Payment is not possible. Nothing was paid. Reference: URL\n')
  })

  t.test('nothing listens', async t => {
    t.equal(await call(`http://127.0.0.1:${await freePort()}/`), 'No connection. Nothing was paid. Please try again.\n')
  })
})
