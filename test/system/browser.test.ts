import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import type { Answer, AppOptions } from '../../src/embed.js'
import type { Policy } from '../../src/guards/policy/policy-schema.js'
import { VariantA } from '../../src/scheme/variant-a.js'
import { VariantB } from '../../src/scheme/variant-b.js'
import { policyFile, testApp, token } from '../support/app.js'
import { backend, serve } from '../support/backend.js'
import { isAccessible, launch, openTab, withoutBrowser } from '../support/browser.js'
import { webSdk } from '../support/documented.js'
import { embedded } from '../support/embedded.js'
import { portOf } from '../support/http.js'
import { root } from '../support/server.js'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** The stub of the Web SDK. */
const sdk = read('test/support/web-sdk.js')

const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Serves a folder without any knowledge of its files, and redirects one path. Returns the origin. */
async function staticServer (t: Test, folder: string): Promise<string> {
  const { origin } = await serve(t, async ({ url = '' }, response) => {
    if (url === '/log-in-first') return response.writeHead(302, { location: '/' }).end()
    const path = join(folder, url.endsWith('/') ? `${url}index.html` : url)
    const type = types[extname(path)]
    if (!existsSync(path) || type === undefined) return response.writeHead(404).end()
    response.setHeader('content-type', type).end(readFileSync(path))
  })
  return origin
}
const types: Record<string, string> = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript' }

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Returns the signature that the payment app expects for a message of the Web SDK (specification 4.2 and 4.3). */
function expectedBy (message: Record<string, string>): string {
  const { operationType, sid, clientTimeStamp, merchantAccountNumber, amount = '', transactionFCRN, transactionId, idType } = message
  const reference = transactionFCRN ?? transactionId ?? ''
  const order = operationType === 'inquiry' ? (idType === 'ORDER_ID' ? transactionId : 'null') : message.orderId ?? 'null'
  return `${hash(`${clientTimeStamp}${sid}${amount}${reference}`)}///` +
    hash(`${clientTimeStamp}${order}${token}${merchantAccountNumber}${amount}${reference}`)
}

/** A request for each operation of the SDK, and what the payment app gets beside the values of all operations. */
const payments = [
  { operationType: 'purchase', amount: '100.00', orderId: 'ORDER-12345' },
  { operationType: 'refund', amount: '25.50', transactionFCRN: '987654', orderId: 'ORDER-12345' },
  { operationType: 'void', transactionFCRN: '987654', orderId: 'ORDER-12345' },
  { operationType: 'inquiry', transactionId: 'ORDER-12345', idType: 'ORDER_ID' },
  { operationType: 'clearCache' }
] as const
const own: Record<string, object> = { purchase: { currency: 'EGP' }, clearCache: { clearSecurityKeys: true, clearProfile: true } }

const policy: Policy = {
  callers: [{
    name: 'anonymous',
    operations: ['purchase', 'refund', 'void', 'inquiry', 'inquiry-without-id'],
    accountNumbers: ['102551'],
    maximumAmount: '100.00'
  }]
}

