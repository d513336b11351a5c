import { termsOfVariantA } from './derivation-a.js'
import { termsOfVariantB } from './derivation-b.js'
import { UsageError } from './errors.js'
import type { SignatureRequest } from './signature-request.js'
import type { Terms } from './terms.js'

/** The two schemes (specification, part 9). */
export type Variant = 'A' | 'B'

/**
 * The terms of a request under a variant. No token, no network, no crypto: runs in browsers as well.
 *
 * @throws UsageError `ERR_VARIANT`
 * @throws SigningError `ERR_SID_INVALID` or `ERR_NOT_TEXT`
 */
export function termsOf (variant: Variant, request: SignatureRequest, merchantToken: string): Terms {
  switch (variant) {
    case 'A': return termsOfVariantA(request, merchantToken)
    case 'B': return termsOfVariantB(request, merchantToken)
    default: throw new UsageError('ERR_VARIANT')
  }
}
