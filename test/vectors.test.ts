import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { SignatureRequest } from '../src/scheme/fields.js'
import { ownTokenOf } from '../src/scheme/reading.js'
import { readerOf, signerOf, variantNames } from '../src/scheme/variants.js'
import { root } from './support/server.js'

interface Vector {
  name: string
  token: string
  request: SignatureRequest
  part1: { preImage: string, digest: string }
  part2: { preImage: string, digest: string }
  signature: string
}

const folder = join(root, 'vectors')

for (const variant of variantNames) {
  t.test(`variant ${variant}`, async t => {
    const file = JSON.parse(readFileSync(join(folder, `variant-${variant.toLowerCase()}.json`), 'utf8'))
    const vectors: Vector[] = file.vectors
    t.equal(file.variant, variant)
    t.ok(vectors.length >= 40, `${vectors.length} vectors`)

    for (const { name, token, request, part1, part2, signature } of vectors) {
      const reading = readerOf(variant).read(request)
      const preImages = readerOf(variant).preImagesOf(reading, ownTokenOf(reading) ?? token)
      t.equal(preImages.part1.toWellFormed(), part1.preImage, `${name}: pre-image of part 1`)
      t.equal(preImages.part2.toWellFormed(), part2.preImage, `${name}: pre-image of part 2`)
      t.equal(signerOf(variant, token).sign(request), signature, `${name}: signature`)
      t.equal(signature, `${part1.digest}///${part2.digest}`, `${name}: digests`)
    }
  })
}
