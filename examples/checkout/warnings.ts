import type { SignatureRequest } from '../../src/scheme/fields.js'
import { readerOf } from '../../src/scheme/variants.js'
import type { Variant } from '../../src/scheme/variants.js'
import { warningsOf } from '../../tools/explain/warnings.js'

/** The client makes both for each request, so that there is never a warning of them. */
const made = { sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11', clientTimeStamp: 1709912345678 }

/** What is legal and usually wrong about a request, a sentence each; nothing about one that is refused anyway. */
export function warningsAbout (variant: Variant, fields: Partial<SignatureRequest>): string[] {
  try {
    return warningsOf(readerOf(variant).read({ ...fields, ...made } as SignatureRequest)).map(({ message }) => message)
  } catch {
    return []
  }
}
