import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Fastify from 'fastify'
import { testApp } from './app.js'
import { substitute } from './documentation.js'
import { eightAnswers, nginxDoor, nginxOfShop, routeAnswers } from './documented.js'
import { freePort } from './free-port.js'
import { portOf } from './http.js'
import { startProxy } from './proxies.js'
import { temporaryFolder } from './scope.js'
import { send } from './send.js'
import { root, type Scope } from './server.js'
import { alert, doctor, eightRequests, shopPolicy } from './shop.js'

// The service beside a shop with a route of examples/may-sign, behind nginx as docs/safe-tonight.md has it. GET /log-in
// of the shop begins a session of `user`. Orders of 100.00: 1001 of user 7; 1002 of user 8; 1003, which is paid; 1004
// of nobody; 666, whose look-up fails.

/** Port of a shop, or the lines of nginx that lead to it. */
type Shop = number | string

const [, proxyLines = ''] = /^( +proxy_[^]*?\n)(?= {4}\})/m.exec(nginxDoor) ?? []

export const routes = join(root, 'examples/may-sign')

/** The check of the owner, in each route. */
const ownerChecks: Readonly<Record<string, string>> = {
  'express.mjs': 'order.userId != null && String(order.userId) === String(userId) &&',
  'fastify.mjs': 'order.userId != null && String(order.userId) === String(userId) &&',
  'may-sign.php': "$order['user_id'] !== null && (string) $order['user_id'] === (string) $user &&",
  'django_view.py': ' or order.user_id != request.user.pk',
  'flask_view.py': ' or order.user_id is None or str(order.user_id) != str(user_id)',
  'fastapi_view.py': ' or order.user_id is None or str(order.user_id) != str(user_id)',
  'may_sign_controller.rb': 'order.user_id && order.user_id.to_s == user_id.to_s &&'
}

/** Starts a shop on Fastify with the route of a folder. Returns its port. */
export async function fastifyShop (t: Scope, folder = routes): Promise<number> {
  const { maySign } = await import(join(folder, 'fastify.mjs'))
  const orders = new Map([['1001', [7, false]], ['1002', [8, false]], ['1003', [7, true]], ['1004', [null, false]]])
  const app = Fastify()
  t.teardown(() => app.close())
  app.decorateRequest('session')
  app.addHook('onRequest', async request => {
    const [, user] = /^session=of-([78])$/.exec(request.headers.cookie ?? '') ?? []
    Object.assign(request, { session: { userId: user === undefined ? null : Number(user) } })
  })
  app.get<{ Querystring: { user: string } }>('/log-in', ({ query: { user } }, reply) =>
    reply.header('set-cookie', `session=of-${user}; HttpOnly`).send())
  app.register(maySign, {
    async orderById (id: string) {
      if (id === '666' || !(Number(id) < 2 ** 31)) throw new Error('an error of the database')
      const [userId, isPaid] = orders.get(id) ?? []
      return isPaid === undefined ? undefined : { id, userId, cents: 10000, isPaid }
    }
  })
  return portOf(app)
}

/** Returns a folder with the routes, which do not compare the owner of an order. */
export function routesWithoutOwner (t: Scope): string {
  const folder = temporaryFolder(t, 'routes-')
  for (const name of readdirSync(routes)) {
    writeFileSync(join(folder, name), substitute(readFileSync(join(routes, name), 'utf8'), { [ownerChecks[name]!]: '' }))
  }
  return folder
}

/** Starts nginx and the service. Returns the ports of the shop's server and of the service's door, and the log. */
export async function besideShop (t: Scope, shop: Shop, variant: 'A' | 'B' = 'A'): Promise<{ port: number, door: number, log: () => string }> {
  const POLICY_FILE = join(temporaryFolder(t, 'policy-'), 'policy.json')
  const { callers } = JSON.parse(shopPolicy)
  writeFileSync(POLICY_FILE, JSON.stringify({ callers: variant === 'A' ? callers : callers.slice(0, 1) }))
  const door = await freePort()
  const AUTHORIZE_URL = `http://127.0.0.1:${door}/may-sign`
  const config = { VARIANT: variant, POLICY_FILE, AUTHORIZE_URL, TRUST_PROXY: '127.0.0.1', RATE_LIMIT_MAX: 60 }
  const { app, log } = testApp(t, { config })
  const ports = { 3081: door, 3001: await portOf(app), 8000: Number(shop) }
  const lines = typeof shop === 'string' ? shop : proxyLines
  const server = `server {\nlisten 127.0.0.1:8080;\n${nginxOfShop}\nlocation = /log-in {\n${lines.replace('may-sign.php', 'log-in.php')}}
location / { return 200 'the shop'; }\n}\n`
  const { port } = await startProxy(t, 'nginx', server + substitute(nginxDoor, { [proxyLines]: lines }), ports)
  return { port, door, log }
}

