import type { Reading } from '../scheme/request.js'

/**
 * Returns the other operation that accepts the signature of a request; undefined without one. An inquiry by digits only
 * has the signature of a void on that FCRN. The void has the same order id if `idType` is `ORDER_ID`, otherwise none.
 * An inquiry without an id and a clear cache have the same signature.
 */
export function alsoSignedLike ({ operation, referenceNumber }: Reading): 'void' | 'inquiry' | 'clear-cache' | undefined {
  if (operation === 'clear-cache') return 'inquiry'
  if (operation !== 'inquiry') return undefined
  if (referenceNumber === '') return 'clear-cache'
  return /^[0-9]+$/.test(referenceNumber) ? 'void' : undefined
}

/** Rights of which each includes the other, since one signature serves for both: it lists any period of the account. */
export const listingRights = ['inquiry-without-id', 'clear-cache'] as const
