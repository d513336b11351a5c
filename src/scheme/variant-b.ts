import { sidRules, SigningError } from './errors.js'
import { operationFields, type Field, type SignatureRequest } from './fields.js'
import type { Derivation } from './reading.js'
import type { Parts } from './signature.js'
import { toText } from './text.js'
import { VariantSigner } from './variant.js'

/** Variant B signs one operation (specification 4.4). */
const purchase = operationFields({
  title: 'variant B',
  amount: 'amount',
  referenceNumber: 'orderId',
  selectors: [],
  required: ['amount']
})

const parts: Parts = {
  part1: ['clientTimeStamp', 'sid', 'amount', 'referenceNumber'],
  part2: ['clientTimeStamp', 'merchantToken', 'accountNumber', 'amount', 'referenceNumber']
}

/** A UUID version 4 as text, in either case. */
const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

/**
 * Variant B: single-purpose, a UUID v4 as session id, the order id as the reference (specification 4.2 and 4.4).
 *
 * @example
 * new VariantB(process.env.MERCHANT_TOKEN ?? '').sign({
 *   amount: '100.00', merchantAccountNumber: '102551', orderId: 'ORDER-12345',
 *   sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11', clientTimeStamp: 1709912345678
 * })
 */
export class VariantB extends VariantSigner {
  readonly variant: string = 'B'
  readonly operations = { purchase }
  readonly parts = parts

  protected derive (request: SignatureRequest): Derivation {
    return {
      operation: undefined,
      fields: purchase,
      amount: this.textOf(purchase.amount, request[purchase.amount]),
      referenceNumber: this.textOf(purchase.referenceNumber, request[purchase.referenceNumber]),
      orderIdOrNull: '',
      idType: ''
    }
  }

  protected textOf (field: Field, value: unknown): string {
    const text = toText(value ?? '')
    return field === 'amount' && text === 'undefined' ? '' : text
  }

  protected checkSid (sid: unknown): void {
    if (typeof sid !== 'string' || !uuidV4.test(sid)) {
      throw new SigningError('ERR_SID_INVALID', sidRules.uuidV4)
    }
  }
}
