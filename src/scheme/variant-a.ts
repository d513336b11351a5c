import { sidRules, SigningError } from './errors.js'
import { operations, toOptional, type Derivation, type SignatureRequest } from './request.js'
import { VariantSigner } from './signer.js'

/** The table of specification 4.3. */
const table: Readonly<Record<typeof operations[number], Derivation['sources']>> = {
  purchase: Object.freeze({ amount: 'amount', orderId: 'orderId' }),
  refund: Object.freeze({ amount: 'amount', referenceNumber: 'transactionFCRN', orderId: 'orderId' }),
  void: Object.freeze({ referenceNumber: 'transactionFCRN', orderId: 'orderId' }),
  inquiry: Object.freeze({ referenceNumber: 'transactionId', orderId: 'transactionId', idType: 'idType' })
}

/** The row of a clear cache. */
const noSources: Derivation['sources'] = Object.freeze({})

const parts: VariantSigner['parts'] = {
  part1: ['clientTimeStamp', 'sid', 'amount', 'referenceNumber'],
  part2: ['clientTimeStamp', 'orderIdOrNull', 'merchantToken', 'accountNumber', 'amount', 'referenceNumber']
}

/**
 * Returns the operation that a text names, in any case. Any other text is a purchase. Compares the lengths first: the
 * lower case of a long text is expensive.
 */
const operationNamed = (text: string): typeof operations[number] =>
  operations.find(name => text.length === name.length && text.toLowerCase() === name) ?? 'purchase'

/** True for the text `clearCache` in any case. */
const namesClearCache = (text: string): boolean => text.length === 10 && text.toLowerCase() === 'clearcache'

/**
 * Variant A: operation-aware, any session id that is not blank, an order term in part 2 (specification 4.2, 4.3).
 *
 * @example
 * new VariantA(process.env.MERCHANT_TOKEN ?? '').sign({
 *   operationType: 'refund', amount: '100.00', merchantAccountNumber: '102551', transactionFCRN: '987654',
 *   sid: 'client-generated-session-id', clientTimeStamp: 1709912345678
 * })
 */
export class VariantA extends VariantSigner {
  readonly variant: string = 'A'
  readonly operations = table
  readonly parts = parts

  protected derive (request: SignatureRequest, isStrict: boolean): Derivation {
    const operationType = toOptional(request.operationType)
    const texts = {
      amount: toOptional(request.amount),
      orderId: toOptional(request.orderId),
      transactionFCRN: toOptional(request.transactionFCRN),
      transactionId: toOptional(request.transactionId),
      idType: toOptional(request.idType)
    }
    const isClearCache = isStrict && namesClearCache(operationType) && Object.values(texts).every(text => text === '')
    const named = operationNamed(operationType)
    const operation = isClearCache ? 'clear-cache' : named
    const sources = isClearCache ? noSources : table[named]
    const textOf = (field: keyof typeof texts | undefined): string => field === undefined ? '' : texts[field]
    const hasOrderId = operation !== 'inquiry' || texts.idType.toUpperCase() === 'ORDER_ID'
    return {
      operation,
      sources,
      amount: textOf(sources.amount),
      referenceNumber: textOf(sources.referenceNumber),
      orderIdOrNull: (hasOrderId && textOf(sources.orderId)) || 'null',
      idType: textOf(sources.idType)
    }
  }

  /** @throws SigningError `ERR_SID_INVALID` (specification 4.3, rule 4) */
  protected checkSid (sid: unknown): void {
    if (typeof sid !== 'string' || sid.trim() === '') throw new SigningError('ERR_SID_INVALID', sidRules.notBlank)
  }
}
