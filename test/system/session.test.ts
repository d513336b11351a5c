import t from 'tap'
import { testApp } from '../support/app.js'
import { backend, serve } from '../support/backend.js'
import { launch, openTab, withoutBrowser } from '../support/browser.js'
import { embedded } from '../support/embedded.js'
import { portOf } from '../support/http.js'

/** A cookie that browsers send with requests of every site: nothing but the service stands against a forged request. */
const session = 'session=canary; Path=/; SameSite=None; Secure; HttpOnly'

const path = '/api/generate-signature'

t.test('another site cannot use the session', { skip: withoutBrowser }, async t => {
  const asked: unknown[] = []
  const shop = embedded(t, { authorize: () => asked.push('shop') > 0 })
  shop.get('/login', async (_request, reply) => reply.header('set-cookie', session).send())
  const origin = `http://localhost:${await portOf(shop)}`
  const AUTHORIZE_URL = await backend(t, (_request, response) => {
    asked.push('backend')
    response.end('{"allowed":true}')
  })
  const { app } = testApp(t, { config: { AUTHORIZE_URL, CORS_ORIGIN: origin, CORS_CREDENTIALS: true } })
  const received: unknown[] = []
  app.addHook('onResponse', async ({ headers }, { statusCode }) => {
    received.push([headers['content-type'], statusCode])
  })
  const service = `http://localhost:${await portOf(app)}`
  // A form of text/plain sends NAME=VALUE: this name and this value are JSON around the "=".
  const name = '{"amount":"1.00","merchantAccountNumber":"102551","sid":"s","clientTimeStamp":1,"orderId":"'
  const { origin: evil } = await serve(t, (_request, response) => {
    const forms = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'].flatMap(type =>
      [origin, service].map(target => `<form method="post" action="${target}${path}" enctype="${type}">
        <input name='${name}' value='"}'></form>`))
    response.setHeader('content-type', 'text/html').end(`<link rel="icon" href="data:,">${forms.join('')}`)
  })
  const { page } = await openTab(t, await launch(t))
  await page.goto(`${origin}/login`)

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
  t.strictSame(asked, [], 'nobody was asked')
})