t.test('the documented lines for the Web SDK, with all guards on', { skip: withoutBrowser }, async t => {
  const isLoggedIn = (cookie: string | undefined) => cookie === 'session=canary'
  const POLICY_FILE = policyFile(t, policy.callers)
  const shop = embedded(t, {
    config: { MERCHANT_TOKEN: token, POLICY_FILE },
    authorize: ({ headers }) => isLoggedIn(headers.cookie) || { allowed: false, statusCode: 401 }
  })
  const files: Record<string, string> = {
    '/sdk.js': sdk, '/client.js': read('dist/client/index.js'), '/web-sdk.js': webSdk
  }
  for (const [path, text] of Object.entries(files)) {
    shop.get(path, async (_request, reply) => reply.type('text/javascript').send(text))
  }
  shop.get('/', async (_request, reply) => reply
    .header('set-cookie', 'session=canary; Path=/; SameSite=None; Secure; HttpOnly')
    .type('text/html')
    .send(`<!doctype html><title>Shop</title><link rel="icon" href="data:,">
      <script src="/sdk.js"></script>
      <script type="importmap">{ "imports": { "payment-signature-client": "/client.js" } }</script>
      <script type="module">globalThis.pay = (await import('/web-sdk.js')).pay; document.title = 'ready'</script>`))
  const origin = `http://localhost:${await portOf(shop)}`
  const { app } = testApp(t, {
    config: {
      STRICT: 'true',
      POLICY_FILE,
      CORS_ORIGIN: origin,
      CORS_CREDENTIALS: true,
      AUTHORIZE_URL: await backend(t, ({ headers }, response) => {
        response.writeHead(isLoggedIn(headers.cookie) ? 200 : 401).end(`{"allowed":${isLoggedIn(headers.cookie)}}`)
      })
    }
  })
  const elsewhere = `http://localhost:${await portOf(app)}/api/generate-signature`
  const { page, complaints } = await openTab(t, await launch(t))
  await page.goto(origin)
  await page.waitForFunction('document.title === "ready"')

  const vendor = { partnerCode: 'PARTNER', btc: 1234, merchantToken: 'of-the-page' }
  for (const [where, options] of [
    ['the same origin', { url: '/api/generate-signature' }], ['another origin', { url: elsewhere, credentials: 'include' }]
  ] as const) {
    for (const fields of payments) {
      t.test(`${fields.operationType}, ${where}`, async t => {
        const request = { ...options, merchantAccountNumber: '102551', ...fields }
        const call = `pay(${JSON.stringify(request)}, ${JSON.stringify(vendor)})`
        t.equal(await page.evaluate(`${call}.then(result => result.isSuccess())`), true)
        const { signature, sid, clientTimeStamp, ...message } = await page.evaluate('sent.pop()') as Record<string, string>
        t.strictSame(message, { ...vendor, merchantAccountNumber: '102551', ...fields, ...own[fields.operationType] })
        t.match([sid, clientTimeStamp], [uuidV4, Number])
        t.equal(signature, expectedBy({ ...message, sid: sid!, clientTimeStamp: clientTimeStamp! }), 'the app accepts it')
      })
    }
  }
  t.strictSame(complaints, [])
})

t.test('the client in a page from plain HTTP, which has no randomUUID, and in a worker', { skip: withoutBrowser }, async t => {
  const endpointOf = async (config: AppOptions['config']) =>
    `http://localhost:${await portOf(testApp(t, { config }).app)}/api/generate-signature`
  const [url, elsewhere] = [await endpointOf({ VARIANT: 'B' }), await endpointOf({ CORS_ORIGIN: 'https://shop.example' })]
  const page = '<!doctype html><title>Shop</title><link rel="icon" href="data:,">'
  const folder = t.testdir({ 'index.html': page, 'client.js': read('dist/client/index.js') })
  const origin = (await staticServer(t, folder)).replace('127.0.0.1', 'checkout.test')
  const { page: tab, complaints } = await openTab(t, await launch(t))
  await tab.goto(origin)
  t.same(await tab.evaluate('({ isSecureContext, randomUUID: typeof crypto.randomUUID })'), {
    isSecureContext: false, randomUUID: 'undefined'
  })
  const fields = { url, variant: 'B', amount: '100.00', merchantAccountNumber: '102551', orderId: 'ORDER-12345' }
  const signed = await tab.evaluate(`new Promise((resolve, reject) => {
    const script = ${JSON.stringify(`import { requestSignature } from '${origin}/client.js'
      const { applyTo, ...signed } = await requestSignature(${JSON.stringify(fields)})
      postMessage({ ...signed, hasWindow: 'window' in globalThis })`)}
    const worker = new Worker(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })), { type: 'module' })
    worker.onmessage = ({ data }) => resolve(data)
    worker.onerror = ({ message }) => reject(new Error(message))
  })`) as { signature: string, sid: string, clientTimeStamp: number, hasWindow: boolean }
  t.match(signed.sid, uuidV4)
  const signer = new VariantB(token)
  t.equal(signed.signature, signer.sign(signer.read(signed)))
  t.equal(signed.hasWindow, false)
  t.strictSame(complaints, [])

  for (const [changed, ...expected] of [
    [{ amount: '0.00' }, 'refused', 400, 'amount-not-positive', 'amount'],
    [{ url: elsewhere }, 'network', 0, '', null],
    [{ url: '/log-in-first' }, 'answer', 0, '', null]
  ] as const) {
    t.strictSame(await tab.evaluate(`import('/client.js')
      .then(({ requestSignature }) => requestSignature(${JSON.stringify({ ...fields, ...changed })}))
      .catch(({ kind, status, code, field = null }) => [kind, status, code, field])`), expected, JSON.stringify(changed))
  }
})

