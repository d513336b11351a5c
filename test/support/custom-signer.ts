import type { Signer } from '../../src/scheme/signer.js'
import { readerOf, type Variant } from '../../src/scheme/variants.js'

/** A signer that implements both methods and extends no variant. */
export const customSigner = (variant: Variant, signReading: Signer['signReading']): Signer =>
  ({ variant, read: request => readerOf(variant).read(request), signReading })
