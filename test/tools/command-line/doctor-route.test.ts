import { join } from 'node:path'
import t, { type Test } from 'tap'
import { undecided } from '../../../tools/command-line/doctor-route.js'
import { adviceOn } from '../../../tools/command-line/finding.js'
import { answering, serving } from '../../support/backend.js'
import { run } from '../../support/command-line.js'
import { freePort } from '../../support/free-port.js'

// `doctor --authorize-url`: test/support/may-sign.ts asks the routes of examples/may-sign, too.

interface Asked { caller: string, amount?: string, orderId?: string, operationType?: string }

const orders = new Map([['1001', { user: '7', isPaid: false }], ['1003', { user: '7', isPaid: true }]])

/** Answer of a right route: the status, and the code of a refusal. */
function rightAnswer ({ caller, amount, orderId = '' }: Asked, cookie = ''): [number, string?] {
  if (caller !== 'anonymous') return [200]
  const [, user] = /^session=(.*)$/.exec(cookie) ?? []
  if (user === undefined) return [401, 'LOG_IN']
  const order = orders.get(orderId)
  if (order?.user !== user || amount !== '100.00') return [403, 'NOT_YOUR_ORDER']
  return order.isPaid ? [409, 'ALREADY_PAID'] : [200]
}

/** Changes the right answer: undefined leaves it. */
type Change = (asked: Asked, cookie: string | undefined, right: [number, string?]) => [number, string?] | undefined

/** Starts a route, and returns what `doctor` prints about it, with its exit code. */
async function examined (t: Test, change: Change, args: (folder: string) => string[], env = {}) {
  const seen: Asked[] = []
  const origin = await serving(t, async (request, response) => {
    const asked = JSON.parse(Buffer.concat(await request.toArray()).toString())
    seen.push({ ...asked, authorization: request.headers.authorization })
    const right = rightAnswer(asked, request.headers.cookie)
    const [status, code] = change(asked, request.headers.cookie, right) ?? right
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ allowed: status === 200, code }))
  })
  const purchase = { operationType: 'purchase', amount: '100.00', merchantAccountNumber: '200417', orderId: '1001' }
  const folder = t.testdir({
    unpaid: JSON.stringify(purchase),
    paid: JSON.stringify({ ...purchase, orderId: '1003' }),
    own: 'Cookie: session=7\n',
    other: 'Cookie: session=8\n',
    unknown: 'Cookie: nothing\n'
  })
  const { code, stdout, stderr } = await run(['doctor', '--authorize-url', `${origin}/may-sign`, ...args(folder)], { env })
  t.equal(stderr, '')
  return { code, lines: stdout.trimEnd().split('\n').slice(1), seen }
}

const all = (folder: string, sessions = ['own', 'other']): string[] => [
  '--request', join(folder, 'unpaid'), '--other-request', join(folder, 'paid'),
  ...sessions.flatMap(name => ['--headers-file', join(folder, name)])
]

const right = [
  '✓ stranger  refused with 401 LOG_IN',
  '✓ key       allowed',
  '✓ inquiry   allowed',
  '✓ no order  refused with 403 NOT_YOUR_ORDER',
  '✓ unpaid    allowed',
  '✓ amount    refused with 403 NOT_YOUR_ORDER',
  '✓ owner     refused with 403 NOT_YOUR_ORDER',
  '✓ paid      refused with 409 ALREADY_PAID'
]

t.test('a right route, and the questions that it gets', async t => {
  const { code, lines, seen } = await examined(t, () => undefined, all)
  t.strictSame([code, lines], [0, right])
  const common = { merchantAccountNumber: '200417', clientAddress: '127.0.0.1' }
  const purchase = { ...common, operationType: 'purchase', caller: 'anonymous', authorization: undefined, amount: '100.00', orderId: '1001' }
  t.match(seen, [
    purchase,
    { ...common, operationType: 'refund', caller: 'back-office', authorization: 'Bearer psk_doctor', amount: '1.00', transactionFCRN: '987654', orderId: undefined },
    { ...common, operationType: 'inquiry', caller: 'probe', authorization: 'Bearer psk_doctor', transactionId: 'payment-signature-probe', idType: 'ORDER_ID', amount: undefined },
    { ...purchase, amount: '1.00', orderId: undefined },
    purchase, { ...purchase, amount: '0.01' }, purchase, { ...purchase, orderId: '1003' }
  ])
  t.equal(new Set(seen.map(asked => (asked as unknown as { sid: string }).sid)).size, 8)
})

