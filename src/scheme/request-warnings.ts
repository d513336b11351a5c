import { codePoint, isInvisible } from './characters.js'
import type { Operation } from './operation.js'
import { operationOf, users } from './operation.js'
import type { SignatureRequest } from './signature-request.js'
import { toOptional } from './terms.js'
import { isEmpty } from './text.js'
import type { Variant } from './variant.js'

type Field = keyof SignatureRequest

/** Something that is legal and often a mistake. */
export interface Warning {
  /** Stable, such as `not-a-string`. */
  readonly code: WarningCode
  readonly field: Field
  /** One sentence. It shows no value but code points. */
  readonly message: string
}

export type WarningCode =
  | 'not-a-string' | 'amount-format' | 'timestamp-not-milliseconds' | 'operation-unknown' | 'field-not-used'
  | 'id-type-unknown' | 'text-counts-as-empty' | 'white-space' | 'invisible-character' | 'not-normalized'
  | 'lone-surrogate' | 'two-account-numbers' | 'token-in-request'

/** The fields whose text each operation puts into a signature (specification 4.3); B stands for variant B (4.4). */
const usedBy: Record<Operation | 'B', readonly Field[]> = {
  purchase: ['amount', 'orderId'],
  refund: ['amount', 'orderId', 'transactionFCRN'],
  void: ['orderId', 'transactionFCRN'],
  inquiry: ['transactionId', 'idType'],
  B: ['amount', 'orderId']
}

const usedByAll = ['sid', 'clientTimeStamp', 'merchantAccountNumber', 'accountNumber', 'merchantToken'] as const

const optional = ['amount', 'orderId', 'transactionFCRN', 'transactionId', 'idType'] as const

/** What may be wrong with any text. */
function * textWarnings (field: Field, text: string): Generator<Warning> {
  if (!text.isWellFormed()) {
    yield { code: 'lone-surrogate', field, message: `${field} has half of a surrogate pair, which is hashed as U+FFFD.` }
  }
  if (text.trim() !== text) {
    yield { code: 'white-space', field, message: `${field} begins or ends with white space, which is hashed too.` }
  }
  const hidden = [...text.trim()].find(isInvisible)
  if (hidden !== undefined && text.isWellFormed()) {
    yield {
      code: 'invisible-character',
      field,
      message: `${field} has an invisible or unusual character inside, ${codePoint(hidden)}, which is hashed too.`
    }
  }
  if (text.normalize('NFC') !== text) {
    yield {
      code: 'not-normalized',
      field,
      message: `${field} is not in Unicode's composed form (NFC): what looks the same elsewhere may be other bytes.`
    }
  }
}

function * typeWarnings (field: Field, value: unknown): Generator<Warning> {
  if (typeof value === 'string' || isEmpty(value)) return
  if (field === 'clientTimeStamp' && Number.isSafeInteger(value)) return
  const kind = Array.isArray(value) ? 'an array' : typeof value === 'object' ? 'an object' : `a ${typeof value}`
  yield {
    code: 'not-a-string',
    field,
    message: `${field} was ${kind}, and the text that JavaScript makes of it is hashed` +
      `${field === 'amount' ? ': 100.00 becomes 100' : ''}. Send a string.`
  }
}

/** What about a request that can be signed looks like a mistake. */
export function requestWarnings (variant: Variant, request: SignatureRequest): Warning[] {
  const operation = variant === 'A' ? operationOf(request.operationType) : 'B'
  const used = [...usedByAll, ...usedBy[operation]]
  const warnings: Warning[] = []

  if (variant === 'A') {
    const given = toOptional(request.operationType)
    if (given !== '' && given.toLowerCase() !== operation) {
      warnings.push({
        code: 'operation-unknown',
        field: 'operationType',
        message: 'operationType is none of purchase, refund, void and inquiry, so this is signed as a purchase.'
      })
    }
  }
  for (const field of used) {
    const value = request[field]
    warnings.push(...typeWarnings(field, value))
    if (typeof value === 'string') warnings.push(...textWarnings(field, value))
  }
  const { amount, clientTimeStamp } = request
  if (used.includes('amount') && !isEmpty(amount) && toOptional(amount) !== '' && !/^[0-9]+\.[0-9]{2}$/.test(String(amount))) {
    warnings.push({
      code: 'amount-format',
      field: 'amount',
      message: 'amount is not digits, a point and two decimals, as in 100.00.'
    })
  }
  if (!/^[0-9]{13}$/.test(String(clientTimeStamp))) {
    warnings.push({
      code: 'timestamp-not-milliseconds',
      field: 'clientTimeStamp',
      message: 'clientTimeStamp is not 13 digits, as epoch milliseconds are: 10 would be seconds, 16 microseconds.'
    })
  }
  if (operation === 'inquiry' && !isEmpty(request.transactionId) && toOptional(request.idType).toUpperCase() !== 'ORDER_ID') {
    warnings.push({
      code: 'id-type-unknown',
      field: 'idType',
      message: 'idType is not ORDER_ID, so transactionId is not used as the order id.'
    })
  }
  for (const field of optional) {
    const value = request[field]
    if (isEmpty(value)) continue
    if (!used.includes(field)) {
      warnings.push({ code: 'field-not-used', field, message: `${field} is given, and ${users[operation]} does not use it.` })
    } else if (operation === 'B' ? field === 'amount' && String(value) === 'undefined' : toOptional(value) === '') {
      warnings.push({
        code: 'text-counts-as-empty',
        field,
        message: `${field} has the text ${String(value)}, which counts as empty.`
      })
    }
  }
  if (request.merchantAccountNumber && request.accountNumber) {
    warnings.push({
      code: 'two-account-numbers',
      field: 'accountNumber',
      message: 'merchantAccountNumber and accountNumber are both given; merchantAccountNumber is used.'
    })
  }
  if (request.merchantToken) {
    warnings.push({
      code: 'token-in-request',
      field: 'merchantToken',
      message: 'The request brings a token of its own, which is used instead of the configured one.'
    })
  }
  return warnings
}
