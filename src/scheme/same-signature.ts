import type { Reading } from './request.js'

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

/** The right to inquire without an id, and to clear the cache: one signature serves for both, and lists any period. */
export const listingRight = 'inquiry-without-id'
