import type { Page } from 'playwright-core'
import t from 'tap'
import { accessibilityFaults, examplePages, launch, looks, openTab, screenshot, withoutBrowser } from '../support/browser.js'

// printf '%s' 17099123456785f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11100.00 | sha256sum
const signature = `8ffa2c87ec0ba39c3a775be930e10c6bebe869c0cfdad774f8cbd21523a6df9c///${'0'.repeat(64)}`
const request = {
  operationType: 'purchase',
  amount: '100.00',
  merchantAccountNumber: '102551',
  orderId: 'ORDER-12345',
  sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11',
  clientTimeStamp: 1709912345678
}

async function inspect (page: Page, fields: object): Promise<string> {
  await page.getByLabel('Request, as JSON').fill(JSON.stringify({ ...request, ...fields }, null, 2))
  await page.getByLabel('Signature', { exact: true }).fill(signature)
  await page.getByRole('button', { name: 'Inspect' }).click()
  await page.locator('.status.good, .status.bad').waitFor()
  return page.getByRole('status').locator('strong').innerText()
}

const rows = async (page: Page, id: string) =>
  (await page.locator(`#${id} tr`).allInnerTexts()).map(text => text.split('\t').map(cell => cell.trim()))

t.test('the inspector page', { skip: withoutBrowser }, async t => {
  const origin = await examplePages(t)
  const browser = await launch(t)

  async function open (page: Page): Promise<void> {
    await page.goto(`${origin}/inspector/`)
    await page.waitForSelector('body[data-ready]')
  }

  t.test('a signature that is right', async t => {
    const { page, complaints } = await openTab(t, browser)
    await open(page)
    t.equal(await inspect(page, {}), 'Part 1 is right.')
    t.equal(await page.locator('#pre-image').innerText(), '17099123456785f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11100.00')
    t.strictSame(await rows(page, 'terms'), [
      ['Time stamp', '1709912345678', 'right'],
      ['Session id', '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11', 'right'],
      ['Amount', '100.00', 'right'],
      ['Reference', 'empty', 'right']
    ])
    t.ok(await page.getByText('None: all are visible ASCII characters.').isVisible())
    t.strictSame(complaints, [])
  })

  t.test('a signature of something else', async t => {
    const { page, complaints } = await openTab(t, browser)
    await open(page)
    t.equal(await inspect(page, { amount: '1\u200b00.00' }), 'Part 1 is wrong.')
    t.equal(await page.locator('#pre-image .amount').innerText(), '1U+200B00.00')
    t.strictSame(await rows(page, 'oddities'), [['Amount', '2', 'U+200B', 'ZERO WIDTH SPACE']])
    t.strictSame((await rows(page, 'terms')).map(([, , verdict]) => verdict), Array(4).fill('unknown'))

    t.equal(await inspect(page, { amount: '100' }), 'Part 1 is wrong: amount.')
    t.strictSame((await rows(page, 'terms'))[2], ['Amount', '100', 'wrong: signed as 100.00'])

    t.equal(await inspect(page, { operationType: 'refund', transactionFCRN: '98\u04307654' }), 'Part 1 is wrong: reference.')
    t.equal(await page.locator('#pre-image .referenceNumber').innerText(), '98а U+04307654')
    t.strictSame((await rows(page, 'terms'))[3], ['Reference', '98а7654', 'wrong: signed as empty'])

    t.equal(await inspect(page, { amount: '0' }), 'The service refuses this request: Invalid amount: amount must be greater than 0')
    t.notOk(await page.locator('#details').isVisible())
    t.strictSame(complaints, [])
  })

  t.test('from the checkout page, with the keyboard', async t => {
    const { page, complaints } = await openTab(t, browser)
    await page.goto(`${origin}/checkout/`)
    await page.waitForSelector('body[data-ready]')
    await page.getByRole('radio', { name: 'B' }).check({ force: true })
    await page.getByRole('button').press('Enter')
    const link = page.getByText('See what was hashed')
    await link.waitFor() // visible: a key pressed on a hidden link does nothing
    await link.press('Enter')
    await page.getByText('Part 1 is right.').waitFor()
    t.ok(await page.getByRole('radio', { name: 'B' }).isChecked())
    t.match((await rows(page, 'terms'))[3], ['Reference', 'ORDER-12345', 'right'])

    await page.getByRole('radio', { name: 'B' }).focus()
    for (const key of ['ArrowLeft', 'Tab', 'Tab', 'Tab', 'Enter']) await page.keyboard.press(key)
    await page.getByText('Part 1 is wrong: reference.').waitFor()
    t.strictSame(complaints, [])
  })

  t.test('nothing can leave the page', async t => {
    const { page, complaints } = await openTab(t, browser)
    const answered: string[] = []
    page.on('requestfinished', request => answered.push(new URL(request.url()).pathname))
    await open(page)
    await inspect(page, {})
    t.strictSame(answered.sort(), ['/inspector/', '/inspector/inspector.js', '/pages.css'])
    t.strictSame(complaints, [])
    for (const attempt of [
      "fetch('/services.json')", "fetch('https://shop.example/')", "new WebSocket('wss://shop.example/')",
      "navigator.sendBeacon('/services.json', 'x')"
    ]) {
      await page.evaluate(`(async () => { await ${attempt} })().catch(() => {})`)
    }
    await page.evaluate("new Promise(resolve => { const image = new Image(); image.onerror = resolve; image.src = '/x.png' })")
    t.ok(complaints.length >= 5, 'all are refused')
    t.ok(complaints.every(text => text.includes('Content Security Policy')), complaints.join('\n'))
    t.equal(answered.length, 3)
  })

  t.test('accessible in every look, and nothing sticks out', async t => {
    const { page, complaints } = await openTab(t, browser)
    await open(page)
    await inspect(page, { amount: '100', operationType: 'refund', transactionFCRN: '98\u04307\u200b654 ' })
    for (const { name, colorScheme, viewport } of looks) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize(viewport)
      t.strictSame(await accessibilityFaults(page), [], name)
      t.equal(await page.evaluate('document.documentElement.scrollWidth'), viewport.width, name)
      await screenshot(page, `inspector-${name}`)
    }
    t.equal(await inspect(page, {}), 'Part 1 is right.')
    t.strictSame(await accessibilityFaults(page), [])
    await screenshot(page, 'inspector-right')
    t.strictSame(complaints, [])
  })
})
