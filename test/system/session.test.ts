import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import type { Authorize } from '../../src/app.js'
import { VariantA, type SignatureRequest } from '../../src/index.js'
import { testApp, token } from '../support/app.js'
import { backend, serve } from '../support/backend.js'
import { launch, openTab, withoutBrowser } from '../support/browser.js'
import { embedded } from '../support/embedded.js'
import { portOf } from '../support/http.js'
import { root } from '../support/server.js'

const client = readFileSync(join(root, 'dist/client/payment-signature.global.js'))
const html = '<!doctype html><title>Shop</title><link rel="icon" href="data:,"><script src="/client.js"></script>'

/** A cookie that browsers send with requests of every site: nothing but the service stands against a forged request. */
const session = 'session=canary; Path=/; SameSite=None; Secure; HttpOnly'

/** A shop at `http://localhost`, with a log-in and the signing route. */
async function shopOf (t: Test) {
  const cookies: unknown[] = []
  const authorize: Authorize = ({ headers }) => {
    cookies.push(headers.cookie)
    return headers.cookie === 'session=canary' || { statusCode: 401, error: 'Log in first' }
  }
  const app = embedded(t, { authorize })
  app.get('/', async (_request, reply) => reply.type('text/html').send(html))
  app.get('/client.js', async (_request, reply) => reply.type('text/javascript').send(client))
  app.get('/login', async (_request, reply) => reply.header('set-cookie', session).type('text/html').send(html))
  return { cookies, origin: `http://localhost:${await portOf(app)}` }
}

/** Calls the client in a page. Returns the signed request, or the code and the status of the error. */
const sign = (page: Page, options: object): Promise<Record<string, unknown>> => page.evaluate(`
  PaymentSignature.requestSignature(${JSON.stringify({ amount: '100.00', merchantAccountNumber: '102551', ...options })})
    .then(({ applyTo, ...signed }) => signed, ({ code, status, message }) => ({ code, status, message }))`)

const isSigned = (t: Test, { signature, ...request }: Record<string, unknown>) =>
  t.equal(signature, new VariantA(token).sign(request as unknown as SignatureRequest))

const path = '/api/generate-signature'
const loggedOut = { code: 'ERR_REFUSED', status: 401, message: 'Log in first' }

t.test('a page with a session', { skip: withoutBrowser }, async t => {
  const browser = await launch(t)

  t.test('of the same origin', async t => {
    const { origin, cookies } = await shopOf(t)
    const { page, complaints } = await openTab(t, browser)
    await page.goto(origin)
    t.match(await sign(page, { url: path }), loggedOut)
    await page.goto(`${origin}/login`)
    isSigned(t, await sign(page, { url: path }))
    t.match(await sign(page, { url: path, credentials: 'omit' }), loggedOut)
    t.strictSame(cookies, [undefined, 'session=canary', undefined])
    t.match(await sign(page, { url: path, credentials: 'none' }), { code: 'ERR_ARGUMENT' })
    t.equal(complaints.length, 2, 'Chromium reports each 401')
  })

  t.test('of another origin', async t => {
    const shop = await shopOf(t)
    const cookies: unknown[] = []
    const AUTHORIZE_URL = await backend(t, ({ headers }, response) => {
      cookies.push(headers.cookie)
      const isLoggedIn = headers.cookie === 'session=canary'
      response.writeHead(isLoggedIn ? 200 : 401).end(JSON.stringify({ allowed: isLoggedIn, error: 'Log in first' }))
    })
    const serviceWith = async (config: object) =>
      `http://localhost:${await portOf(testApp(t, { config: { AUTHORIZE_URL, ...config } }).app)}${path}`
    const url = await serviceWith({ CORS_ORIGIN: shop.origin, CORS_CREDENTIALS: true })
    const { page } = await openTab(t, browser)
    await page.goto(`${shop.origin}/login`)

    isSigned(t, await sign(page, { url, credentials: 'include' }))
    t.match(await sign(page, { url }), loggedOut)
    t.match(await sign(page, { url, credentials: 'include', amount: '0' }), { status: 400 }, 'refusals are readable, too')
    t.strictSame(cookies, ['session=canary', undefined])

    for (const [what, config] of [
      ['off', { CORS_ORIGIN: shop.origin }],
      ['off for all origins', {}],
      ['on for other origins', { CORS_ORIGIN: 'https://shop.example', CORS_CREDENTIALS: true }]
    ] as const) {
      t.match(await sign(page, { url: await serviceWith(config), credentials: 'include' }), { code: 'ERR_NETWORK' }, what)
    }
    t.equal(cookies.length, 2, 'a preflight that fails has no request')
  })

  t.test('another site cannot use the session', async t => {
    const shop = await shopOf(t)
    const asked: unknown[] = []
    const AUTHORIZE_URL = await backend(t, (_request, response) => {
      asked.push('backend')
      response.end('{"allowed":true}')
    })
    const { app } = testApp(t, { config: { AUTHORIZE_URL, CORS_ORIGIN: shop.origin, CORS_CREDENTIALS: true } })
    const received: unknown[] = []
    app.addHook('onResponse', async ({ headers }, { statusCode }) => {
      received.push([headers['content-type'], statusCode])
    })
    const service = `http://localhost:${await portOf(app)}`
    // A form of text/plain sends NAME=VALUE: this name and this value are JSON around the "=".
    const name = '{"amount":"1.00","merchantAccountNumber":"102551","sid":"s","clientTimeStamp":1,"orderId":"'
    const { origin: evil } = await serve(t, (_request, response) => {
      const forms = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'].flatMap(type =>
        [shop.origin, service].map(target => `<form method="post" action="${target}${path}" enctype="${type}">
          <input name='${name}' value='"}'></form>`))
      response.setHeader('content-type', 'text/html').end(`<link rel="icon" href="data:,">${forms.join('')}`)
    })
    const { page } = await openTab(t, browser)
    await page.goto(`${shop.origin}/login`)

    for (let index = 0; index < 6; index++) {
      await page.goto(evil)
      const [response] = await Promise.all([
        page.waitForResponse(response => response.url().endsWith(path)),
        page.waitForURL(`**${path}`),
        page.evaluate(`document.forms[${index}].submit()`)
      ])
      t.equal(response.status(), 415)
      t.match(await response.request().allHeaders(), { cookie: 'session=canary' }, 'the browser sends the cookie')
    }

    await page.goto(evil)
    const body = `${name}O-1"}`
    for (const [content, options] of [
      [JSON.stringify(body), "mode: 'no-cors'"],
      [`new Blob([${JSON.stringify(body)}])`, "mode: 'no-cors'"], // without a content type
      [JSON.stringify(body), "mode: 'no-cors', headers: { 'content-type': 'text/plain; application/json' }"],
      [JSON.stringify(body), "headers: { 'content-type': 'application/json' }"] // its preflight fails
    ] as const) {
      const isSent = await page.evaluate(`fetch('${service}${path}', {
        method: 'POST', credentials: 'include', body: ${content}, ${options}
      }).then(() => true, () => false)`)
      t.equal(isSent, options.startsWith('mode'), options)
    }
    t.match(received, [
      ['text/plain', 415],
      ['application/x-www-form-urlencoded', 415],
      [/^multipart/, 415],
      ['text/plain;charset=UTF-8', 415],
      [undefined, 415],
      ['text/plain; application/json', 415],
      [undefined, 204] // the preflight
    ])
    t.equal(received.length, 7)
    t.strictSame([asked, shop.cookies], [[], []], 'nobody was asked')
  })
})
