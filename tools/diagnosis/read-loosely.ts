import type { Reading, SignatureRequest } from '../../src/scheme/request.js'
import { readerOf, type Variant } from '../../src/scheme/variants.js'

/**
 * Reads a request without the refusals of specification 4.1. Returns undefined if a value cannot be converted to text.
 *
 * @param isStrict - as for the variant's `read`
 */
export function readLoosely (variant: Variant, request: SignatureRequest, isStrict = false): Reading | undefined {
  const reader = readerOf(variant)
  // The steps of `read` are protected: no other code reads what the service refuses.
  try {
    return reader['readingWith'](reader['derive'](request, isStrict), request)
  } catch {
    return undefined
  }
}
