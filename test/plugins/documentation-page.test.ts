import t from 'tap'
import { testApp } from '../support/app.js'
import { launch, openTab, screenshot, withoutBrowser } from '../support/browser.js'
import { portOf } from '../support/http.js'

t.test('the API reference in Chromium: it shows, and tries out', { skip: withoutBrowser }, async t => {
  const { app } = testApp(t)
  const { page, complaints } = await openTab(t, await launch(t))
  await page.goto(`http://127.0.0.1:${await portOf(app)}/documentation`)
  await page.getByText('Sign a payment request').click()
  for (const name of ['Try it out', 'Execute']) await page.getByRole('button', { name }).click()
  await page.locator('.live-responses-table').getByText('8ffa2c87ec0ba39c3a775be930e10c6bebe869c0cfdad774f8cbd21523a6df9c').waitFor()
  t.strictSame(complaints, [], 'nothing breaks its content security policy')
  await screenshot(page, 'documentation')
})
