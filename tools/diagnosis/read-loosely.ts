import type { Reading, SignatureRequest } from '../../src/scheme/request.js'
import { VariantA } from '../../src/scheme/variant-a.js'
import { VariantB } from '../../src/scheme/variant-b.js'
import { noToken, type VariantSigner } from '../../src/scheme/variant.js'
import type { Variant } from '../../src/scheme/variants.js'

/** Adds a reading without the refusals of specification 4.1 to a variant. */
function loose (variant: new (merchantToken: typeof noToken) => VariantSigner) {
  abstract class Loose extends variant {
    readLoosely (request: SignatureRequest): Reading {
      return this.readingWith(this.derive(request), request)
    }
  }
  return new (Loose as unknown as new (merchantToken: typeof noToken) => Loose)(noToken)
}

const readers = { A: loose(VariantA), B: loose(VariantB) }

/** Reads a request that `read` may refuse. Returns undefined if a value cannot be converted to text. */
export function readLoosely (variant: Variant, request: SignatureRequest): Reading | undefined {
  try {
    return readers[variant].readLoosely(request)
  } catch {
    return undefined
  }
}
