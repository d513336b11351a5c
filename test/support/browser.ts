import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import axe, { type AxeResults } from 'axe-core'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import type { Test } from 'tap'
import { createPages } from '../../examples/pages.js'
import { testApp } from './app.js'
import { portOf } from './http.js'
import { root, type Scope } from './server.js'

const executablePath = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(path => existsSync(path))

/** For a test's `skip`: why it cannot run a browser; false if it can. */
export const withoutBrowser = executablePath === undefined && 'Chromium is not installed'

/** A Chromium of its own, which ends with the test. It finds `checkout.test`, over plain HTTP, on this machine. */
export async function launch (t: Scope): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: String(executablePath),
    args: [
      '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', '--host-resolver-rules=MAP checkout.test 127.0.0.1'
    ]
  })
  t.teardown(() => browser.close())
  return browser
}

interface Tab {
  page: Page
  /** What a user would not want to see in the console: errors, warnings, and what nobody caught. */
  complaints: string[]
}

/** A page with nothing on it yet, which is closed with the test. */
export async function openTab (t: Scope, browser: Browser, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext(options)
  t.teardown(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(10_000) // milliseconds
  const complaints: string[] = []
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', error => complaints.push(String(error)))
  return { page, complaints }
}

/** The origin of the example pages in a folder, with services of both variants at origins of their own. */
export async function examplePages (t: Test, folder = root): Promise<string> {
  const endpoint = async (variant: 'A' | 'B') => {
    const { app } = testApp(t, { config: { VARIANT: variant, LOG_LEVEL: 'silent' } })
    return `http://localhost:${await portOf(app)}/api/generate-signature`
  }
  const pages = createPages(folder, { A: await endpoint('A'), B: await endpoint('B') })
  t.teardown(() => pages.close())
  return pages.listen({ host: '127.0.0.1', port: 0 })
}

/** What axe finds wrong with the page as it is, a line for each rule and element. */
export async function accessibilityFaults (page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<AxeResults>('axe.run()')
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} ${target} ${failureSummary}`))
}

/** The looks that a page has to have. */
export const looks = (['light', 'dark'] as const).flatMap(colorScheme => [
  { name: `phone-${colorScheme}`, colorScheme, viewport: { width: 390, height: 740 } },
  { name: `desktop-${colorScheme}`, colorScheme, viewport: { width: 1280, height: 900 } }
])

/** Writes a screenshot of the whole page into the folder SCREENSHOTS, if there is one, for people to look at. */
export async function screenshot (page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
