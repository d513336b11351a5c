import axe, { type AxeResults } from 'axe-core'
import { chromium, type Browser, type Page } from 'playwright-core'
import type { Test } from 'tap'
import { lacking, pathOf } from './installed.js'
import type { Scope } from './server.js'

const executablePath = pathOf('chromium') ?? pathOf('google-chrome')

/** Value for a test's `skip`: the reason why no browser can run, or false. */
export const withoutBrowser = executablePath === undefined && lacking('chromium')

/** Starts a Chromium that ends with the test. It resolves `checkout.test` to this machine. */
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
  /** Errors, warnings and uncaught exceptions of the console. */
  complaints: string[]
}

/** Opens an empty page. The test closes the page at its end. */
export async function openTab (t: Scope, browser: Browser): Promise<Tab> {
  const context = await browser.newContext()
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

/** Returns the faults that axe finds in the page, a line for each rule and element. */
async function accessibilityFaults (page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<AxeResults>('axe.run()')
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} ${target} ${failureSummary}`))
}

/** Colour schemes and sizes in which each page is tested. */
const looks = (['light', 'dark'] as const).flatMap(colorScheme => [
  { name: `narrow-${colorScheme}`, colorScheme, viewport: { width: 320, height: 640 } },
  { name: `phone-${colorScheme}`, colorScheme, viewport: { width: 390, height: 740 } },
  { name: `desktop-${colorScheme}`, colorScheme, viewport: { width: 1280, height: 900 } }
])

/** Checks in every look that a page is accessible and does not scroll sideways. */
export async function isAccessible (t: Test, page: Page, what: string): Promise<void> {
  for (const { name, colorScheme, viewport } of looks) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(viewport)
    t.strictSame(await accessibilityFaults(page), [], `${what} ${name}`)
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), viewport.width, `${what} ${name}`)
  }
}
