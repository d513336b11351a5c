import type { SignatureRequest } from './signature-request.js'
import { textOf } from './text.js'

/** What is joined and hashed (specification 4.2, the table of terms). */
export interface Terms {
  readonly clientTimeStamp: string
  readonly sid: string
  readonly amount: string
  readonly referenceNumber: string
  /** Empty in variant B, which has no such term. */
  readonly orderIdOrNull: string
  /** The secret. */
  readonly merchantToken: string
  readonly accountNumber: string
}

/** The two texts that are hashed. The second contains the merchant token: never log it or send it anywhere. */
export interface PreImages {
  readonly part1: string
  readonly part2: string
}

/** The order in which each part joins its terms, with nothing between them (specification 4.2). */
export const termsIn = {
  part1: ['clientTimeStamp', 'sid', 'amount', 'referenceNumber'],
  part2: ['clientTimeStamp', 'orderIdOrNull', 'merchantToken', 'accountNumber', 'amount', 'referenceNumber']
} as const satisfies Record<keyof PreImages, ReadonlyArray<keyof Terms>>

export function preImagesOf (terms: Terms): PreImages {
  const { clientTimeStamp, sid, amount, referenceNumber, orderIdOrNull, merchantToken, accountNumber } = terms
  return { // as termsIn has it, and several times faster than joining by it
    part1: clientTimeStamp + sid + amount + referenceNumber,
    part2: clientTimeStamp + orderIdOrNull + merchantToken + accountNumber + amount + referenceNumber
  }
}

/**
 * The account number as sent, not normalized: the first truthy of the two fields, as text (specification 4.1 step 3
 * and 4.2).
 *
 * @throws SigningError `ERR_NOT_TEXT`
 */
export function accountNumberOf (request: SignatureRequest): string {
  return textOf(request.merchantAccountNumber || request.accountNumber)
}

/**
 * The token to sign with: a truthy `merchantToken` of the request, as text, or else the configured one (4.2).
 *
 * @throws SigningError `ERR_NOT_TEXT`
 */
export function merchantTokenOf (request: SignatureRequest, configured: string): string {
  return request.merchantToken ? textOf(request.merchantToken) : configured
}

/**
 * An absent or null value, and a value whose text is empty, `undefined` or `null`, gives an empty text; anything else
 * its text (specification 4.3, "toOptional").
 *
 * @throws SigningError `ERR_NOT_TEXT`
 */
export function toOptional (value: unknown): string {
  if (value === undefined || value === null) return ''
  const text = textOf(value)
  return text === 'undefined' || text === 'null' ? '' : text
}
