import type { Reading } from './request.js'

/**
 * Returns the other operation that accepts the signature of a request, if a caller may gain by it. An inquiry by digits
 * has the signature of a void on that FCRN. The void has the same order id if `idType` is `ORDER_ID`, otherwise none.
 * An inquiry without an id and a clear cache have the same signature.
 */
export function alsoSignedLike ({ operation, referenceNumber }: Reading): 'void' | 'inquiry' | 'clearCache' | undefined {
  if (operation === 'clearCache') return 'inquiry'
  if (operation !== 'inquiry') return undefined
  if (referenceNumber === '') return 'clearCache'
  return /^[0-9]+$/.test(referenceNumber) ? 'void' : undefined
}
