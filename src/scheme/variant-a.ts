import { sidRules, SigningError } from './errors.js'
import {
  operationFields, operationNamed,
  type Field, type Operation, type OperationFields, type SignatureRequest, type TableField
} from './fields.js'
import type { Derivation } from './reading.js'
import type { Parts } from './signature.js'
import { toOptional } from './text.js'
import { VariantSigner } from './variant.js'

/** The table of specification 4.3. */
const operations: Readonly<Record<Operation, OperationFields>> = {
  purchase: operationFields({
    title: 'a purchase',
    amount: 'amount',
    orderId: 'orderId',
    selectors: ['operationType'],
    required: ['amount']
  }),
  refund: operationFields({
    title: 'a refund',
    amount: 'amount',
    referenceNumber: 'transactionFCRN',
    orderId: 'orderId',
    selectors: ['operationType'],
    required: ['amount', 'transactionFCRN']
  }),
  void: operationFields({
    title: 'a void',
    referenceNumber: 'transactionFCRN',
    orderId: 'orderId',
    selectors: ['operationType'],
    required: ['transactionFCRN']
  }),
  inquiry: operationFields({
    title: 'an inquiry',
    referenceNumber: 'transactionId',
    orderId: 'transactionId',
    orderIdIf: ['idType', 'ORDER_ID'],
    selectors: ['operationType', 'idType'],
    required: []
  })
}

const parts: Parts = {
  part1: ['clientTimeStamp', 'sid', 'amount', 'referenceNumber'],
  part2: ['clientTimeStamp', 'orderIdOrNull', 'merchantToken', 'accountNumber', 'amount', 'referenceNumber']
}

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
  readonly operations = operations
  readonly parts = parts

  protected derive (request: SignatureRequest): Derivation {
    // The type requires every field that the table can name.
    const texts: Readonly<Record<TableField, string>> = {
      operationType: toOptional(request.operationType),
      amount: toOptional(request.amount),
      orderId: toOptional(request.orderId),
      transactionFCRN: toOptional(request.transactionFCRN),
      transactionId: toOptional(request.transactionId),
      idType: toOptional(request.idType)
    }
    const operation = operationNamed(texts.operationType)
    const fields = operations[operation]
    const { amount, referenceNumber, orderId, orderIdIf } = fields
    const textOf = (field: TableField | undefined): string => field === undefined ? '' : texts[field]
    const hasOrderId = orderIdIf === undefined || textOf(orderIdIf[0]).toUpperCase() === orderIdIf[1]
    return {
      operation,
      fields,
      amount: textOf(amount),
      referenceNumber: textOf(referenceNumber),
      orderIdOrNull: (hasOrderId && textOf(orderId)) || 'null',
      idType: textOf('idType')
    }
  }

  protected textOf (_field: Field, value: unknown): string {
    return toOptional(value)
  }

  /** @throws SigningError `ERR_SID_INVALID` (specification 4.3, rule 4) */
  protected checkSid (sid: unknown): void {
    if (typeof sid !== 'string' || sid.trim() === '') {
      throw new SigningError('ERR_SID_INVALID', sidRules.notBlank)
    }
  }
}