const notYours = '403 refused; reason=NOT_YOUR_ORDER'

/** Changes of the purchase of order 1001, and the answers with the session of user 7. */
const nasty: ReadonlyArray<readonly [answer: string, ...changes: object[]]> = [
  ['200', {}, { operationType: undefined }, { operationType: 'PURCHASE' }, { caller: 'back-office', user: 8 }],
  ['200', { merchantAccountNumber: undefined, accountNumber: '102551' }],
  ['409 refused; reason=ALREADY_PAID', { orderId: '1003' }],
  ['503 authorization-unavailable', { orderId: '666' }],
  [notYours, ...[
    '1002', '1004', '9999', '0', '-1', '01001', '1001.0', '1001abc', '1001-', '0x3e9', '1.001e3', '2147483648', '9223372036854775808',
    '9'.repeat(64), 'NaN', '__proto__', 'NO-SUCH-ORDER', '', undefined
  ].map(orderId => ({ orderId }))],
  [notYours, ...['0.01', '99.99', '100.01', '0100.00', '499.99'].map(amount => ({ amount }))],
  ['400 strict', ...[
    1001, ['1001'], { $gt: '' }, true, 'null', 'undefined', ' 1001', '1001\n', '1001\0', '1001\ud800', '١٠٠١', "1001' OR '1'='1", '9'.repeat(65)
  ].map(orderId => ({ orderId }))],
  ['403 policy', { amount: '500.01' }, { merchantAccountNumber: '102552' }]
]

/** Spellings of the paths, and the status of nginx. Its `the shop` stands for the other pages. */
const paths: ReadonlyArray<readonly [answer: string, ...paths: string[]]> = [
  ['404 nginx', '/may-sign', '/May-Sign', '//may-sign', '/may-sign/', '/may-sign/x', '/may%2dsign', '/x/../may-sign', '/index.php/may-sign'],
  ['404 nginx', '/may-sign.json', '/may-sign;x=1', '/may-sign%20', '/may-sign%5c', '/.%5cmay-sign', '/may-sign%3fx', '/x/index.php/may-sign', '/index.php//may-sign.json',
    '/shop/may-sign', '/en//May-Sign/', '/my/may-sign.php'],
  ['404 nginx', ...['/', '//', '%2f', 'x', ';x'].map(end => `/payments/api/generate-signature${end}`)],
  ['404 nginx', '/payments/api/', '/payments/api/Generate-Signature', '/payments/api/metrics', '/payments/api/../api/'],
  ['200 the shop', '/blog/may-signature-offers', '/may-signature', '/may-sign-up', '/en/may-sign_up', '/my-may-sign', '/payments/', '/Payments/api/generate-signature', '/payments/health'],
  ['404 nginx', '//payments/api/generate-signature', '/payments/api/generate%2dsignature', '/x/../payments/api/generate-signature', '/payments/./api/generate-signature',
    '/payments/api/generate-signature%3fx'],
  ['400 signing', '/payments/api/generate-signature', '/payments/api/generate-signature?', '/payments/api/generate-signature?x=%2d']
]

/** Sends a request from an address. Returns its status and error code, or for a success what it signs. */
export async function answerOf (port: number, change: object, number: number, headers = {}): Promise<string> {
  const purchase = {
    operationType: 'purchase', amount: '100.00', merchantAccountNumber: '102551', orderId: '1001', sid: randomUUID(), clientTimeStamp: Date.now()
  }
  const { statusCode, headers: { 'error-code': code } } = await send(port, {
    agent: false,
    localAddress: `127.0.1.${number % 250 + 1}`, // each its own, because of the limit for an address
    path: '/payments/api/generate-signature',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ ...purchase, ...change })
  })
  return `${statusCode} ${code ?? ''}`.trim()
}

/** Logs a user in. Returns the header Cookie. */
async function logIn (port: number, user: number): Promise<string> {
  const { headers } = await fetch(`http://127.0.0.1:${port}/log-in?user=${user}`)
  return headers.getSetCookie().map(text => text.split(';')[0]).join('; ')
}

/** Sends the eight requests to a shop, with the order of user 7 and the sessions of users 7 and 8. */
export async function eightOf (port: number, change = {}) {
  const [cookie, other] = [await logIn(port, 7), await logIn(port, 8)]
  return eightRequests(`http://127.0.0.1:${port}/payments/api/generate-signature`, { cookie, other, change: { orderId: '1001', ...change } })
}

