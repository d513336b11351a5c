import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { createPageServer } from '../../examples/pages.js'
import { root } from '../support/server.js'

t.test('it serves the pages and nothing else', async t => {
  const endpoints = { A: 'http://localhost:1/a', B: 'http://localhost:2/b' }
  const server = createPageServer(root, endpoints).listen(0, '127.0.0.1')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  for (const [path, status, type, text] of [
    ['/checkout/', 200, 'text/html; charset=utf-8', '<h1>Checkout</h1>'],
    ['/checkout/?query', 200, 'text/html; charset=utf-8', '<h1>Checkout</h1>'],
    ['/client.js', 200, 'text/javascript; charset=utf-8', 'requestSignature'],
    ['/inspector/inspector.js', 200, 'text/javascript; charset=utf-8', 'function termsOfVariantA'],
    ['/services.json', 200, 'application/json', JSON.stringify(endpoints)],
    ['/package.json', 404, 'text/plain', 'Not Found'],
    ['/checkout/..%2f..%2fpackage.json', 404, 'text/plain', 'Not Found']
  ] as const) {
    const answer = await fetch(`${origin}${path}`)
    t.equal(answer.status, status, path)
    t.equal(answer.headers.get('content-type'), type, path)
    t.match(await answer.text(), text, path)
  }
  const answer = await fetch(origin, { redirect: 'manual' })
  t.equal(answer.headers.get('location'), '/checkout/')
})
