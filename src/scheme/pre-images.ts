/** What is joined and hashed, but for the merchant token (specification 4.2, the table of terms). */
export interface Terms {
  readonly clientTimeStamp: string
  readonly sid: string
  readonly amount: string
  readonly referenceNumber: string
  /** Empty in variant B, which has no such term. */
  readonly orderIdOrNull: string
  readonly accountNumber: string
}

/** The name of a term; the merchant token is one too. */
export type TermName = keyof Terms | 'merchantToken'

/** The two texts that are hashed. The second contains the merchant token: never log it or send it anywhere. */
export interface PreImages {
  readonly part1: string
  readonly part2: string
}

/** The order in which each part joins its terms, with nothing between them (specification 4.2). */
export const termsIn = {
  part1: ['clientTimeStamp', 'sid', 'amount', 'referenceNumber'],
  part2: ['clientTimeStamp', 'orderIdOrNull', 'merchantToken', 'accountNumber', 'amount', 'referenceNumber']
} as const satisfies Record<keyof PreImages, readonly TermName[]>

export function preImagesOf (terms: Terms, merchantToken: string): PreImages {
  const { clientTimeStamp, sid, amount, referenceNumber, orderIdOrNull, accountNumber } = terms
  return { // as termsIn has it, and several times faster than joining by it
    part1: clientTimeStamp + sid + amount + referenceNumber,
    part2: clientTimeStamp + orderIdOrNull + merchantToken + accountNumber + amount + referenceNumber
  }
}
