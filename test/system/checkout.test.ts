import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import t from 'tap'
import { VariantA } from '../../src/scheme/variant-a.js'
import { VariantB } from '../../src/scheme/variant-b.js'
import { testApp, token } from '../support/app.js'
import { accessibilityFaults, examplePages, launch, looks, openTab, screenshot, withoutBrowser } from '../support/browser.js'
import { portOf } from '../support/http.js'
import { root } from '../support/server.js'

async function open (page: Page, base: string): Promise<void> {
  await page.goto(`${base}/checkout/`)
  await page.waitForSelector('body[data-ready]')
}

/** Presses the button, and returns the message for the user. */
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
      ['setAmount("100.00")', 'setOrderId("ORDER-12345")']],
    ['A', 'Refund', {
      operationType: 'refund', amount: '100.00', merchantAccountNumber: '102551', transactionFCRN: '987654', orderId: 'ORDER-12345'
    }, ['setAmount("100.00")', 'setOrderId("ORDER-12345")']],
    ['A', 'Void', { operationType: 'void', merchantAccountNumber: '102551', transactionFCRN: '987654', orderId: 'ORDER-12345' },
      ['setOrderId("ORDER-12345")']],
    ['A', 'Inquiry', { operationType: 'inquiry', merchantAccountNumber: '102551', transactionId: 'ORDER-12345', idType: 'ORDER_ID' }, []],
    ['B', '', { amount: '100.00', merchantAccountNumber: '102551', orderId: 'ORDER-12345' },
      ['setAmount("100.00")', 'setOrderId("ORDER-12345")']]
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

  t.test('a refusal is shown with the service\'s message', async t => {
    const { page, complaints } = await openTab(t, browser)
    await open(page, origin)
    await page.getByLabel('Amount').fill('0.00')
    t.equal(await submit(page), 'Invalid amount: amount must be greater than 0\nERR_REFUSED, status 400')
    await page.getByLabel('Amount').fill('1.00')
    await page.getByLabel('Account number').fill('')
    await page.getByRole('button', { name: 'Get signature' }).click()
    await page.getByText('merchantAccountNumber or accountNumber is required').waitFor()
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
      t.equal(await page.locator('#status').innerText(), 'Nothing asked yet.')
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

  for (const path of ['/checkout/', '/inspector/', '/documentation/']) {
    t.test(`${path} runs no script but its own`, async t => {
      const { page, complaints } = await openTab(t, browser)
      await page.goto(`${origin}${path}`)
      t.strictSame(complaints.splice(0), [])
      await page.evaluate(`const injected = document.createElement('script')
        injected.textContent = 'document.title = "injected"'
        document.body.append(injected)`)
      t.not(await page.title(), 'injected')
      t.match(complaints, [/^Executing inline script violates the following Content Security Policy directive/])
    })
  }

  t.test('a wrong address and a CORS failure have different messages', async t => {
    const { app } = testApp(t, { config: { CORS_ORIGIN: 'https://shop.example' } })
    const elsewhere = `http://localhost:${await portOf(app)}`
    const services = await (await fetch(`${origin}/services.json`)).json() as { A: string }
    const wrongPath = 'The address is wrong. The service signs at /api/generate-signature, behind a proxy with its path before it.'
    const { page } = await openTab(t, browser)
    await open(page, origin)
    await page.getByText('Where the service is').click()
    for (const [url, told] of [
      [`${elsewhere}/api/generate-signature`, `Something answers at ${elsewhere}, but this page may not read it (CORS).\n` +
        `If it is the service, add ${origin} to its CORS_ORIGIN. If not, or if it redirects, the address is wrong. (ERR_NETWORK)`],
      ['http://nowhere.invalid/x', 'Nothing answers at http://nowhere.invalid.\n' +
        "There is no such host, nothing listens at that port, or its certificate is not trusted; the browser's console says which. (ERR_NETWORK)"],
      [new URL('/nowhere', services.A).href, `Not Found: POST /nowhere\n${wrongPath} (ERR_REFUSED, status 404)`],
      [new URL('/health', services.A).href, `Method Not Allowed: POST /health\n${wrongPath} (ERR_REFUSED, status 405)`],
      [`${origin}/checkout/`, `Not Found\n${wrongPath} (ERR_REFUSED, status 404)`],
      ['localhost:3001/api/generate-signature', 'url must begin with http:// or https://, or be relative to the page\nERR_ARGUMENT']
    ] as const) {
      await page.getByLabel('URL of the endpoint').fill(url)
      await page.getByRole('button', { name: 'Get signature' }).click()
      await page.locator('.status.bad').waitFor()
      await page.locator('#payment button:not([aria-disabled])').waitFor()
      t.equal(await page.locator('#status').innerText(), told)
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
    await press('Tab', 'Tab', 'Tab', 'Tab')
    t.equal(await focused(), 'variant A')
    await press('Tab', 'ArrowRight')
    t.equal(await focused(), 'operationType refund')
    t.ok(await page.getByLabel('Reference (FCRN)').isVisible())
    await press('Tab')
    t.equal(await focused(), 'amount 100.00', 'the next field')
    await page.keyboard.type('25.50')
    await press('Tab', 'Tab', 'Tab', 'Tab')
    t.equal(await focused(), 'Where the service is')
    await press('Tab')
    t.equal(await focused(), 'Get signature')
    t.not(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'), 'none', 'its focus is visible')
    await press('Enter')
    await page.locator('.status.good').waitFor()
    t.match(await shown(page, 'request'), { operationType: 'refund', amount: '25.50', transactionFCRN: '987654' })
    t.equal(await focused(), 'Get signature', 'the focus stays')
    t.equal(await page.locator('#status').innerText(), 'Signed.\nThe payment request carries the very values that were signed.')
    await press('Shift+Tab', 'Shift+Tab')
    t.equal(await focused(), 'orderId ORDER-12345')
    await press('Enter')
    t.strictSame(complaints, [])
  })

  t.test('accessible in each color scheme and width, without overflow', async t => {
    const { page, complaints } = await openTab(t, browser)
    await open(page, origin)
    await page.getByRole('radio', { name: 'Refund' }).check({ force: true })
    await submit(page)
    for (const { name, colorScheme, viewport } of looks) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize(viewport)
      t.strictSame(await accessibilityFaults(page), [], name)
      t.equal(await page.evaluate('document.documentElement.scrollWidth'), viewport.width, name)
      await screenshot(page, `checkout-${name}`)
    }
    t.strictSame(complaints, [])

    await page.getByLabel('Amount').fill('-1')
    await page.getByRole('button', { name: 'Get signature' }).click()
    await page.locator('.status.bad').waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      t.strictSame(await accessibilityFaults(page), [], `a refusal, ${colorScheme}`)
    }
    await screenshot(page, 'checkout-refused')
  })

  t.test('the payment library takes the place of the stand-in by one line', async t => {
    const folder = t.testdir()
    for (const path of ['examples', 'src', 'tools', 'dist/client', 'tsconfig.json']) cpSync(join(root, path), join(folder, path), { recursive: true })
    const file = join(folder, 'examples/checkout/index.html')
    const html = readFileSync(file, 'utf8')
    const [line = ''] = /<script src="\/payment-library\.js".*<\/script>/.exec(html) ?? []
    writeFileSync(file, html.replace('</head>', `${line}</head>`))
    const ownPages = await examplePages(t, folder)

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
    await open(page, ownPages)
    t.match(await submit(page), /^Signed\./)
    t.equal(await page.locator('#calls-title').innerText(), '3. Calls on RequestBuilder')
    t.equal(await page.locator('#calls li').count(), 3, 'it has no other setters')
    const { sid, clientTimeStamp } = await shown(page, 'request')
    const { signature } = await shown(page, 'answer')
    t.same(await page.evaluate('set'), { signature, sid, clientTimeStamp })
    t.strictSame(complaints, [])
  })
})
