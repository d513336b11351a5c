import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { runEach } from '../../../tools/conformance/program.js'
import { callEndpoint } from '../../../tools/conformance/endpoint.js'
import { hintFor } from '../../../tools/conformance/traps.js'
import { loadVectors } from '../../../tools/conformance/vectors.js'
import { root } from '../../support/server.js'
import { whole } from '../../support/whole.js'

for (const variant of ['A', 'B'] as const) {
  t.test(`the requests of variant ${variant} are as they stand in the file`, async t => {
    const path = join(root, `vectors/variant-${variant.toLowerCase()}.json`)
    const stored = JSON.parse(readFileSync(path, 'utf8')).vectors
    const vectors = loadVectors(variant)
    t.equal(vectors.length, stored.length)
    for (const [index, { name, variant: own, requestText, request }] of vectors.entries()) {
      t.equal(name, stored[index].name)
      t.equal(own, variant)
      t.same(JSON.parse(requestText), request, name)
      t.same(request, stored[index].request, name)
      t.notMatch(requestText, /[\n\r]/, name)
    }
  })

  t.test(`each rule of variant ${variant} has a hint`, async t => {
    for (const { rule } of loadVectors(variant)) t.not(hintFor(rule), '', rule)
  })
}

t.test('numbers keep their spelling', async t => {
  const texts = loadVectors('A').filter(({ request }) => request.amount === 100).map(({ requestText }) => requestText)
  t.ok(texts.some(text => text.includes('"amount": 100.00,')))
})

t.test('a rule without a known trap has no hint', async t => {
  t.equal(hintFor('9.9 versions'), '')
})

t.test('a command', async t => {
  const vectors = loadVectors('A').slice(0, 1)

  t.test('a program that does not end is ended', async t => {
    const args = ['-e', 'setInterval(() => {}, 1000)']
    const [outcome] = await runEach({ program: process.execPath, args, env: {}, timeout: 500 }, vectors)
    t.same(outcome, { problem: 'timed out after 0.5 seconds' })
  })
})

t.test('an endpoint', async t => {
  t.test('a service that does not answer is not waited for', async t => {
    const server = createServer(() => {}).listen(0, '127.0.0.1')
    t.teardown(() => {
      server.close()
      server.closeAllConnections()
    })
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    await t.rejects(callEndpoint(url, loadVectors('B'), 50), {
      name: 'ConformanceError', code: 'ERR_CONFORMANCE', message: whole(`${url} cannot be reached: no response in time`)
    })
  })

  t.test('no vectors need no service', async t => {
    t.same(await callEndpoint('http://127.0.0.1:1/', [], 50), [])
  })
})
