import t from 'tap'
import { body, signature } from '../../support/example.js'
import { refuses } from '../../support/command-line.js'
import { root, server } from '../../support/server.js'

const script = 'dist/tools/command-line/payment-signature.js'

t.test('serves the pages and both services until Ctrl-C', async t => {
  const example = server(t, {}, { cwd: root, script, args: ['example', '--port', '0'], isCovered: true })
  await example.says(/Ctrl-C ends them all\.\n/)
  const [checkout, minimal, A, B] = example.output().match(/http:\S+/g) as [string, string, string, string]
  for (const [url, text] of [
    [checkout, `data-endpoint-a="${A}" data-endpoint-b="${B}"`], [minimal, `const url = '${A}'`],
    [checkout, '<a href="/checkout/" aria-current="page">Checkout</a>\n<a href="/minimal.html">Minimal</a></nav>'],
    [minimal, '<header>\n    <nav aria-label="Examples"><a href="/checkout/">Checkout</a>\n<a href="/minimal.html" aria-current="page">Minimal</a>']
  ] as const) {
    const response = await fetch(url)
    t.equal(response.headers.get('content-type'), 'text/html; charset=utf-8', url)
    t.equal(response.headers.get('x-content-type-options'), 'nosniff', url)
    const html = await response.text()
    t.match(html, text, url)
    t.match(html.slice(0, html.search(/<(?:script|style|link)\b/)),
      /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; [^"]*form-action 'none'; base-uri 'none'">/, url)
  }
  t.equal((await fetch(new URL('/', checkout))).url, checkout)
  t.equal((await fetch(new URL('checkout.js', checkout))).headers.get('content-type'), 'text/javascript; charset=utf-8')
  for (const path of ['/package.json', '/checkout/..%2f..%2fpackage.json']) {
    t.equal((await fetch(new URL(path, checkout))).status, 404, path)
  }
  const responses = await Promise.all([A, B].map(async url =>
    (await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).json()))
  t.same(responses, [{ signature }, { error: 'sid must be a valid GUID (UUID v4)' }])

  const busy = server(t, {}, {
    cwd: root, script, args: ['example', '--port', new URL(checkout).port], isCovered: true
  })
  t.equal(await busy.ended, 2)
  t.match(busy.output(), /^payment-signature: listen EADDRINUSE: address already in use \S+; see --port\n$/)

  example.process.kill('SIGINT')
  t.equal(await example.ended, 0)
})

t.test('refuses an invalid port', async t => {
  for (const port of ['x', '65534', '8080.5', '']) {
    await refuses(t, ['example', `--port=${port}`], 'the port must be a whole number from 0 to 65533')
  }
})
