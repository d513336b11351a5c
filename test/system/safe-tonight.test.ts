import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { testApp } from '../support/app.js'
import { backend, serve } from '../support/backend.js'
import { withoutBrowser } from '../support/browser.js'
import { cronLine, eightAnswers, nginxLocation } from '../support/documented.js'
import { production } from '../support/example.js'
import { freePort } from '../support/free-port.js'
import { portOf } from '../support/http.js'
import { startProxy, without } from '../support/proxies.js'
import { temporaryFolder } from '../support/scope.js'
import { root, start, type Server } from '../support/server.js'
import { checkout, eightRequests, shopPolicy, stranger } from '../support/shop.js'

// The steps of docs/safe-tonight.md, with the service and with Fastify. `npm run foreign express` does it with Express.

const { orderOf, userOf } = await import(join(root, 'examples/frameworks/shop.mjs'))

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

/** Starts the service, whose backend decides like the examples. Returns the URL of its endpoint. */
async function service (t: Test): Promise<string> {
  const AUTHORIZE_URL = await backend(t, async (request, response) => {
    const asked = JSON.parse((await request.setEncoding('utf8').toArray()).join(''))
    const user = userOf(request.headers.cookie)
    const order = await orderOf(asked.orderId)
    const isExpected = asked.operationType === 'purchase' && order?.user === user &&
      asked.merchantAccountNumber === order.accountNumber && asked.amount === (order.cents / 100).toFixed(2)
    const status = asked.caller === 'back-office' || (user !== undefined && isExpected) ? 204 : user === undefined ? 401 : 403
    response.writeHead(status).end()
  })
  const { app } = testApp(t, { config: { POLICY_FILE: join(t.testdir({ 'policy.json': shopPolicy }), 'policy.json'), AUTHORIZE_URL } })
  return `http://127.0.0.1:${await portOf(app)}/api/generate-signature`
}

t.test('the eight requests to the service', async t => {
  const url = await service(t)
  t.strictSame(await eightRequests(url), { code: 0, output: eightAnswers })
  t.strictSame(await eightRequests(url, 'wrong-key'), {
    code: 1,
    output: eightAnswers.replace('✓ a refund, with the key: 200 signed',
      '✗ a refund, with the key: 401 api-key-unknown; expected 200 signed')
  })
  t.strictSame(await stranger(url), { code: 0, output: '' })
})

t.test('the eight requests to a service without guards, to a wrong server, and to none', async t => {
  const { app } = testApp(t)
  const open = `http://127.0.0.1:${await portOf(app)}/api/generate-signature`
  const { code, output } = await eightRequests(open)
  t.equal(code, 1)
  t.equal(output.match(/^✗ .*: 200 .*; expected 4/gm)?.length, 6, 'each refusal is missing')
  t.strictSame(await stranger(open), { code: 0, output: `${open} answered a stranger with 200 instead of 401\n` })

  const { origin } = await serve(t, (_request, response) => { response.end('<h1>Log in</h1>') })
  t.match((await eightRequests(`${origin}/`)).output, '✗ the purchase, with the session: 200 without a signature of this request')
  const nobody = `http://127.0.0.1:${await freePort()}/`
  t.match((await eightRequests(nobody)).output, '✗ the purchase, with the session: no answer, ECONNREFUSED; expected 200 signed')
  t.strictSame(await stranger(nobody), { code: 0, output: `${nobody} answered a stranger with 000 instead of 401\n` })
  t.match(cronLine, /^\*\/5 \* \* \* \* sh \/srv\/shop\/stranger\.sh https:\S+\/api\/generate-signature\n$/)
})

t.test('the Fastify example', async t => {
  const port = await freePort()
  await fastifyExample(t, { PORT: String(port) }).says(/Server listening/)
  const direct = `http://127.0.0.1:${port}`

  t.test('the eight requests', async t => {
    t.strictSame(await eightRequests(`${direct}/payments/api/generate-signature`), { code: 0, output: eightAnswers })
  })

  t.test('the eight requests through the documented nginx', { skip: without('nginx') }, async t => {
    const configuration = `server {\nlisten 127.0.0.1:8080;\n${nginxLocation}}`
    const nginx = await startProxy(t, 'nginx', configuration, { 3000: port })
    const url = `http://127.0.0.1:${nginx.port}/payments/api/generate-signature`
    t.strictSame(await eightRequests(url), { code: 0, output: eightAnswers })
    t.strictSame(await stranger(url), { code: 0, output: '' })
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
