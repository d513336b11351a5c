import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { launch, openTab } from './browser.js'
import { policy, webSdk } from './documented.js'
import { officeKey } from './example.js'
import { root, type Scope } from './server.js'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** The policy of the examples with the digest of another key, because everybody knows the documented one. */
export const shopPolicy = policy.replace(/[0-9a-f]{64}/, officeKey)
export const key = 'key-of-the-office'

/** Cookie of the only shopper in examples/frameworks/shop.mjs. */
const cookie = 'session=demo'

/** Runs a program of examples/first. Returns its exit code and its output. */
async function runFirst (program: string, [name, ...args]: [string, ...string[]], variables = {}) {
  const env = { PATH: process.env.PATH, ...variables } // without the variables of the test runner
  const running = promisify(execFile)(program, [join(root, 'examples/first', name), ...args], { env })
  const { stdout, stderr, code = 0 } = await running.catch(error => error)
  return { code, output: stdout + stderr }
}

/** Sends the eight requests of docs/safe-tonight.md. */
export const eightRequests = (url: string, KEY = key) =>
  runFirst(process.execPath, ['eight-requests.mjs', url], { COOKIE: cookie, KEY })

/** Sends the two requests of the alert, as cron does. */
export const alert = (url: string, keyFile: string) => runFirst(process.execPath, ['alert.mjs', url, keyFile])

/**
 * Opens a page of a shop in Chromium, with the stub of the Web SDK, the documented lines and a logged-in shopper.
 *
 * @param origin - of the shop. The page itself is not served by the shop
 * @returns a function that pays, and returns the message to the payment app or the error of the client
 */
export async function checkout (t: Scope, origin: string) {
  const { page } = await openTab(t, await launch(t))
  const files: Record<string, [type: string, text: string]> = {
    '/sdk.js': ['text/javascript', read('test/support/web-sdk.js')],
    '/client.js': ['text/javascript', read('dist/client/index.js')],
    '/web-sdk.js': ['text/javascript', webSdk],
    '/checkout.html': ['text/html', `<!doctype html><link rel="icon" href="data:,"><script src="/sdk.js"></script>
      <script type="importmap">{ "imports": { "payment-signature-client": "/client.js" } }</script>
      <script type="module">globalThis.pay = (await import('/web-sdk.js')).pay; document.title = 'ready'</script>`]
  }
  for (const [path, [contentType, body]] of Object.entries(files)) {
    await page.route(origin + path, route => route.fulfill({ contentType, body }))
  }
  const [name = '', value = ''] = cookie.split('=')
  await page.context().addCookies([{ name, value, url: origin }])
  await page.goto(`${origin}/checkout.html`)
  await page.waitForFunction('document.title === "ready"')
  const vendor = { partnerCode: 'PARTNER', btc: 1234, merchantToken: 'of-the-page' }
  return (fields: object): Promise<Record<string, unknown>> => page.evaluate(`
    pay(${JSON.stringify({ url: '/payments/api/generate-signature', ...fields })}, ${JSON.stringify(vendor)})
      .then(() => sent.pop(), ({ status, reason, requestId }) => ({ status, reason, requestId }))`)
}
