import { SigningError } from '../scheme/errors.js'
import type { SignatureRequest } from '../scheme/signature-request.js'
import type { Terms } from '../scheme/terms.js'
import { textOf } from '../scheme/text.js'
import { termsOf } from '../scheme/variant.js'
import type { Variant } from '../scheme/variant.js'

const someSid = '00000000-0000-4000-8000-000000000000'

/**
 * The terms of a request, also of one that is refused for its session id: whoever signed may not have refused it.
 * Undefined if a value has no text.
 */
export function looseTermsOf (variant: Variant, request: SignatureRequest, merchantToken: string): Terms | undefined {
  try {
    const terms = termsOf(variant, { ...request, sid: someSid }, merchantToken)
    return { ...terms, sid: textOf(request.sid ?? '') }
  } catch (failure) {
    if (failure instanceof SigningError) return undefined
    throw failure
  }
}
