import type { SignatureRequest } from './signature-request.js'

/**
 * The account number as sent, not normalized: the first truthy of the two fields, as text (specification 4.1 step 3
 * and 4.2).
 */
export function accountNumberOf (request: SignatureRequest): string {
  return String(request.merchantAccountNumber || request.accountNumber)
}

/** The token to sign with: a truthy `merchantToken` of the request, as text, or else the configured one (4.2). */
export function merchantTokenOf (request: SignatureRequest, configured: string): string {
  return request.merchantToken ? String(request.merchantToken) : configured
}

/**
 * An absent or null value, and a value whose text is empty, `undefined` or `null`, gives an empty text; anything else
 * its text (specification 4.3, "toOptional").
 */
export function toOptional (value: unknown): string {
  if (value === undefined || value === null) return ''
  const text = String(value)
  return text === 'undefined' || text === 'null' ? '' : text
}
