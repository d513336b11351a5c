import { sidMessages, SigningError } from './errors.js'
import { toText, type Derivation } from './request.js'
import { Signer, type Rules } from './signer.js'

/** Variant B signs one operation (specification 4.4). */
const purchase: Derivation['sources'] = Object.freeze({ amount: 'amount', referenceNumber: 'orderId' })

/** A UUID version 4 as text, in either case. */
const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

/** Variant B: single-purpose, a UUID v4 as session id, the order id as the reference (specification 4.2 and 4.4). */
export const rulesB: Rules = {
  variant: 'B',
  operations: { purchase },
  parts: {
    part1: ['clientTimeStamp', 'sid', 'amount', 'referenceNumber'],
    part2: ['clientTimeStamp', 'merchantToken', 'accountNumber', 'amount', 'referenceNumber']
  },
  derive (request) {
    const amount = toText(request.amount ?? '')
    return {
      operation: 'purchase',
      sources: purchase,
      amount: amount === 'undefined' ? '' : amount,
      referenceNumber: toText(request.orderId ?? ''),
      orderIdOrNull: '',
      idType: ''
    }
  },
  checkSid (sid) {
    if (typeof sid !== 'string' || !uuidV4.test(sid)) throw new SigningError('ERR_SID_INVALID', sidMessages.uuidV4)
  }
}

/**
 * Signs under {@link rulesB}.
 *
 * @example
 * const signer = new VariantB(process.env.MERCHANT_TOKEN ?? '')
 * const reading = signer.read({
 *   amount: '100.00', merchantAccountNumber: '102551', orderId: 'ORDER-12345',
 *   sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11', clientTimeStamp: 1709912345678
 * })
 * signer.sign(reading)
 */
export class VariantB extends Signer {
  /** @throws UsageError `ERR_MERCHANT_TOKEN`: the token is empty, or not a string */
  constructor (merchantToken: string) { super(rulesB, merchantToken) }
}
