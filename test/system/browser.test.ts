import t from 'tap'
import type { SignatureRequest } from '../../src/scheme/request.js'
import { VariantB } from '../../src/scheme/variant-b.js'
import { testApp, token } from '../support/app.js'
import { serve } from '../support/backend.js'
import { endpointsOf, examplePages, launch, openTab, withoutBrowser } from '../support/browser.js'
import { portOf } from '../support/http.js'

type Signed = SignatureRequest & { signature: string, hasWindow?: boolean }

const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

t.test('the client in Chromium', { skip: withoutBrowser }, async t => {
  const origin = await examplePages(t)
  const { B: endpoint } = await endpointsOf(origin)
  const browser = await launch(t)
  const fields = { url: endpoint, amount: '100.00', merchantAccountNumber: '102551', orderId: 'ORDER-12345' }
  const signer = new VariantB(token)

  t.test('as a module, in a worker', async t => {
    const { page, complaints } = await openTab(t, browser, { bypassCSP: true })
    await page.goto(`${origin}/checkout/`)
    const signed = await page.evaluate(`new Promise((resolve, reject) => {
      const script = ${JSON.stringify(`import { requestSignature } from '${origin}/client.js'
        const { applyTo, ...signed } = await requestSignature(${JSON.stringify(fields)})
        postMessage({ ...signed, hasWindow: 'window' in globalThis })`)}
      const worker = new Worker(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })), { type: 'module' })
      worker.onmessage = ({ data }) => resolve(data)
      worker.onerror = ({ message }) => reject(new Error(message))
    })`) as Signed
    t.equal(signed.signature, signer.sign(signed))
    t.equal(signed.hasWindow, false)
    t.strictSame(complaints, [])
  })

  t.test('on a page from plain HTTP, which has no randomUUID', async t => {
    const { page, complaints } = await openTab(t, browser)
    await page.goto(`${origin.replace('127.0.0.1', 'checkout.test')}/checkout/`)
    t.same(await page.evaluate('({ isSecureContext, randomUUID: typeof crypto.randomUUID })'), {
      isSecureContext: false, randomUUID: 'undefined'
    })
    await page.getByRole('radio', { name: 'B' }).check({ force: true })
    await page.getByRole('button', { name: 'Get signature' }).click()
    await page.locator('.status.good').waitFor()
    const request = JSON.parse(await page.locator('#request').innerText())
    t.match(request.sid, uuidV4)
    t.equal(JSON.parse(await page.locator('#answer').innerText()).signature, signer.sign(request))
    t.strictSame(complaints, [])
  })

  t.test('a page of another origin reads Retry-After, X-Request-Id and Error-Code', async t => {
    const { app } = testApp(t, { config: { RATE_LIMIT_MAX: 3, BODY_LIMIT: 1024 } })
    const service = `http://localhost:${await portOf(app)}`
    const url = `${service}/api/generate-signature`
    const { page } = await openTab(t, browser)
    await page.goto(`${origin}/checkout/`)
    const requestId = /^[0-9a-f]+-[0-9a-z]+$/
    const errorOf = (options: object): Promise<unknown> => page.evaluate(`import('/client.js')
      .then(({ requestSignature }) => requestSignature(${JSON.stringify({ ...fields, url, ...options })}))
      .catch(error => ({ ...error, message: error.message }))`)

    t.match(await page.evaluate(`fetch('${url}', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '${JSON.stringify({ accountNumber: '1', sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11', clientTimeStamp: 1 })}'
    }).then(({ status, headers }) => ({ status, requestId: headers.get('x-request-id') }))`), { status: 200, requestId })
    t.match(await errorOf({ url: `${service}/nowhere` }), { status: 404, requestId, errorCode: 'not-found' })
    t.match(await errorOf({ orderId: '1'.repeat(2000) }), { status: 413, requestId, errorCode: 'body-too-large' })
    app.isOverloaded = () => true
    t.match(await errorOf({}), { status: 503, requestId, retryAfter: Number, errorCode: 'overloaded' })
    app.isOverloaded = () => false
    t.match(await errorOf({ amount: '0' }), { status: 400, requestId, errorCode: 'amount-not-positive; field=amount' })
    t.match(await errorOf({}), { status: 429, requestId, retryAfter: Number, errorCode: 'rate-limit', request: { orderId: 'ORDER-12345' } })
  })

  t.test('failures are reported', async t => {
    const { origin: other } = await serve(t, ({ url, method }, response) => {
      response.setHeader('access-control-allow-origin', '*').setHeader('access-control-allow-headers', '*')
      if (method === 'OPTIONS') response.end()
      else if (url === '/redirect') response.writeHead(307, { location: endpoint }).end()
      else if (url === '/half') response.write('{"signature":')
    })

    const { page } = await openTab(t, browser)
    await page.goto(`${origin}/checkout/`)
    const errorOf = (options: string): Promise<unknown> => page.evaluate(`import('/client.js')
      .then(({ requestSignature }) => requestSignature({ amount: '100.00', merchantAccountNumber: '102551', ${options} }))
      .catch(({ name, code, status, message }) => ({ name, code, status, message }))`)

    for (const [what, options, expected] of [
      ['a redirect', `url: '${other}/redirect'`, { code: 'ERR_NETWORK', status: undefined }],
      ['half an answer', `url: '${other}/half', timeout: 300`, { code: 'ERR_TIMEOUT', message: `${other}/half did not respond within 300 ms` }],
      ['an abort', `url: '${other}/never', signal: AbortSignal.timeout(50)`, { code: 'ERR_ABORTED', status: undefined }],
      ['nobody there', "url: 'http://127.0.0.1:1/'", { code: 'ERR_NETWORK' }],
      ['a header that is not allowed', `url: '${endpoint}', headers: { 'a b': 'c' }`, { code: 'ERR_ARGUMENT' }]
    ] as const) {
      t.match(await errorOf(options), { name: 'SignatureRequestError', ...expected }, what)
    }
  })
})
