import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import t from 'tap'
import { VariantA, VariantB } from '../../src/scheme/signer.js'
import { testApp, token } from '../support/app.js'
import { accessibilityFaults, examplePages, launch, looks, openTab, screenshot, withoutBrowser } from '../support/browser.js'
import { portOf } from '../support/http.js'
import { root } from '../support/server.js'

async function open (page: Page, base: string): Promise<void> {
  await page.goto(`${base}/checkout/`)
  await page.waitForSelector('body[data-ready]')
}

/** Presses the button, and returns what the user is told. */
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

  t.test('a refusal is shown as the service says it', async t => {
    const { page, complaints } = await openTab(t, browser)
    await open(page, origin)
    await page.getByLabel('Amount').fill('0.00')
    t.equal(await submit(page), 'Invalid amount: amount must be greater than 0\nERR_REFUSED, status 400')
    await page.getByLabel('Amount').fill('1.00')
    await page.getByLabel('Account number').fill('')
    await page.getByRole('button').click()
    await page.getByText('merchantAccountNumber or accountNumber is required').waitFor()
    t.strictSame(await page.locator('#calls li').count(), 0)
    t.ok(complaints.every(text => text.startsWith('Failed to load resource: the server responded with a status of 400')))
  })

  t.test('a service that lets only other origins in', async t => {
    const { app } = testApp(t, { config: { CORS_ORIGIN: 'https://shop.example' } })
    const { page, complaints } = await openTab(t, browser)
    await open(page, origin)
    await page.getByText('Where the service is').click()
    await page.getByLabel('URL of the endpoint').fill(`http://localhost:${await portOf(app)}/api/generate-signature`)
    t.equal(await submit(page), 'The service cannot be reached, or does not let this page read its responses (CORS)\nERR_NETWORK')
    t.match(complaints[0], /blocked by CORS policy/)
  })

  t.test('with the keyboard alone', async t => {
    const { page, complaints } = await openTab(t, browser)
    await open(page, origin)
    const press = async (...keys: string[]) => { for (const key of keys) await page.keyboard.press(key) }
    const focused = () => page.locator(':focus').evaluate(({ name, value, textContent }: Record<string, string>) =>
      name ? `${name} ${value}` : textContent)
    await press('Tab', 'Tab', 'Tab')
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
    t.equal(await page.getByRole('status').innerText(), 'Signed.\nThe payment request carries the very values that were signed.')
    await press('Shift+Tab', 'Shift+Tab')
    t.equal(await focused(), 'orderId ORDER-12345')
    await press('Enter')
    t.strictSame(complaints, [])
  })

  t.test('accessible in every look, and nothing sticks out', async t => {
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
    await page.getByRole('button').click()
    await page.locator('.status.bad').waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      t.strictSame(await accessibilityFaults(page), [], `a refusal, ${colorScheme}`)
    }
    await screenshot(page, 'checkout-refused')
  })

  t.test('the payment library takes the place of the stand-in by one line', async t => {
    const folder = t.testdir()
    for (const path of ['examples', 'dist/client']) cpSync(join(root, path), join(folder, path), { recursive: true })
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
