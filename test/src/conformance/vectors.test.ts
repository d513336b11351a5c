import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { hintFor } from '../../../src/conformance/traps.js'
import { loadVectors } from '../../../src/conformance/vectors.js'
import { root } from '../../support/server.js'

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
