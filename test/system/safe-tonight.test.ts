import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { testApp } from '../support/app.js'
import { serve } from '../support/backend.js'
import { withoutBrowser } from '../support/browser.js'
import { cronLine, eightAnswers, nginxDoor, nginxLocation } from '../support/documented.js'
import { production } from '../support/example.js'
import { freePort } from '../support/free-port.js'
import { portOf } from '../support/http.js'
import { startProxy, without } from '../support/proxies.js'
import { temporaryFolder } from '../support/scope.js'
import { root, start, type Server } from '../support/server.js'
import { alert, checkout, eightRequests, key, shopPolicy } from '../support/shop.js'

// The steps of docs/safe-tonight.md. `npm run foreign express` embeds the route in Express.

const { orderOf, userOf } = await import(join(root, 'examples/frameworks/shop.mjs'))
const { maySign } = await import(join(root, 'examples/may-sign/fastify.mjs'))

/** Starts examples/frameworks/fastify.mjs in a project of its own. */
function fastifyExample (t: Test, variables: Record<string, string>): Server {
  const folder = temporaryFolder(t, 'shop-')
  for (const file of ['fastify.mjs', 'shop.mjs']) cpSync(join(root, 'examples/frameworks', file), join(folder, file))
  writeFileSync(join(folder, 'policy.json'), shopPolicy)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/payment-signature-backend'))
  symlinkSync(join(root, 'node_modules/fastify'), join(folder, 'node_modules/fastify'))
  const env = { PATH: process.env.PATH, MERCHANT_TOKEN: production.token, ...variables }
  return start(t, process.execPath, ['fastify.mjs'], { cwd: folder, env })
}

/** Starts a shop on Fastify with the route of examples/may-sign. Returns its port. */
async function shop (t: Test, findOrder = orderOf): Promise<number> {
  const app = Fastify()
  t.teardown(() => app.close())
  app.decorateRequest('session')
  app.addHook('onRequest', async request => { Object.assign(request, { session: { userId: userOf(request.headers.cookie) } }) })
  app.register(maySign, {
    orderById: async (id: string) => {
      const order = await findOrder(id)
      return order && { id, userId: order.user, cents: order.cents, isPaid: order.isPaid }
    }
  })
  return portOf(app)
}

/** Starts the service, which asks a shop at a port. Returns its own port. */
async function service (t: Test, shopPort: number | Promise<number>): Promise<number> {
  const AUTHORIZE_URL = `http://127.0.0.1:${await shopPort}/may-sign`
  const { app } = testApp(t, { config: { POLICY_FILE: join(t.testdir({ 'policy.json': shopPolicy }), 'policy.json'), AUTHORIZE_URL } })
  return portOf(app)
}

/** Returns the path of a file with the key of the back office, which may inquire. */
function keyFile (t: Test): string {
  const path = join(temporaryFolder(t, 'key-'), 'key')
  writeFileSync(path, `${key}\n`)
  return path
}

t.test('the eight requests to the service', async t => {
  const url = `http://127.0.0.1:${await service(t, shop(t))}/api/generate-signature`
  t.strictSame(await eightRequests(url), { code: 0, output: eightAnswers })
  t.strictSame(await eightRequests(url, 'wrong-key'), {
    code: 1,
    output: eightAnswers.replace('✓ a refund, with the key: 200 signed',
      '✗ a refund, with the key: 401 api-key-unknown; expected 200 signed')
  })
  t.strictSame(await alert(url, keyFile(t)), { code: 0, output: '' })
})

t.test('the alert sees that the orders cannot be read', async t => {
  const broken = shop(t, async () => { throw new Error('the database is away') })
  const url = `http://127.0.0.1:${await service(t, broken)}/api/generate-signature`
  t.match((await alert(url, keyFile(t))).output, "a stranger's purchase got 503 authorization-unavailable, expected 401: shoppers may be unable to pay")
})

