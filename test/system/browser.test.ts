import { createHash } from 'node:crypto'
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import Fastify from 'fastify'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { paymentSignature, type Policy, type Refusal } from '../../src/fastify.js'
import { VariantA } from '../../src/scheme/variant-a.js'
import { VariantB } from '../../src/scheme/variant-b.js'
import { testApp, token } from '../support/app.js'
import { backend, serve } from '../support/backend.js'
import { accessibilityFaults, endpointsOf, examplePages, isAccessible, launch, openTab, screenshot, withoutBrowser } from '../support/browser.js'
import { webSdk } from '../support/documented.js'
import { portOf } from '../support/http.js'
import { root } from '../support/server.js'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** The stub of the Web SDK. */
const sdk = read('test/support/web-sdk.js')

const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Serves a folder without any knowledge of its files, and returns the origin. */
async function staticServer (t: Test, folder: string): Promise<string> {
  const { origin } = await serve(t, async ({ url = '' }, response) => {
    const path = join(folder, url.endsWith('/') ? `${url}index.html` : url)
    const type = types[extname(path)]
    if (!existsSync(path) || type === undefined) return response.writeHead(404).end()
    response.setHeader('content-type', type).end(readFileSync(path))
  })
  return origin
}
const types: Record<string, string> = { '.html': 'text/html; charset=utf-8', '.css': 'text/css', '.js': 'text/javascript' }

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
    anonymous: true,
    operations: ['purchase', 'refund', 'void', 'inquiry', 'clear-cache'],
    accountNumbers: ['102551'],
    maximumAmount: '100.00'
  }]
}