const notProved = [
  '- owner     NOT PROVED that only its customer may pay an order: pass --request with a real unpaid order, and --headers-file twice, with the ' +
    'session of its customer and of another one',
  '- paid      not proved: pass --other-request with a paid order of the first session\'s customer'
]

t.test('what is not proved without orders and sessions, and variant B', async t => {
  const { code, lines } = await examined(t, () => undefined, () => [])
  t.strictSame([code, lines], [0, [...right.slice(0, 3), '✓ no order  refused with 401 LOG_IN', ...notProved]])
  const one = await examined(t, () => undefined, folder => all(folder, ['own']))
  t.strictSame(one.lines, [...right.slice(0, 6), right[7], notProved[0]])
  const ofB = await examined(t, () => undefined, folder => ['--headers-file', join(folder, 'own')], { VARIANT: 'B' })
  t.strictSame([ofB.code, ofB.lines], [0, [...right.slice(0, 2), right[3], ...notProved]])
  t.strictSame(ofB.seen.map(({ operationType }) => operationType), [undefined, undefined, undefined])
})

const allowed: [number] = [200]
for (const [what, change, row, line, advice] of [
  ['no check of the session', (_asked, cookie) => cookie === undefined ? allowed : undefined, 0,
    '✗ stranger  allowed; the right answer: refused with 401', 'EVERYBODY GETS SIGNATURES: check the session before you allow.'],
  ['another status for a stranger', (_asked, cookie, [status]) => cookie === undefined && status === 401 ? [403, 'NO'] : undefined, 0,
    '✗ stranger  refused with 403 NO; the right answer: refused with 401',
    'Refuse a request without a session with 401, whatever its order is: the alert expects it.'],
  ['a log-in of callers with a key', ({ caller }) => caller === 'back-office' ? [401, 'LOG_IN'] : undefined, 1,
    '✗ key       refused with 401 LOG_IN; the right answer: allowed',
    'A caller other than anonymous has an API key, and the policy decides: allow it before anything else.'],
  ['an inquiry that needs an order', ({ operationType }) => operationType === 'inquiry' ? [500] : undefined, 2,
    /^✗ inquiry {3}status 500, application\/json, decides nothing: likely .*; the right answer: allowed$/,
    'Read the shop\'s log: the route may need a field that this question does not have.'],
  ['no check of the order', ({ orderId }, cookie) => cookie !== undefined && orderId === undefined ? allowed : undefined, 3,
    '✗ no order  allowed; the right answer: refused', 'A purchase without orderId has no order: refuse it.'],
  ['no check of the amount', ({ amount }) => amount === '0.01' ? allowed : undefined, 5,
    '✗ amount    allowed; the right answer: refused with 403', 'The check of the amount is missing.'],
  ['no check of the owner', (_asked, cookie) => cookie === 'session=8' ? allowed : undefined, 6,
    '✗ owner     allowed; the right answer: refused with 403', 'The check of the owner is missing, or both sessions are of one customer.'],
  ['a log-out of the other customer', (_asked, cookie) => cookie === 'session=8' ? [401, 'LOG_IN'] : undefined, 6,
    '✗ owner     refused with 401 LOG_IN; the right answer: refused with 403',
    'The shop does not know this session: copy the header of a page that is logged in. Is a session bound to an address?'],
  ['no check of the payment', ({ orderId }) => orderId === '1003' ? allowed : undefined, 7,
    '✗ paid      allowed; the right answer: refused with 409', 'A paid order can be paid twice: check it.'],
  ['a paid order of nobody', ({ orderId }) => orderId === '1003' ? [403, 'NOT_YOUR_ORDER'] : undefined, 7,
    '✗ paid      refused with 403 NOT_YOUR_ORDER; the right answer: refused with 409',
    'This proves nothing: likely the order is not of this customer, or has another amount.']
] as ReadonlyArray<[string, Change, number, string | RegExp, string]>) {
  t.test(`a route with ${what}`, async t => {
    const { code, lines } = await examined(t, change, all)
    t.equal(code, 1)
    t.match(lines[row], line)
    t.equal(lines[row + 1], `            → ${advice}`)
    t.strictSame(lines.toSpliced(row, 2), right.toSpliced(row, 1), 'the others are right')
  })
}