/** Asks a shop's route about the order of user 7, with the sessions of users 7 and 8. Returns the report. */
export async function routeOf (port: number, door: number): Promise<string> {
  const { output } = await doctor(door, { cookie: await logIn(port, 7), other: await logIn(port, 8), change: { orderId: '1001' } })
  return output.replace(/^.*\n/, '') // without the URL
}

/** The report of {@link routeOf} for a shop that does not compare the owner of an order. */
export const routeWithoutOwner = substitute(routeAnswers, {
  '✓ owner     refused with 403 NOT_YOUR_ORDER': '✗ owner     allowed; the right answer: refused with 403\n            ' +
    '→ The check of the owner is missing, or both sessions are of one customer.'
})

/** The result of {@link eightOf} for a shop that does not compare the owner of an order. */
export const asWithoutOwner = {
  code: 1,
  output: substitute(eightAnswers, {
    "✓ the purchase, with another customer's session: 403 refused": "✗ the purchase, with another customer's session: 200 signed; " +
      "expected 403 refused: the owner's check is missing, or both sessions are of one account"
  })
}

/**
 * Sends all requests to a shop: the eight of the page, the nasty ones with and without a session, those of a shop with
 * variant B, those of 200 strangers in between. Returns {@link asDocumented} if all answers are right.
 */
export async function answersOf (t: Scope, shop: Shop) {
  const { port, door } = await besideShop(t, shop)
  const cookie = await logIn(port, 7)
  const endpoint = `http://127.0.0.1:${port}/payments/api/generate-signature`
  const wrong: string[] = []
  const check = (what: unknown, actual: string, expected: string) => {
    if (!actual.startsWith(expected)) wrong.push(`${JSON.stringify(what)}: ${actual}, expected ${expected}`)
  }

  const eight = await eightOf(port)
  const route = await routeOf(port, door)
  for (const [expected, ...changes] of nasty) {
    for (const [number, change] of changes.entries()) {
      check(change, await answerOf(port, change, number, { cookie }), expected)
      const asStranger = /^200|refused/.test(expected) ? '401 refused; reason=LOG_IN' : expected
      check(['a stranger', change], await answerOf(port, change, number), asStranger)
    }
  }
  for (const value of ['', '%00', '../../etc/passwd', 'x'.repeat(3000)]) {
    const broken = cookie.replaceAll(/=[^;]*/g, `=${value}`)
    check(['a broken cookie', value], await answerOf(port, {}, 0, { cookie: broken }), '401 refused; reason=LOG_IN')
  }
  check('Basic', await answerOf(port, {}, 0, { cookie, authorization: 'Basic eDp5' }), '401 api-key-required')
  check('an unknown key', await answerOf(port, {}, 0, { cookie, authorization: 'Bearer psk_nobody' }), '401 api-key-unknown')
  for (const [expected, ...all] of paths) {
    for (const path of all) {
      const { statusCode, headers, body } = await send(port, { agent: false, path, body: '{}' })
      const [end = body] = [headers['error-code'] && 'signing', body.includes('nginx') && 'nginx'].filter(Boolean)
      check(path, `${statusCode} ${end}`, expected)
    }
  }
  check('another path of the private server', String((await send(door, { agent: false, path: '/may-sign/' })).statusCode), '404')

  for (let first = 0; first < 200; first += 20) {
    const strangers = Array.from({ length: 20 }, (_, index) => answerOf(port, {}, first + index))
    for (const actual of await Promise.all(strangers)) check('one of 200 strangers', actual, '401 refused; reason=LOG_IN')
  }
  check('a shopper after them', await answerOf(port, {}, 0, { cookie }), '200')
  const alerts = await alert(endpoint, { change: { orderId: '1001' } })

  const ofB = await besideShop(t, shop, 'B')
  const { output } = await eightOf(ofB.port, { operationType: undefined })
  check('variant B, the eight requests', output, eightAnswers.split('\n').slice(0, 4).join('\n'))
  for (const [expected, change] of [['200', {}], [notYours, { amount: '0.01' }], [notYours, { orderId: '1002' }]] as const) {
    const request = { ...change, operationType: undefined }
    check(['variant B', change], await answerOf(ofB.port, request, 0, { cookie }), expected)
    check(['variant B, a stranger', change], await answerOf(ofB.port, request, 0), '401 refused; reason=LOG_IN')
  }
  return { eight, route, wrong, alerts }
}

export const asDocumented = { eight: { code: 0, output: eightAnswers }, route: routeAnswers, wrong: [], alerts: { code: 0, output: '' } }
