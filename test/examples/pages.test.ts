import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createPages } from '../../examples/pages.js'
import { root } from '../support/server.js'

t.test('it serves the pages and nothing else', async t => {
  const endpoints = { A: 'http://localhost:1/a', B: 'http://localhost:2/b' }
  const app = createPages(root, endpoints)
  t.teardown(() => app.close())

  for (const [path, status, type, text] of [
    ['/checkout/', 200, 'text/html; charset=utf-8', '<h1>Checkout</h1>'],
    ['/checkout/?query', 200, 'text/html; charset=utf-8', '<h1>Checkout</h1>'],
    ['/client.js', 200, 'text/javascript; charset=utf-8', 'requestSignature'],
    ['/inspector/inspector.js', 200, 'text/javascript; charset=utf-8', 'VariantSigner'],
    ['/checkout/warnings.js', 200, 'text/javascript; charset=utf-8', 'function warningsOf'],
    ['/samples/sample.js', 200, 'text/javascript; charset=utf-8', 'function sampleOf'],
    ['/samples/sign.go', 200, 'text/plain; charset=utf-8', 'package main'],
    ['/services.json', 200, 'application/json; charset=utf-8', JSON.stringify(endpoints)],
    ['/package.json', 404, 'application/json; charset=utf-8', 'Not Found'],
    ['/checkout/..%2f..%2fpackage.json', 404, 'application/json; charset=utf-8', 'Not Found']
  ] as const) {
    const response = await app.inject(path)
    t.equal(response.statusCode, status, path)
    t.equal(response.headers['content-type'], type, path)
    t.match(response.body, text, path)
  }
  t.equal((await app.inject('/')).headers.location, '/checkout/')
})

t.test('the API reference, with what it is made of, asks the services', async t => {
  const app = createPages(root, { A: 'http://localhost:1/a', B: 'http://localhost:2/b' })
  t.teardown(() => app.close())
  const page = await app.inject('/documentation/')
  t.match(page.headers['content-type'], /^text\/html/)
  const files = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => String(path))
  t.ok(files.length >= 5)
  for (const path of files) t.equal((await app.inject(new URL(path, 'http://x/documentation/').pathname)).statusCode, 200, path)
  t.match((await app.inject('/documentation/json')).json(), {
    openapi: '3.1.0',
    info: { version: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version },
    servers: [{ url: 'http://localhost:1', description: 'variant A' }, { url: 'http://localhost:2', description: 'variant B' }]
  })
})