t.test('what proves nothing is skipped', async t => {
  for (const [status, sessions, advice] of [
    [401, ['unknown', 'other'], 'The shop does not know this session: copy the header of a page that is logged in. Is a session bound to an address?'],
    [409, ['own', 'other'], 'The order is paid: take an unpaid one.'],
    [403, ['own', 'other'], 'Is it a real unpaid order of this customer, with the amount as the shop writes it, such as 100.00? ' +
      'Then likely the route compares wrongly: compare owner, account number and amount as text.']
  ] as const) {
    const { code, lines } = await examined(t, ({ orderId }, cookie) => orderId === '1001' && cookie !== undefined ? [status] : undefined,
      folder => all(folder, [...sessions]))
    t.equal(code, 1)
    t.strictSame(lines.slice(4, 8), [
      `✗ unpaid    refused with ${status}; the right answer: allowed`, `            → ${advice}`,
      '- amount    proves nothing until the unpaid order is allowed', '- owner     proves nothing until the unpaid order is allowed'
    ])
  }
})

const speaksTls = 'Does the port speak TLS? Write https into the URL, or into proxy_pass of may-sign.conf.'
const exempt = 'Exempt the route from CSRF protection and from a log-in in front of it. Does the shop check the host name? ' +
  'Use the port of may-sign.conf, and let the shop accept the name that nginx sends.'

t.test('a route that decides nothing is asked once', async t => {
  const nobody = `http://127.0.0.1:${await freePort()}`
  for (const [url, reason, advice] of [
    [nobody, 'ECONNREFUSED', 'Nothing listens there: is /etc/nginx/conf.d/may-sign.conf written, and nginx reloaded?'],
    [await serving(t, () => {}), 'no answer within 2000 ms',
      'Likely the route is slow or hangs, or the shop has one worker, which is busy. It needs two: a page waits for the service, which waits for the route.'],
    [await serving(t, request => request.socket.destroy()), 'ECONNRESET', `Likely the shop crashes in the request: read its log. ${speaksTls}`],
    [(await serving(t, answering(200))).replace('http:', 'https:'), 'E', 'Likely the port does not speak TLS: write http into the URL, or correct the port.'],
    [await serving(t, answering(404, '{}', { 'error-code': 'not-found' })), 'status 404, no content type, decides nothing: likely AUTHORIZE_URL leads to this service',
      'Write the URL of the shop\'s route, with the port of may-sign.conf.'],
    [await serving(t, answering(200, '<form>', { 'content-type': 'text/html' })), 'status 200, text/html, decides nothing: likely ',
      'Likely a log-in page: exempt the route from the log-in. Otherwise, compare the path of the URL with that of the route.'],
    ...await Promise.all(([
      [302, 'To a log-in page: exempt the route from the log-in. To https: use the port of may-sign.conf, and let the shop trust its X-Forwarded-Proto. ' +
        'To a slash: declare the route without it.'],
      [400, `${exempt} ${speaksTls}`],
      ...[401, 403, 419, 422].map(status => [status, exempt] as const),
      [404, 'The path of the route is wrong, the shop runs without it, or this is the public address, where nginx closes it: use the port of may-sign.conf.'],
      ...[502, 504].map(status => [status, 'Likely the shop does not run at the address in /etc/nginx/conf.d/may-sign.conf, or it crashes or hangs in the request: ' +
        'read its log, and the error log of nginx.'] as const),
      [500, 'Read the shop\'s log: the route may need a field that this question does not have.']
    ] as const).map(async ([status, advice]) => [await serving(t, answering(status)), `status ${status}, no content type, decides nothing: likely `, advice] as const))
  ] as const) {
    const { code, stdout } = await run(['doctor', '--authorize-url', url], { env: {} })
    t.equal(code, 1)
    const [, first = '', ...lines] = stdout.trimEnd().split('\n')
    t.ok(first.startsWith(`✗ stranger  ${reason}`), first)
    t.ok(first.endsWith('; the right answer: refused with 401'), first)
    t.strictSame(lines, [`            → ${advice}`, ...notProved])
  }
})

t.test('the advice on packets that are dropped', async t => {
  for (const outcome of ['no connection within 2000 ms', 'no connection within 2000 ms; likely a firewall', 'ETIMEDOUT']) {
    t.equal(adviceOn(outcome, undecided), 'Likely a firewall or an egress rule drops the packets: is the host of the URL right?')
  }
})

t.test('the findings as JSON', async t => {
  const url = await serving(t, answering(404))
  const { stdout } = await run(['doctor', '--authorize-url', `${url}/may-sign`, '--json'], { env: {} })
  const { checks, ...rest } = JSON.parse(stdout)
  t.strictSame(rest, { url: `${url}/may-sign`, ok: false })
  t.match(checks, [{ name: 'stranger', status: 'failed' }, { name: 'owner', status: 'skipped' }, { name: 'paid', status: 'skipped' }])
})
