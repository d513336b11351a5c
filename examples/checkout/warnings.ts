import type { SignatureRequest } from '../../src/scheme/request.js'
import { readerOf } from '../../src/scheme/variants.js'
import type { Variant } from '../../src/scheme/variants.js'
import { warningsOf } from '../../tools/explain/warnings.js'

/** Valid values: the client makes both fields, so they never cause a warning. */
const made = { sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11', clientTimeStamp: 1709912345678 }

/** Returns a sentence for each value that is legal and usually a mistake; none for a request that is refused. */
export function warningsAbout (variant: Variant, fields: Partial<SignatureRequest>): string[] {
  try {
    const request = { ...fields, ...made } as SignatureRequest
    return warningsOf(readerOf(variant).read(request, true), request).map(({ message }) => message)
  } catch {
    return []
  }
}
