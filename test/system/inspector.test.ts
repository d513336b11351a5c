import type { Page } from 'playwright-core'
import t from 'tap'
import { accessibilityFaults, examplePages, isAccessible, launch, openTab, screenshot, withoutBrowser } from '../support/browser.js'

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

/** Presses the button, and returns the verdict. */
async function inspectText (page: Page, requestText: string, signatureText = signature): Promise<string> {
  await page.getByLabel('Request', { exact: true }).fill(requestText)
  await page.getByLabel('Signature', { exact: true }).fill(signatureText)
  await page.getByRole('button', { name: 'Inspect' }).click()
  await page.locator('#status:not(:has-text("Searching"))').waitFor()
  return page.locator('#status strong').innerText()
}

const inspect = (page: Page, fields: object): Promise<string> =>
  inspectText(page, JSON.stringify({ ...request, ...fields }, null, 2))

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
      ['clientTimeStamp', '1709912345678'],
      ['sid', '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11'],
      ['amount', '100.00'],
      ['referenceNumber', 'empty\n\nnothing: a purchase has no reference']
    ])
    t.equal(await page.locator('#digest').innerText(), signature.slice(0, 64))
    t.ok(await page.getByText('None: all fields are visible ASCII characters.').isVisible())
    t.notOk(await page.getByText('Allowed, but often a mistake').isVisible())
    t.strictSame(complaints, [])
  })

  t.test('a signature of another request', async t => {
    const { page, complaints } = await openTab(t, browser)
    await open(page)
    t.equal(await inspect(page, { amount: '100', orderId: 'OR\u200bDER-12345' }), 'Part 1 is wrong.')
    t.match(await page.locator('#causes').innerText(), /amount was "100\.00" when it was signed; your request has "100"\.[^]*Format the amount once/)
    t.strictSame(await rows(page, 'oddities'), [['orderId', '3', 'U+200B', 'ZERO WIDTH SPACE']])
    t.strictSame(await page.locator('#warnings li').allInnerTexts(), ['amount is not digits, a point and two decimals, as in 100.00.'])

    await inspect(page, { operationType: 'refund', transactionFCRN: '98\u04307654' })
    t.equal(await page.locator('#pre-image .referenceNumber').innerText(), '98а U+04307654')
    t.match((await rows(page, 'terms'))[3], ['referenceNumber', '98а U+04307654\n\ntransactionFCRN'])

    t.equal(await inspect(page, { amount: '0' }), 'The service refuses this request.')
    t.match(await page.locator('#status').innerText(), 'Invalid amount: amount must be greater than 0')
    t.notOk(await page.locator('#explanation').isVisible())

    t.equal(await inspectText(page, JSON.stringify(request), 'a'.repeat(64) + signature.slice(64)), 'Part 1 is wrong.')
    t.match(await page.locator('#status').innerText(), 'No cause was found.')
    t.equal(await page.locator('#causes li').count(), 0)
    t.strictSame(complaints, [])
  })

  t.test('an example can be loaded', async t => {
    const { page, complaints } = await openTab(t, browser)
    await open(page)
    for (const edited of ['{}', '']) {
      await page.getByLabel('Request', { exact: true }).fill(edited)
      await page.getByRole('button', { name: 'Load an example' }).click()
      await page.getByText('Part 1 is wrong.').waitFor()
      t.match(await page.locator('#causes').innerText(), 'amount was "100.00" when it was signed; your request has "100".')
    }
    t.strictSame(complaints, [])
  })

  t.test('a pasted request is read', async t => {
    const { page, complaints } = await openTab(t, browser)
    await open(page)
    const json = JSON.stringify(request)
    t.equal(await inspectText(page, `10:00 INFO POST body=${JSON.stringify(json)} 200`), 'Part 1 is right.')
    t.equal(await inspectText(page, json, signature.toUpperCase()), 'Part 1 is right, but the format of the signature is wrong.')
    t.match(await page.locator('#causes').innerText(), 'uppercase')
    t.equal(await inspectText(page, json, ''), 'No signature to compare.')
    t.equal(await inspectText(page, json, 'abc'), 'The format of the signature is wrong.')
    t.match(await page.locator('#hints').innerText(), /^This is not a signature: /)
    t.equal(await inspectText(page, 'curl -d @request.json http://localhost'), 'The curl command reads its body from a file: use that file instead')
    t.notOk(await page.locator('#details').isVisible())
    t.strictSame(complaints, [])
  })

  t.test('the digest is copied, or selected without a clipboard', async t => {
    const { page } = await openTab(t, browser, { permissions: ['clipboard-read', 'clipboard-write'] })
    await open(page)
    await inspect(page, {})
    await page.locator('button[data-copy=digest]').click()
    await page.locator('.announcement').getByText('Copied').waitFor()
    t.equal(await page.evaluate('navigator.clipboard.readText()'), signature.slice(0, 64))

    await page.goto(`${origin.replace('127.0.0.1', 'checkout.test')}/inspector/`)
    await page.waitForSelector('body[data-ready]')
    await inspect(page, {})
    await page.locator('button[data-copy=digest]').click()
    await page.getByRole('button', { name: 'Selected: copy it now' }).waitFor()
    t.equal(await page.evaluate('String(getSelection()).trim()'), signature.slice(0, 64))
  })

  t.test('the checkout page opens the inspector with the keyboard', async t => {
    const { page, complaints } = await openTab(t, browser)
    await page.goto(`${origin}/checkout/`)
    await page.waitForSelector('body[data-ready]')
    await page.getByRole('radio', { name: 'B' }).check({ force: true })
    await page.getByRole('button', { name: 'Get signature' }).press('Enter')
    const link = page.getByText('See what was hashed')
    await link.waitFor() // visible: a key pressed on a hidden link does nothing
    await link.press('Enter')
    await page.getByText('Part 1 is right.').waitFor()
    t.ok(await page.getByRole('radio', { name: 'B' }).isChecked())
    t.match((await rows(page, 'terms'))[3], ['referenceNumber', 'ORDER-12345\n\norderId'])

    await page.getByRole('radio', { name: 'B' }).focus()
    for (const key of ['ArrowLeft', 'Tab', 'Tab', 'Tab', 'Enter']) await page.keyboard.press(key)
    await page.getByText('Part 1 is wrong.').waitFor()
    t.strictSame(complaints, [])
  })

  t.test('the page sends nothing', async t => {
    const { page, complaints } = await openTab(t, browser)
    const answered: string[] = []
    page.on('requestfinished', request => answered.push(new URL(request.url()).pathname))
    await open(page)
    await inspect(page, {})
    t.strictSame(answered.sort(), ['/copy.js', '/inspector/', '/inspector/inspector.js', '/pages.css'])
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
    t.equal(answered.length, 4)
  })

  t.test('accessible in each color scheme and width, without overflow', async t => {
    const { page, complaints } = await openTab(t, browser)
    await open(page)
    await inspect(page, { amount: '100', sid: '98\u04307\u200b654 ' })
    await isAccessible(t, page, 'inspector')
    t.equal(await inspect(page, {}), 'Part 1 is right.')
    t.strictSame(await accessibilityFaults(page), [])
    await screenshot(page, 'inspector-right')
    t.equal(await inspect(page, { amount: '100' }), 'Part 1 is wrong.')
    t.strictSame(await rows(page, 'causes'), [['signed', '"100.00"', '6'], ['sent', '"100"', '3']])
    t.strictSame(await accessibilityFaults(page), [])
    await screenshot(page, 'inspector-cause')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.evaluate('scrollTo(0, 0)')
    t.equal(await inspect(page, { amount: '100' }), 'Part 1 is wrong.')
    for (const text of ['One cause was found', '→ Format the amount once']) {
      const { y = 0, height = 0 } = await page.getByText(text).boundingBox() ?? {}
      t.ok(y > 0 && y + height <= 844, `a phone shows ${text} at ${y}`)
    }
    t.strictSame(complaints, [])
  })
})
