import { UsageError } from './errors.js'
import type { SignatureRequest, Variant } from './request.js'

/** @throws UsageError `ERR_MERCHANT_TOKEN`: without it `undefined` would be signed as the token. */
export function assertMerchantToken (token: unknown): asserts token is string {
  if (typeof token !== 'string' || token === '') throw new UsageError('ERR_MERCHANT_TOKEN')
}

/** @throws UsageError `ERR_REQUEST` */
export function assertRequest (request: unknown): asserts request is SignatureRequest {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) throw new UsageError('ERR_REQUEST')
}

/** @throws UsageError `ERR_SIGNATURE` */
export function assertSignature (signature: unknown): asserts signature is string {
  if (typeof signature !== 'string') throw new UsageError('ERR_SIGNATURE')
}

/** @throws UsageError `ERR_VARIANT` */
export function assertVariant (variant: unknown): asserts variant is Variant {
  if (variant !== 'A' && variant !== 'B') throw new UsageError('ERR_VARIANT')
}

/** @throws UsageError `ERR_LIMIT` */
export function assertLimits (maxChanges: number, maxTries: number): void {
  if (![0, 1, 2, 3].includes(maxChanges) || !Number.isInteger(maxTries) || maxTries < 1) throw new UsageError('ERR_LIMIT')
}