t.test('the eight requests to a service without guards, to a wrong server, and to none', async t => {
  const { app } = testApp(t)
  const open = `http://127.0.0.1:${await portOf(app)}/api/generate-signature`
  const { code, output } = await eightRequests(open)
  t.equal(code, 1)
  t.equal(output.match(/^✗ .*: 200 .*; expected 4/gm)?.length, 6, 'each refusal is missing')
  t.strictSame(await alert(open, keyFile(t)), { code: 1, output: `${open}: a stranger's purchase got 200, expected 401: EVERYBODY GETS SIGNATURES\n` })

  const { origin } = await serve(t, (_request, response) => { response.end('<h1>Log in</h1>') })
  t.match((await eightRequests(`${origin}/`)).output, '✗ the purchase, with the session: 200 without a signature of this request')
  const nobody = `http://127.0.0.1:${await freePort()}/`
  t.match((await eightRequests(nobody)).output, '✗ the purchase, with the session: no answer, ECONNREFUSED; expected 200 signed')
  t.match((await alert(nobody, keyFile(t))).output, "a stranger's purchase got no answer, ECONNREFUSED, expected 401")
  t.match(cronLine, /root node \/etc\/payment-signature\/alert\.mjs https:\S+\/api\/generate-signature \S+\/probe-key\n/)
})

t.test('the eight requests through the documented nginx', { skip: without('nginx') }, async t => {
  const [door, shopPort] = [await freePort(), await shop(t)]
  const ports = { 3081: door, 8000: shopPort, 3001: await service(t, door) }
  const main = `server {\nlisten 127.0.0.1:8080;\n${nginxLocation}location / { proxy_pass http://127.0.0.1:8000; }\n}`
  const { port } = await startProxy(t, 'nginx', nginxDoor + main, ports)
  const origin = `http://127.0.0.1:${port}`
  t.strictSame(await eightRequests(`${origin}/payments/api/generate-signature`), { code: 0, output: eightAnswers })
  t.strictSame(await alert(`${origin}/payments/api/generate-signature`, keyFile(t)), { code: 0, output: '' })
  for (const url of [`${origin}/may-sign`, `${origin}/May-Sign/`, `${origin}//may-sign`, `http://127.0.0.1:${door}/may-sign/`]) {
    const { status, headers } = await fetch(url, { method: 'POST', body: '{}' })
    t.strictSame([status, headers.get('content-type')], [404, 'text/html'], `nginx refuses ${url}`)
  }
})

t.test('the Fastify example', async t => {
  const port = await freePort()
  await fastifyExample(t, { PORT: String(port) }).says(/Server listening/)
  const direct = `http://127.0.0.1:${port}`

  t.test('the eight requests', async t => {
    t.strictSame(await eightRequests(`${direct}/payments/api/generate-signature`), { code: 0, output: eightAnswers })
  })

  t.test('the page in Chromium, with the stub of the Web SDK', { skip: withoutBrowser }, async t => {
    const pay = await checkout(t, direct)
    const order = { operationType: 'purchase', amount: '100.00', merchantAccountNumber: '102551', orderId: 'ORDER-12345' }
    t.match(await pay(order), { ...order, partnerCode: 'PARTNER', signature: /^[0-9a-f]{64}\/\/\/[0-9a-f]{64}$/ })
    t.match(await pay({ ...order, amount: '1.00' }), { status: 403, reason: 'NOT_YOUR_ORDER', requestId: /^[0-9a-f-]{36}$/ })
    t.match(await pay({ operationType: 'refund', amount: '1.00', merchantAccountNumber: '102551', transactionFCRN: '987654' }),
      { status: 403, reason: 'operations' })
  })
})

for (const [what, variables, message] of [
  ['a PORT that is no port', { PORT: '3000x' }, /PORT must be a number from 1 to 65535/],
  ['no PORT', {}, /PORT must be a number from 1 to 65535/],
  ['the stand-in of the shop in production', { PORT: '3000', NODE_ENV: 'production' }, /shop\.mjs is an example: replace it/]
] as const) {
  t.test(`the example refuses ${what}`, async t => {
    const { ended, output } = fastifyExample(t, variables)
    t.equal(await ended, 1)
    t.match(output(), message)
  })
}
