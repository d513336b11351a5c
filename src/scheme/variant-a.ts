import { sidMessages, SigningError } from './errors.js'
import { operations, toOptional, type Derivation, type Operation, type SignatureRequest } from './request.js'
import { Signer, type Rules } from './signer.js'

/** The table of specification 4.3. */
const table: Readonly<Record<typeof operations[number], Derivation['sources']>> = {
  purchase: Object.freeze({ amount: 'amount', orderId: 'orderId' }),
  refund: Object.freeze({ amount: 'amount', referenceNumber: 'transactionFCRN', orderId: 'orderId' }),
  void: Object.freeze({ referenceNumber: 'transactionFCRN', orderId: 'orderId' }),
  inquiry: Object.freeze({ referenceNumber: 'transactionId', orderId: 'transactionId', idType: 'idType' })
}

/** The row of a clear cache. */
const noSources: Derivation['sources'] = Object.freeze({})

/** The operations by the lower case of their names. `clearCache` is the payment library's name. */
const named: ReadonlyMap<string, Operation> =
  new Map([...operations.map(name => [name, name] as const), ['clearcache', 'clearCache']])

/** Length of the longest name. The lower case of a longer text is expensive. */
const maxLength = 10

/** Derives the terms of a request by the table (specification 4.3). */
function derive (request: SignatureRequest): Derivation {
  const operationType = toOptional(request.operationType)
  const texts = {
    amount: toOptional(request.amount),
    orderId: toOptional(request.orderId),
    transactionFCRN: toOptional(request.transactionFCRN),
    transactionId: toOptional(request.transactionId),
    idType: toOptional(request.idType)
  }
  const given = operationType.length > maxLength ? undefined : named.get(operationType.toLowerCase())
  const isClearCache = given === 'clearCache' && Object.values(texts).every(text => text === '')
  const operation = given === undefined || given === 'clearCache' ? 'purchase' : given
  const sources = isClearCache ? noSources : table[operation]
  const hasOrderId = operation !== 'inquiry' || texts.idType.toUpperCase() === 'ORDER_ID'
  return {
    operation: isClearCache ? 'clearCache' : operation,
    sources,
    amount: sources.amount ? texts[sources.amount] : '',
    referenceNumber: sources.referenceNumber ? texts[sources.referenceNumber] : '',
    orderIdOrNull: (hasOrderId && sources.orderId && texts[sources.orderId]) || 'null',
    idType: sources.idType ? texts[sources.idType] : ''
  }
}

/** Variant A: operation-aware, any session id that is not blank, an order term in part 2 (specification 4.2, 4.3). */
export const rulesA: Rules = {
  variant: 'A',
  operations: table,
  parts: {
    part1: ['clientTimeStamp', 'sid', 'amount', 'referenceNumber'],
    part2: ['clientTimeStamp', 'orderIdOrNull', 'merchantToken', 'accountNumber', 'amount', 'referenceNumber']
  },
  derive,
  checkSid (sid) { // rule 4
    if (typeof sid !== 'string' || sid.trim() === '') throw new SigningError('ERR_SID_INVALID', sidMessages.notBlank)
  }
}

/**
 * Signs under {@link rulesA}.
 *
 * @example
 * const signer = new VariantA(process.env.MERCHANT_TOKEN ?? '')
 * const reading = signer.read({
 *   operationType: 'refund', amount: '100.00', merchantAccountNumber: '102551', transactionFCRN: '987654',
 *   sid: 'client-generated-session-id', clientTimeStamp: 1709912345678
 * })
 * signer.sign(reading)
 */
export class VariantA extends Signer {
  /** @throws UsageError `ERR_MERCHANT_TOKEN`: the token is empty, or not a string */
  constructor (merchantToken: string) { super(rulesA, merchantToken) }
}
