import { merchantTokenOf, readLoosely } from '../scheme/reading.js'
import type { SignatureRequest, Variant } from '../scheme/request.js'
import type { SomeTerms } from './hypothesis.js'

/**
 * The terms of a request, also of one that is refused: whoever signed may not have refused it. Undefined if a value has
 * no text.
 */
export function looseTermsOf (
  variant: Variant, request: SignatureRequest, merchantToken: string
): SomeTerms | undefined {
  const reading = readLoosely(variant, request)
  if (reading === undefined) return undefined
  const { clientTimeStamp, sid, amount, referenceNumber, orderIdOrNull, accountNumber } = reading
  const token = merchantTokenOf(reading, merchantToken)
  return { clientTimeStamp, sid, amount, referenceNumber, orderIdOrNull, merchantToken: token, accountNumber }
}