t.test('a request that the browser does not send is not "cannot be reached (CORS)"', { skip: withoutBrowser }, async t => {
  const { page } = await openTab(t, await launch(t))
  const files: Record<string, string> = { '/client.js': read('dist/client/index.js') }
  await page.route(/^https?:\/\/shop\.test\//, async route => {
    const { pathname, search } = new URL(route.request().url())
    await route.fulfill({
      contentType: pathname in files ? 'text/javascript' : 'text/html',
      headers: { 'content-security-policy': search === '?csp' ? "default-src 'self'" : "default-src * 'unsafe-inline' 'unsafe-eval'" },
      body: files[pathname] ?? '<!doctype html><title>Shop</title><link rel="icon" href="data:,">'
    })
  })
  const fields = { amount: '100.00', merchantAccountNumber: '102551' }
  const failureFrom = async (origin: string, url: string) => {
    await page.goto(origin)
    return page.evaluate(`import('/client.js').then(({ requestSignature }) => requestSignature(${JSON.stringify({ url, ...fields })}))
      .catch(({ kind, message }) => [kind, message])`)
  }
  const elsewhere = 'https://sign.shop.test/api/generate-signature'
  t.strictSame(await failureFrom('https://shop.test/?csp', elsewhere),
    ['network', `${elsewhere} was not asked: the content security policy of the page forbids it (connect-src)`])
  t.strictSame(await failureFrom('https://shop.test/', 'http://sign.shop.test/'),
    ['network', 'http://sign.shop.test/ was not asked: an https page may not ask http'])
  t.strictSame(await failureFrom('https://shop.test/', elsewhere),
    ['network', `${elsewhere} cannot be reached, or does not let this page read its responses (CORS)`])
  await page.goto('https://shop.test/')
  await page.evaluate("import('/client.js').then(client => { globalThis.client = client })")
  await page.context().setOffline(true)
  t.strictSame(await page.evaluate(`client.requestSignature(${JSON.stringify({ url: elsewhere, ...fields })}).catch(({ kind, message }) => [kind, message])`),
    ['network', `${elsewhere} was not asked: this device is offline`])
})

const shown = async (page: Page, id: string) => JSON.parse(await page.locator(`#${id}`).innerText())

t.test('the minimal page, from any static server', { skip: withoutBrowser }, async t => {
  const refusals: Record<string, Answer> = { REFUSED: { allowed: false, statusCode: 429 }, 'OF-SOMEBODY': { allowed: false, statusCode: 401, error: 'No session' } }
  const { app } = testApp(t, {
    config: { RATE_LIMIT_MAX: 4 },
    authorize: ({ request }) => refusals[String(request.orderId)] ?? true
  })
  const html = read('dist/pages/minimal.html').replace('http://localhost:3001', `http://localhost:${await portOf(app)}`)
  const { page, complaints } = await openTab(t, await launch(t))
  await page.goto(`${await staticServer(t, t.testdir({ 'pay.html': html }))}/pay.html`)
  const pay = async () => {
    await page.getByRole('button', { name: 'Pay' }).click()
    await page.locator('button:not(:disabled)').waitFor()
    return page.getByRole('status').innerText()
  }

  t.equal(await pay(), 'Signed.')
  const { signature, ...sent } = await shown(page, 'payment')
  const signer = new VariantA(token)
  t.equal(signature, signer.sign(signer.read(sent)))
  t.match(sent, { merchantAccountNumber: '102551', amount: '100.00', orderId: 'ORDER-12345' })
  await isAccessible(t, page, 'minimal')
  t.strictSame(complaints.splice(0), [])
  await page.getByLabel('Order id').fill('OF-SOMEBODY')
  t.equal(await pay(), 'Please log in. Nothing was paid.')
  await page.getByLabel('Amount').fill('0')
  t.match(await pay(), /^Payment is not possible\. Nothing was paid\. Reference: [0-9a-f-]{36}$/)
  t.equal(await page.locator('#payment').innerText(), '')
  await page.getByLabel('Amount').fill('100.00')
  await page.getByLabel('Order id').fill('REFUSED')
  t.match(await pay(), /^Payment is not possible\. /, 'a 429 without Retry-After')
  t.match(await pay(), /^Busy\. Nothing was paid\. Please try again in \d+ seconds\.$/)
  await app.close()
  t.equal(await pay(), 'No connection. Nothing was paid. Please try again.')
  const byProxy = { status: 502, headers: { 'access-control-allow-origin': '*' }, body: '<h1>Bad Gateway</h1>' }
  await page.route('**/api/generate-signature', route => route.fulfill(byProxy))
  t.equal(await pay(), 'Busy. Nothing was paid. Please try again in 5 seconds.', 'the proxy reaches no instance')
})

