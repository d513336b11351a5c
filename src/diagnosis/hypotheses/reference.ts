import { operationOf } from '../../scheme/operation.js'
import type { Context, TermHypothesis } from '../hypothesis.js'
import { fieldText } from './field-text.js'

const orderTerm = (orderId: string): string => orderId === '' ? 'null' : orderId

const isInquiry = ({ request }: Context): boolean => operationOf(fieldText(request.operationType)) === 'inquiry'

/** Fields that were taken for one another. */
export const reference: readonly TermHypothesis[] = [
  {
    name: 'fcrn-as-order-id',
    terms: ['orderIdOrNull'],
    texts: (_text, { request }) => [fieldText(request.transactionFCRN)].filter(Boolean),
    says: 'transactionFCRN was copied into the order id',
    fix: 'Leave the order id empty if there is none: the order term is then the text null.'
  },
  {
    name: 'id-type',
    terms: ['orderIdOrNull'],
    texts: (text, context) => {
      if (!isInquiry(context)) return []
      return text === 'null' ? [orderTerm(fieldText(context.request.transactionId))] : ['null']
    },
    says: 'idType was read differently: transactionId is the order term only if idType is ORDER_ID, in any case',
    fix: 'Send idType ORDER_ID when transactionId is an order id, and compare it case-insensitively.'
  },
  {
    name: 'order-id-of-inquiry',
    terms: ['orderIdOrNull'],
    texts: (_text, context) => isInquiry(context) ? [orderTerm(fieldText(context.request.orderId))] : [],
    says: 'it was taken from the field orderId',
    fix: 'The order term of an inquiry is transactionId, when idType is ORDER_ID; otherwise the text null.'
  },
  {
    name: 'reference-from-another-field',
    terms: ['referenceNumber'],
    texts: (_text, { request }) => [request.transactionFCRN, request.transactionId, request.orderId].map(fieldText),
    says: 'it was taken from another field',
    fix: 'A purchase has no reference; refund and void use transactionFCRN, an inquiry transactionId, variant B orderId.'
  }
]