t.test('the documented lines for the Web SDK, with all guards on', { skip: withoutBrowser }, async t => {
  const shop = Fastify()
  t.teardown(() => shop.close())
  const isLoggedIn = (cookie: string | undefined) => cookie === 'session=canary'
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
  shop.register(paymentSignature, {
    variant: 'A',
    merchantToken: token,
    strict: true,
    policy,
    authorize: ({ headers }) => isLoggedIn(headers.cookie) || { statusCode: 401 }
  })
  const origin = `http://localhost:${await portOf(shop)}`
  const { app } = testApp(t, {
    config: {
      STRICT: 'true',
      POLICY_FILE: join(t.testdir({ 'policy.json': JSON.stringify(policy) }), 'policy.json'),
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

async function open (page: Page, base: string): Promise<void> {
  await page.goto(`${base}/checkout/`)
  await page.waitForSelector('body[data-ready]')
}

/** Presses the button, and returns the text of the status. */
async function submit (page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Get signature' }).click()
  const status = page.locator('.status.good, .status.bad')
  await status.waitFor()
  return status.innerText()
}

const shown = async (page: Page, id: string) => JSON.parse(await page.locator(`#${id}`).innerText())

t.test('the checkout page', { skip: withoutBrowser }, async t => {
  const origin = await examplePages(t)
  const services = await endpointsOf(origin)
  const browser = await launch(t)
  const { page, complaints } = await openTab(t, browser)

  for (const [variant, operation, fields, calls] of [
    ['A', 'Purchase', { operationType: 'purchase', amount: '100.00', merchantAccountNumber: '102551', orderId: 'ORDER-12345' },
      ['requestSale("card")', 'setCurrency("EGP")', 'setMerchantAccountNumber("102551")', 'setAmount("100.00")', 'setOrderId("ORDER-12345")']],
    ['A', 'Inquiry', { operationType: 'inquiry', merchantAccountNumber: '102551', transactionId: 'ORDER-12345', idType: 'ORDER_ID' },
      ['requestInquiry()', 'setMerchantAccountNumber("102551")', 'setTransactionId("ORDER-12345")', 'setIdType("ORDER_ID")']],
    ['A', 'Clear cache', { operationType: 'clearCache', merchantAccountNumber: '102551' },
      ['requestClearCache()', 'setClearSecurityKeys(true)', 'setClearProfile(true)', 'setMerchantAccountNumber("102551")']],
    ['B', '', { amount: '100.00', merchantAccountNumber: '102551', orderId: 'ORDER-12345' },
      ['requestSale("card")', 'setCurrency("EGP")', 'setMerchantAccountNumber("102551")', 'setAmount("100.00")', 'setOrderId("ORDER-12345")']]
  ] as const) {
    t.test(`variant ${variant} ${operation}`, async t => {
      await open(page, origin)
      await page.getByRole('radio', { name: variant, exact: true }).check({ force: true })
      if (operation !== '') await page.getByRole('radio', { name: operation }).check({ force: true })
      t.match(await submit(page), /^Signed\./)

      const { sid, clientTimeStamp, ...sent } = await shown(page, 'request')
      t.strictSame(sent, fields)
      const { signature } = await shown(page, 'answer')
      const signer = variant === 'A' ? new VariantA(token) : new VariantB(token)
      t.equal(signature, signer.sign({ ...sent, sid, clientTimeStamp }))
      t.strictSame((await page.locator('#calls li').allInnerTexts()).sort(), [
        ...calls, `setSignature("${signature}")`, `setSid("${sid}")`, `setClientTimeStamp(${clientTimeStamp})`,
        'setPartnerCode("")', 'setBtc(0)', 'setMerchantToken(…)'
      ].sort())
      t.notOk(await page.getByRole('button', { name: 'Send the payment request' }).isVisible(), 'there is no SDK')
      t.strictSame(complaints, [])
    })
  }

  t.test('a copy of the folder works alone, and sends with the Web SDK', async t => {
    const folder = join(t.testdir(), 'shop')
    cpSync(join(root, 'dist/pages/checkout'), folder, { recursive: true })
    const file = join(folder, 'index.html')
    const html = readFileSync(file, 'utf8')
    const [line = ''] = /<script src="\/web-sdk\.js"><\/script>/.exec(html) ?? []
    writeFileSync(file, html.replace('</head>', `${line}</head>`).replace('http://localhost:8081/api/generate-signature', services.A))
    const shop = await staticServer(t, t.testdirName)
    const { page, complaints } = await openTab(t, browser)
    await page.route('**/web-sdk.js', route => route.fulfill({ contentType: 'text/javascript', body: sdk }))
    await page.goto(`${shop}/shop/`)
    await page.waitForSelector('body[data-ready]')
    t.match(await submit(page), /^partnerCode has the wrong type/, 'the SDK says what is missing')
    await page.getByText('Values of the vendor').click()
    await page.getByLabel('Partner code').fill('PARTNER')
    await page.getByLabel('Transaction code').fill('1234')
    await page.getByLabel('Merchant token').fill('canary')
    t.match(await submit(page), /^Signed\./)
    await page.getByRole('button', { name: 'Send the payment request' }).click()
    await page.locator('#outcome').getByText('987654').waitFor()
    const { signature } = await shown(page, 'answer')
    t.match(await page.evaluate('sent'), [{ signature, amount: '100.00', partnerCode: 'PARTNER', btc: 1234, merchantToken: 'canary' }])
    t.notMatch(await page.innerText('body'), 'canary')
    t.strictSame(complaints, [])
  })

  t.test('a refusal shows the request and the response', async t => {
    const { page, complaints } = await openTab(t, browser)
    await open(page, origin)
    await page.getByLabel('Amount').fill('0.00')
    t.equal(await submit(page), 'Invalid amount: amount must be greater than 0\nERR_REFUSED, status 400')
    const { sid, clientTimeStamp, ...sent } = await shown(page, 'request')
    t.strictSame(sent, { operationType: 'purchase', amount: '0.00', merchantAccountNumber: '102551', orderId: 'ORDER-12345' })
    t.match([sid, clientTimeStamp], [uuidV4, Number])
    t.match(await page.locator('#answer').innerText(), new RegExp('^HTTP 400\nError-Code: amount-not-positive; field=amount\n' +
      'X-Request-Id: \\S+\n{\n {2}"error": "Invalid amount: amount must be greater than 0"\n}$'))

    const stale = page.locator('#stale')
    t.equal(await stale.innerText(), '')
    await page.getByLabel('Amount').fill('1.00')
    t.equal(await stale.innerText(), 'Stale: a field has changed. This result belongs to the earlier values.')

    await page.getByLabel('Account number').fill('')
    await page.getByRole('button', { name: 'Get signature' }).click()
    await page.getByText('merchantAccountNumber or accountNumber is required').waitFor()
    t.equal(await page.locator('#request').innerText(), 'Nothing was sent')
    t.strictSame(await page.locator('#calls li').count(), 0)
    t.ok(complaints.every(text => text.startsWith('Failed to load resource: the server responded with a status of 400')))
  })

  t.test('a request with a warning is signed when the button is pressed again', async t => {
    const { page, complaints } = await openTab(t, browser)
    await open(page, origin)
    await page.getByLabel('Amount').fill('100,00')
    await page.getByRole('button', { name: 'Get signature' }).press('Enter')
    await page.getByRole('button', { name: 'Sign anyway' }).waitFor()
    t.strictSame(await page.getByRole('alert').getByRole('listitem').allInnerTexts(),
      ['amount is not digits, a point and two decimals, as in 100.00.'])
    t.equal(await page.locator('#status').innerText(), 'No request yet.')
    t.strictSame(await accessibilityFaults(page), [])
    await page.getByRole('button', { name: 'Sign anyway' }).click()
    await page.locator('.status.good').waitFor()
    t.match(await shown(page, 'request'), { amount: '100,00' }, 'the fields are signed as typed')
    t.strictSame(complaints, [])
  })

  t.test('a wrong URL and CORS have different messages', async t => {
    const { app } = testApp(t, { config: { CORS_ORIGIN: 'https://shop.example' } })
    const elsewhere = `http://localhost:${await portOf(app)}`
    const wrongPath = 'The URL is wrong. The service signs at /api/generate-signature. A proxy may add a path in front.'
    const { page } = await openTab(t, browser)
    await open(page, origin)
    await page.getByText('URL of the service').click()
    for (const [url, text] of [
      [`${elsewhere}/api/generate-signature`, `A server responds at ${elsewhere}, but this page may not read the response (CORS).\n` +
        `If the server is the service, add ${origin} to its CORS_ORIGIN. Otherwise the URL is wrong, or the server redirects. (ERR_NETWORK)`],
      ['http://nowhere.invalid/x', 'No server responds at http://nowhere.invalid.\n' +
        "The host is unknown, no process listens at the port, or the certificate is not trusted. The browser's console has the reason. (ERR_NETWORK)"],
      [new URL('/nowhere', services.A).href, `Not Found: POST /nowhere\n${wrongPath} (ERR_REFUSED, status 404)`],
      [`${origin}/checkout/`, `Not Found\n${wrongPath} (ERR_REFUSED, status 404)`],
      ['localhost:3001/api/generate-signature', 'url must begin with http:// or https://, or be relative to the page\nERR_ARGUMENT']
    ] as const) {
      await page.getByLabel('URL of the endpoint').fill(url)
      await page.getByRole('button', { name: 'Get signature' }).click()
      await page.locator('.status.bad').waitFor()
      await page.locator('#payment button:not([aria-disabled])').waitFor()
      t.equal(await page.locator('#status').innerText(), text)
    }
  })

  t.test('accessible in every look, without scrolling sideways', async t => {
    const { page } = await openTab(t, browser)
    await open(page, origin)
    await page.getByText('Values of the vendor').click()
    await isAccessible(t, page, 'checkout')
    await page.getByRole('radio', { name: 'Inquiry' }).check({ force: true })
    await submit(page)
    await isAccessible(t, page, 'checkout-signed')

    await page.emulateMedia({ forcedColors: 'active' })
    const colours = await page.evaluate(`[...document.querySelectorAll('[name=variant]')]
      .map(({ parentElement }) => getComputedStyle(parentElement).backgroundColor)`) as string[]
    t.not(colours[0], colours[1], 'the chosen segment is visible')
    await screenshot(page, 'checkout-forced-colours')
  })

  t.test('the client in a worker, and on a page from plain HTTP, which has no randomUUID', async t => {
    const { page, complaints } = await openTab(t, browser, { bypassCSP: true })
    await page.goto(`${origin.replace('127.0.0.1', 'checkout.test')}/checkout/`)
    t.same(await page.evaluate('({ isSecureContext, randomUUID: typeof crypto.randomUUID })'), {
      isSecureContext: false, randomUUID: 'undefined'
    })
    const fields = { url: services.B, variant: 'B', amount: '100.00', merchantAccountNumber: '102551', orderId: 'ORDER-12345' }
    const signed = await page.evaluate(`new Promise((resolve, reject) => {
      const script = ${JSON.stringify(`import { requestSignature } from '${origin.replace('127.0.0.1', 'checkout.test')}/client.js'
        const { applyTo, ...signed } = await requestSignature(${JSON.stringify(fields)})
        postMessage({ ...signed, hasWindow: 'window' in globalThis })`)}
      const worker = new Worker(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })), { type: 'module' })
      worker.onmessage = ({ data }) => resolve(data)
      worker.onerror = ({ message }) => reject(new Error(message))
    })`) as { signature: string, sid: string, clientTimeStamp: number, hasWindow: boolean }
    t.match(signed.sid, uuidV4)
    t.equal(signed.signature, new VariantB(token).sign(signed))
    t.equal(signed.hasWindow, false)
    t.strictSame(complaints, [])
  })
})

t.test('the minimal page, from any static server', { skip: withoutBrowser }, async t => {
  const refusals: Record<string, Refusal> = { REFUSED: { statusCode: 429 }, 'OF-SOMEBODY': { statusCode: 401, error: 'No session' } }
  const { app } = testApp(t, {
    config: { RATE_LIMIT_MAX: 4 },
    authorize: ({ request }) => refusals[String(request.orderId)] ?? true
  })
  const html = read('dist/pages/minimal.html').replace('http://localhost:8081', `http://localhost:${await portOf(app)}`)
  const { page, complaints } = await openTab(t, await launch(t))
  await page.goto(`${await staticServer(t, t.testdir({ 'pay.html': html }))}/pay.html`)
  const pay = async () => {
    await page.getByRole('button', { name: 'Pay' }).click()
    await page.locator('button:not(:disabled)').waitFor()
    return page.getByRole('status').innerText()
  }

  t.equal(await pay(), 'Signed.')
  const { signature, ...sent } = await shown(page, 'payment')
  t.equal(signature, new VariantA(token).sign(sent))
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
