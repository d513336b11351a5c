import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { toText, type SignatureRequest } from '../src/scheme/request.js'
import { preImagesOf } from '../src/scheme/signer.js'
import { readerOf, rulesOf, signerOf, variantNames, type Variant } from '../src/scheme/variants.js'
import { testApp } from './support/app.js'
import { answer } from './support/http.js'
import { root } from './support/server.js'

interface Vector {
  variant?: Variant
  name: string
  error?: string
  status?: number
  token: string
  request: SignatureRequest
  part1: { preImage: string, digest: string }
  part2: { preImage: string, digest: string }
  signature: string
}

const folder = join(root, 'vectors')

const vectorsOf = (name: string): Array<Vector & { variant: Variant }> => {
  const { variant, vectors } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))
  return (vectors as Vector[]).map(vector => ({ ...vector, variant: vector.variant ?? variant }))
}

for (const [file, least] of [...variantNames.map(name => [`variant-${name.toLowerCase()}`, 40] as const), ['lone-surrogates', 7] as const]) {
  t.test(`signatures of ${file}`, async t => {
    const vectors = vectorsOf(file)
    t.ok(vectors.length >= least, `${vectors.length} vectors`)

    for (const { variant, name, token, request, part1, part2, signature } of vectors) {
      const reading = readerOf(variant).read(request)
      const ownToken = request.merchantToken ? toText(request.merchantToken) : undefined
      const preImages = preImagesOf(rulesOf(variant), reading, ownToken ?? token)
      t.equal(preImages.part1.toWellFormed(), part1.preImage, `${name}: pre-image of part 1`)
      t.equal(preImages.part2.toWellFormed(), part2.preImage, `${name}: pre-image of part 2`)
      t.equal(signerOf(variant, token).sign(reading), signature, `${name}: signature`)
      t.equal(signature, `${part1.digest}///${part2.digest}`, `${name}: digests`)
    }
  })
}

t.test('refusals are the responses of the service', async t => {
  for (const variant of variantNames) {
    const { app } = testApp(t, { config: { VARIANT: variant, MERCHANT_TOKEN: 'development-only-token' } })
    const vectors = vectorsOf('refusals').filter(vector => vector.variant === variant)
    t.ok(vectors.length >= 50)
    for (const { name, request, status, error } of vectors) {
      t.strictSame(await answer(app, { method: 'POST', url: '/api/generate-signature', payload: request }), [status, { error }], name)
    }
  }
})

t.test('only one file has lone surrogates, which strict JSON decoders refuse', async t => {
  const hasLone = (file: string) => !JSON.stringify(vectorsOf(file)).isWellFormed() || /\\ud[89a-f]/.test(JSON.stringify(vectorsOf(file)))
  t.strictSame(['variant-a', 'variant-b', 'refusals', 'lone-surrogates'].map(hasLone), [false, false, false, true])
})

t.test('the README has the number of the vectors of each file', t => {
  const readme = readFileSync(join(folder, 'README.md'), 'utf8')
  const count = (name: string) => vectorsOf(name).length
  t.match(readme, `| ${count('variant-a')} and ${count('variant-b')} requests, `)
  t.match(readme, `| ${count('lone-surrogates')} more, `)
  t.match(readme, `| ${count('refusals')} requests that the specification refuses, `)
  t.match(readme, `variant-a.json: ${count('variant-a')} vectors, ok\nvariant-b.json: ${count('variant-b')} vectors, ok\n`)
  t.end()
})