/** A cookie that browsers send with requests of every site: nothing but the service stands against a forged request. */
const session = 'session=canary; Path=/; SameSite=None; Secure; HttpOnly'

t.test('another site cannot use the session', { skip: withoutBrowser }, async t => {
  const asked: unknown[] = []
  const shop = embedded(t, { authorize: () => asked.push('shop') > 0 })
  shop.get('/login', async (_request, reply) => reply.header('set-cookie', session).send())
  const origin = `http://localhost:${await portOf(shop)}`
  const AUTHORIZE_URL = await backend(t, (_request, response) => {
    asked.push('backend')
    response.end('{"allowed":true}')
  })
  const { app } = testApp(t, { config: { AUTHORIZE_URL, CORS_ORIGIN: origin, CORS_CREDENTIALS: true } })
  const received: unknown[] = []
  app.addHook('onResponse', async ({ headers }, { statusCode }) => {
    received.push([headers['content-type'], statusCode])
  })
  const service = `http://localhost:${await portOf(app)}`
  // A form of text/plain sends NAME=VALUE: this name and this value are JSON around the "=".
  const name = '{"amount":"1.00","merchantAccountNumber":"102551","sid":"s","clientTimeStamp":1,"orderId":"'
  const { origin: evil } = await serve(t, (_request, response) => {
    const forms = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'].flatMap(type =>
      [origin, service].map(target => `<form method="post" action="${target}/api/generate-signature" enctype="${type}">
        <input name='${name}' value='"}'></form>`))
    response.setHeader('content-type', 'text/html').end(`<link rel="icon" href="data:,">${forms.join('')}`)
  })
  const { page } = await openTab(t, await launch(t))
  await page.goto(`${origin}/login`)

  for (let index = 0; index < 6; index++) {
    await page.goto(evil)
    const [response] = await Promise.all([
      page.waitForResponse(response => response.url().endsWith('/api/generate-signature')),
      page.waitForURL('**/api/generate-signature'),
      page.evaluate(`document.forms[${index}].submit()`)
    ])
    t.equal(response.status(), 415)
    t.match(await response.request().allHeaders(), { cookie: 'session=canary' }, 'the browser sends the cookie')
  }

  await page.goto(evil)
  const body = `${name}O-1"}`
  for (const [content, options] of [
    [JSON.stringify(body), "mode: 'no-cors'"],
    [`new Blob([${JSON.stringify(body)}])`, "mode: 'no-cors'"], // without a content type
    [JSON.stringify(body), "mode: 'no-cors', headers: { 'content-type': 'text/plain; application/json' }"],
    [JSON.stringify(body), "headers: { 'content-type': 'application/json' }"] // its preflight fails
  ] as const) {
    const isSent = await page.evaluate(`fetch('${service}/api/generate-signature', {
      method: 'POST', credentials: 'include', body: ${content}, ${options}
    }).then(() => true, () => false)`)
    t.equal(isSent, options.startsWith('mode'), options)
  }
  t.match(received, [
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    [/^multipart/, 415],
    ['text/plain;charset=UTF-8', 415],
    [undefined, 415],
    ['text/plain; application/json', 415],
    [undefined, 204] // the preflight
  ])
  t.equal(received.length, 7)
  t.strictSame(asked, [], 'nobody was asked')
})
