import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import type { Refusal } from '../../src/fastify.js'
import { VariantA } from '../../src/scheme/variant-a.js'
import { VariantB } from '../../src/scheme/variant-b.js'
import { testApp, token } from '../support/app.js'
import { serve } from '../support/backend.js'
import { accessibilityFaults, endpointsOf, examplePages, isAccessible, launch, openTab, screenshot, withoutBrowser } from '../support/browser.js'
import { portOf } from '../support/http.js'
import { root } from '../support/server.js'
import { version } from '../../src/process/version.js'

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
  const browser = await launch(t)

  const { page, complaints } = await openTab(t, browser)

  for (const [variant, operation, fields, setters] of [
    ['A', 'Purchase', { operationType: 'purchase', amount: '100.00', merchantAccountNumber: '102551', orderId: 'ORDER-12345' },
      ['setMerchantAccountNumber("102551")', 'setAmount("100.00")', 'setOrderId("ORDER-12345")']],
    ['A', 'Refund', {
      operationType: 'refund', amount: '100.00', merchantAccountNumber: '102551', transactionFCRN: '987654', orderId: 'ORDER-12345'
    }, ['setMerchantAccountNumber("102551")', 'setAmount("100.00")', 'setOrderId("ORDER-12345")', 'setTransactionFCRN("987654")']],
    ['A', 'Void', { operationType: 'void', merchantAccountNumber: '102551', transactionFCRN: '987654', orderId: 'ORDER-12345' },
      ['setMerchantAccountNumber("102551")', 'setOrderId("ORDER-12345")', 'setTransactionFCRN("987654")']],
    ['A', 'Inquiry', { operationType: 'inquiry', merchantAccountNumber: '102551', transactionId: 'ORDER-12345', idType: 'ORDER_ID' },
      ['setMerchantAccountNumber("102551")', 'setTransactionId("ORDER-12345")', 'setIdType("ORDER_ID")']],
    ['B', '', { amount: '100.00', merchantAccountNumber: '102551', orderId: 'ORDER-12345' },
      ['setMerchantAccountNumber("102551")', 'setAmount("100.00")', 'setOrderId("ORDER-12345")']]
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
      t.strictSame(await page.locator('#calls li').allInnerTexts(), [
        `setSignature("${signature}")`, `setSid("${sid}")`, `setClientTimeStamp(${clientTimeStamp})`, ...setters
      ])
      t.strictSame(complaints, [])
    })
  }

  t.test('a refusal shows the request and the response', async t => {
    const { page, complaints } = await openTab(t, browser)
    await open(page, origin)
    await page.getByLabel('Amount').fill('0.00')
    t.equal(await submit(page), 'Invalid amount: amount must be greater than 0\nERR_REFUSED, status 400')
    const { sid, clientTimeStamp, ...sent } = await shown(page, 'request')
    t.strictSame(sent, { operationType: 'purchase', amount: '0.00', merchantAccountNumber: '102551', orderId: 'ORDER-12345' })
    t.match([sid, clientTimeStamp], [/^[0-9a-f-]{36}$/, Number])
    t.match(await page.locator('#answer').innerText(), new RegExp('^HTTP 400\nError-Code: amount-not-positive; field=amount\n' +
      'X-Request-Id: \\S+\n{\n {2}"error": "Invalid amount: amount must be greater than 0"\n}$'))

    const stale = page.locator('#stale')
    t.equal(await stale.innerText(), '')
    await page.getByLabel('Amount').fill('1.00')
    t.equal(await stale.innerText(), 'Stale: a field has changed. This result belongs to the earlier values.')
    await page.getByLabel('Amount').fill('0.00')
    t.equal(await stale.innerText(), '', 'the submitted value again')

    await page.getByLabel('Amount').fill('1.00')
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
    const warnings = () => page.getByRole('alert').getByRole('listitem').allInnerTexts()
    for (const [label, text, expected] of [
      ['Amount', '100,00', 'amount is not digits, a point and two decimals, as in 100.00.'],
      ['Amount', '', 'amount is absent or empty, and a purchase is signed without one.'],
      ['Order id', 'OR\u200bDER', 'orderId has an invisible or unusual character inside, U+200B, which is hashed too.']
    ] as const) {
      await open(page, origin)
      await page.getByLabel(label, { exact: true }).fill(text)
      await page.getByRole('button', { name: 'Get signature' }).press('Enter')
      await page.getByRole('button', { name: 'Sign anyway' }).waitFor()
      t.strictSame(await warnings(), [expected])
      t.equal(await page.locator('#status').innerText(), 'No request yet.')
      t.strictSame(await accessibilityFaults(page), [])
    }
    await page.getByLabel('Order id', { exact: true }).fill('ORDER\u00a01')
    await page.getByLabel('Amount').fill('')
    t.strictSame(await warnings(), [], 'another request')
    await page.getByRole('button', { name: 'Get signature' }).click()
    await page.getByRole('button', { name: 'Sign anyway' }).click()
    await page.locator('.status.good').waitFor()
    t.match(await shown(page, 'request'), { amount: '', orderId: 'ORDER\u00a01' }, 'the fields are signed as typed')
    t.strictSame(complaints, [])
  })

  t.test('runs only its own scripts', async t => {
    const { page, complaints } = await openTab(t, browser)
    await page.goto(`${origin}/checkout/`)
    t.strictSame(complaints.splice(0), [])
    await page.evaluate(`const injected = document.createElement('script')
      injected.textContent = 'document.title = "injected"'
      document.body.append(injected)`)
    t.not(await page.title(), 'injected')
    t.match(complaints, [/^Executing inline script violates the following Content Security Policy directive/])
  })

  t.test('a wrong URL and CORS have different messages', async t => {
    const { app } = testApp(t, { config: { CORS_ORIGIN: 'https://shop.example' } })
    const elsewhere = `http://localhost:${await portOf(app)}`
    const services = await endpointsOf(origin)
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
      [new URL('/health', services.A).href, `Method Not Allowed: POST /health\n${wrongPath} (ERR_REFUSED, status 405)`],
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

  t.test('programs for the backend, to copy', async t => {
    const { page, complaints } = await openTab(t, browser, { permissions: ['clipboard-read', 'clipboard-write'] })
    await open(page, origin)
    await page.getByLabel('Order id', { exact: true }).fill("it's")
    await submit(page)
    const { sid } = await shown(page, 'request')
    for (const [language, has, command] of [
      ['PHP', 'function sign(string $variant, string $token, array $request): string {', 'php sign.php'],
      ['Python', 'def sign(variant, token, request):', 'python3 sign.py'],
      ['Go', 'func sign(variant, token string, request map[string]any) (string, error) {', 'go run sign.go']
    ] as const) {
      await page.getByRole('radio', { name: language }).check({ force: true })
      await page.locator('#run').getByText(command).waitFor()
      await page.getByRole('button', { name: 'Copy the program' }).click()
      await page.locator('.announcement').getByText('Copied').waitFor()
      const program = String(await page.evaluate('navigator.clipboard.readText()'))
      for (const text of [has, `"sid": "${sid}"`, '"orderId": "it\\u0027s"']) t.ok(program.includes(text), `${language} ${text}`)
    }
    t.strictSame(complaints, [])
  })

  t.test('with the keyboard alone', async t => {
    const { page, complaints } = await openTab(t, browser)
    await open(page, origin)
    const press = async (...keys: string[]) => { for (const key of keys) await page.keyboard.press(key) }
    const focused = () => page.locator(':focus').evaluate(({ name, value, textContent }: Record<string, string>) =>
      name ? `${name} ${value}` : textContent)
    await press('Tab', 'Tab', 'Tab', 'Tab', 'Tab')
    t.equal(await focused(), 'variant A')
    await press('Tab', 'ArrowRight')
    t.equal(await focused(), 'operationType refund')
    t.ok(await page.getByLabel('Reference (FCRN)').isVisible())
    await press('Tab')
    t.equal(await focused(), 'amount 100.00', 'the next field')
    await page.keyboard.type('25.50')
    await press('Tab', 'Tab', 'Tab', 'Tab')
    t.equal(await focused(), 'URL of the service')
    await press('Tab')
    t.equal(await focused(), 'Get signature')
    t.not(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'), 'none', 'its focus is visible')
    await press('Enter')
    await page.locator('.status.good').waitFor()
    t.match(await shown(page, 'request'), { operationType: 'refund', amount: '25.50', transactionFCRN: '987654' })
    t.equal(await focused(), 'Get signature', 'the focus stays')
    t.equal(await page.locator('#status').innerText(), 'Signed.\nThe payment request contains exactly the values that were signed.')
    await press('Shift+Tab', 'Shift+Tab')
    t.equal(await focused(), 'orderId ORDER-12345')
    await press('Enter')
    t.strictSame(complaints, [])
  })

  t.test('accessible in every look, without scrolling sideways', async t => {
    const { page, complaints } = await openTab(t, browser)
    const states = [
      ['before', async () => {}],
      ['signed', async () => {
        await page.getByRole('radio', { name: 'Refund' }).check({ force: true })
        await submit(page)
      }],
      ['stale', () => page.getByLabel('Amount').fill('2.00')],
      ['refused', async () => {
        await page.getByLabel('Amount').fill('-1')
        await page.getByRole('button', { name: 'Get signature' }).click()
        await page.locator('.status.bad').waitFor()
      }]
    ] as const
    await open(page, origin)
    for (const [state, reach] of states) {
      await reach()
      await isAccessible(t, page, `checkout-${state}`)
    }
    t.ok(complaints.every(text => text.startsWith('Failed to load resource: the server responded with a status of 400')))

    await page.emulateMedia({ forcedColors: 'active' })
    const colours = await page.evaluate(`[...document.querySelectorAll('[name=variant]')]
      .map(({ parentElement }) => getComputedStyle(parentElement).backgroundColor)`) as string[]
    t.not(colours[0], colours[1], 'the chosen segment is visible')
    await screenshot(page, 'checkout-forced-colours')
  })

  t.test('a copy of the folder works alone, with the payment library in place of the stand-in', async t => {
    const folder = join(t.testdir(), 'shop')
    cpSync(join(root, 'dist/pages/checkout'), folder, { recursive: true })
    const file = join(folder, 'index.html')
    const html = readFileSync(file, 'utf8')
    const [line = ''] = /<script src="\/payment-library\.js".*<\/script>/.exec(html) ?? []
    const { A } = await endpointsOf(origin)
    writeFileSync(file, html.replace('</head>', `${line}</head>`).replace('http://localhost:8081/api/generate-signature', A))
    const shop = await staticServer(t, t.testdirName)

    const { page, complaints } = await openTab(t, browser)
    await page.route('**/payment-library.js', route => route.fulfill({
      contentType: 'text/javascript',
      body: `globalThis.PaymentLibrary = { RequestBuilder: class RequestBuilder {
        #set = {}
        setSignature (value) { this.#set.signature = value; return this }
        setSid (value) { this.#set.sid = value; return this }
        setClientTimeStamp (value) { this.#set.clientTimeStamp = value; globalThis.set = this.#set; return this }
      } }`
    }))
    await page.goto(`${shop}/shop/`)
    await page.waitForSelector('body[data-ready]')
    t.match(await submit(page), /^Signed\./)
    t.equal(await page.locator('#calls-title').innerText(), '3. Calls on RequestBuilder')
    t.equal(await page.locator('#calls li').count(), 3, 'the builder has no other setters')
    const { sid, clientTimeStamp } = await shown(page, 'request')
    const { signature } = await shown(page, 'answer')
    t.same(await page.evaluate('set'), { signature, sid, clientTimeStamp })
    t.strictSame(complaints, [])
  })
})

t.test('the minimal page, from any static server', { skip: withoutBrowser }, async t => {
  const browser = await launch(t)
  const refusals: Record<string, Refusal> = { REFUSED: { statusCode: 429 }, 'OF-SOMEBODY': { statusCode: 401, error: 'No session' } }
  const { app } = testApp(t, {
    config: { RATE_LIMIT_MAX: 4 },
    authorize: ({ request }) => refusals[String(request.orderId)] ?? true
  })
  const html = readFileSync(join(root, 'dist/pages/minimal.html'), 'utf8')
    .replace('http://localhost:8081', `http://localhost:${await portOf(app)}`)
  const { page, complaints } = await openTab(t, browser)
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
  t.match(await pay(), /^Payment is not possible\. Nothing was paid\. Reference: [0-9a-f]+-[0-9a-z]+$/)
  t.equal(await page.locator('#payment').innerText(), '')
  await page.getByLabel('Amount').fill('100.00')
  await page.getByLabel('Order id').fill('REFUSED')
  t.match(await pay(), /^Payment is not possible\. /, 'a 429 without Retry-After')
  t.match(await pay(), /^Busy\. Nothing was paid\. Please try again in \d+ seconds\.$/)
  t.match(complaints.filter(text => text.startsWith('ERR_')), [
    /^ERR_REFUSED 401 \S+ No session/, /^ERR_REFUSED 400 \S+ Invalid amount/,
    /^ERR_REFUSED 429 \S+ Refused by the merchant/, /^ERR_REFUSED 429 \S+ Too many/
  ])
  await app.close()
  t.equal(await pay(), 'No connection. Nothing was paid. Please try again.')
  const byProxy = { status: 502, headers: { 'access-control-allow-origin': '*' }, body: '<h1>Bad Gateway</h1>' }
  await page.route('**/api/generate-signature', route => route.fulfill(byProxy))
  t.equal(await pay(), 'Busy. Nothing was paid. Please try again in 5 seconds.', 'the proxy reaches no instance')
})

t.test('the API reference opens one operation and needs no script', { skip: withoutBrowser }, async t => {
  const origin = await examplePages(t)
  const browser = await launch(t)
  const { page, complaints } = await openTab(t, browser)
  await page.goto(`${origin}/reference/`)
  t.match(await page.locator('header').innerText(), `Version ${version}.`)
  t.strictSame(await page.locator('[name=operation], details.card').evaluateAll(all => all.map(({ id, open }: any) => [id, open])), [
    ['generateSignature', true], ['root', false], ['health', false], ['ready', false]
  ])
  const operation = page.locator('#generateSignature')
  t.ok(await operation.getByText('8ffa2c87ec0ba39c3a775be930e10c6bebe869c0cfdad774f8cbd21523a6df9c').isVisible())
  await isAccessible(t, page, 'reference')
  await operation.getByText('Errors', { exact: true }).click()
  t.ok(await operation.getByText('Invalid amount: amount must be greater than 0').isVisible())
  t.strictSame(await accessibilityFaults(page), [], 'errors')
  await page.getByRole('link', { name: 'GET /ready' }).click()
  await page.locator('#ready').getByText('GET /ready').click()
  t.notOk(await operation.getByRole('heading', { name: 'Request', exact: true }).isVisible(), 'one operation is open at a time')
  t.strictSame(complaints, [])
})
