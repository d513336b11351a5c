import type { Page } from 'playwright-core'
import t from 'tap'
import { version } from '../../src/service/version.js'
import { accessibilityFaults, examplePages, launch, looks, openTab, screenshot, withoutBrowser } from '../support/browser.js'

t.test('the API reference', { skip: withoutBrowser }, async t => {
  const origin = await examplePages(t)
  const browser = await launch(t)

  async function open (page: Page): Promise<void> {
    await page.goto(`${origin}/documentation/`)
    await page.locator('.opblock').first().waitFor()
  }

  t.test('shows the version of the package, and calls the service', async t => {
    const { page, complaints } = await openTab(t, browser)
    await open(page)
    t.equal((await page.locator('h1 .version').first().innerText()).trim(), version)
    await page.getByRole('button', { name: /^POST/ }).click()
    await page.getByRole('button', { name: 'Try it out' }).click()
    await page.getByRole('button', { name: 'Execute' }).click()
    await page.locator('.live-responses-table').getByText('8ffa2c87ec0ba39c3a775be930e10c6bebe869c0cfdad774f8cbd21523a6df9c').first().waitFor()
    t.strictSame(complaints, [])
  })

  for (const { name, colorScheme, viewport } of looks) {
    t.test(`accessible, without overflow: ${name}`, async t => {
      const { page, complaints } = await openTab(t, browser, { colorScheme, viewport })
      await open(page)
      const isDark = await page.evaluate('getComputedStyle(document.body).backgroundColor')
      t.equal(isDark, colorScheme === 'dark' ? 'rgb(28, 32, 34)' : 'rgb(250, 250, 250)')
      for (const operation of await page.locator('.opblock-summary-control').all()) await operation.click()
      await page.getByRole('button', { name: 'Try it out' }).first().click()
      await page.getByRole('button', { name: 'Execute' }).click()
      await page.locator('.live-responses-table').waitFor()
      t.strictSame(await accessibilityFaults(page), [])
      t.equal(await page.evaluate('document.documentElement.scrollWidth'), viewport.width)
      await screenshot(page, `reference-${name}`)
      await page.locator('.auth-wrapper .authorize').click()
      await page.getByRole('dialog').waitFor()
      t.strictSame(await accessibilityFaults(page), [], 'its dialog')
      t.strictSame(complaints, [])
    })
  }
})
