import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { launch, openTab } from './browser.js'
import { firstPolicy, webSdk } from './documented.js'
import { root, type Scope } from './server.js'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')

export const keys = { office: 'key-of-the-office', probe: 'key-of-the-probe' }
const digests = Object.values(keys).map(key => createHash('sha256').update(key).digest('hex'))

/** The policy of the first steps with the digests of {@link keys}. */
export const shopPolicy = firstPolicy.replaceAll(/[0-9a-f]{64}/g, () => digests.shift()!)

/** Cookie of the shopper with the order in examples/frameworks/shop.mjs. */
const shopper = 'session=demo'

/**
 * Runs a program of examples/first with its files and the key of the probe. Returns its exit code and its output.
 *
 * @param change - of request.json
 */
async function runFirst (name: string, args: string[], change: object, variables = {}, input = '') {
  const folder = mkdtempSync(join(tmpdir(), 'first-'))
  cpSync(join(root, 'examples/first'), folder, { recursive: true })
  writeFileSync(join(folder, 'request.json'), JSON.stringify({ ...JSON.parse(read('examples/first/request.json')), ...change }))
  writeFileSync(join(folder, 'probe-key'), `${keys.probe}\n`)
  const env = { PATH: process.env.PATH, ...variables } // without the variables of the test runner
  const running = promisify(execFile)(process.execPath, [name, ...args], { cwd: folder, env })
  running.child.stdin!.on('error', () => {}).end(input)
  const { stdout, stderr, code = 0 } = await running.catch(error => error)
  rmSync(folder, { recursive: true })
  return { code, output: stdout + stderr }
}

/** Sends the eight requests of docs/safe-tonight.md. */
export const eightRequests = (url: string, { key = keys.office, cookie = shopper, other = 'session=other', change = {} } = {}) =>
  runFirst('eight-requests.mjs', [url], change, { COOKIE: cookie, OTHER_COOKIE: other, KEY: key })

/** Sends the two requests of the alert, as cron does. */
export const alert = (url: string, { keyFile = 'probe-key', change = {} } = {}) =>
  runFirst('alert.mjs', [url, keyFile], change)

/** Searches the log of the service, as cron does. */
export const logAlert = (log: string) => runFirst('log-alert.mjs', [], {}, {}, log)

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
  const [name = '', value = ''] = shopper.split('=')
  await page.context().addCookies([{ name, value, url: origin }])
  await page.goto(`${origin}/checkout.html`)
  await page.waitForFunction('document.title === "ready"')
  const vendor = { partnerCode: 'PARTNER', btc: 1234, merchantToken: 'of-the-page' }
  return (fields: object): Promise<Record<string, unknown>> => page.evaluate(`
    pay(${JSON.stringify({ url: '/payments/api/generate-signature', ...fields })}, ${JSON.stringify(vendor)})
      .then(() => sent.pop(), ({ status, reason, requestId }) => ({ status, reason, requestId }))`)
}
