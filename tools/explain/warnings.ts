import { fields } from '../../src/scheme/fields.js'
import type { Field } from '../../src/scheme/fields.js'
import { ownTokenOf } from '../../src/scheme/reading.js'
import type { Irregularity, Reading } from '../../src/scheme/reading.js'
import { codePoint, isInvisible } from '../../src/scheme/text.js'

/** Something that is legal and often a mistake. */
export interface Warning {
  /** Stable, such as `not-a-string`. */
  readonly code: WarningCode
  readonly field: Field
  /** One sentence. It shows no value but code points. */
  readonly message: string
}

export type WarningCode =
  | 'not-a-string' | 'amount-format' | 'amount-missing' | 'timestamp-not-milliseconds' | 'operation-unknown'
  | 'field-not-used' | 'id-type-unknown' | 'text-counts-as-empty' | 'white-space' | 'invisible-character' | 'not-normalized'
  | 'lone-surrogate' | 'two-account-numbers' | 'token-in-request' | 'key-case'

/** More keys are not looked at. */
const maxKeys = 1000

const warningOfKey = (key: string, field: Field): Warning =>
  ({ code: 'key-case', field, message: `The request has the key ${key}, which is not read: the field is ${field}.` })

function warningOf ({ kind, field, sent }: Irregularity, reading: Reading): Warning | undefined {
  const warning = (code: WarningCode, message: string): Warning => ({ code, field, message })
  switch (kind) {
    case 'type':
      if (field === 'clientTimeStamp' && sent === 'a string') return undefined
      return warning('not-a-string', `${field} was ${sent}, and the text that JavaScript makes of it is hashed` +
        `${field === 'amount' ? ': 100.00 becomes 100' : ''}. Send a string.`)
    case 'counts-as-empty':
      return warning('text-counts-as-empty', `${field} has the text ${sent}, which counts as empty.`)
    case 'unknown-operation':
      return warning('operation-unknown',
        'operationType is not purchase, refund, void or inquiry, so this is signed as a purchase.')
    case 'not-used':
      // Clients send it whatever the variant is.
      if (field === 'operationType') return undefined
      return warning('field-not-used', `${field} is given, but ${reading.fields.title} does not use it.`)
    case 'two-account-numbers':
      return warning('two-account-numbers',
        `merchantAccountNumber and accountNumber are both given; ${reading.accountNumberField} is used.`)
    case 'own-token':
      return warning('token-in-request',
        'The request brings a token of its own, which is used instead of the configured one.')
    case 'key-case':
      return warningOfKey(sent, field)
  }
}

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

const withoutSeparators = (key: string): string => key.replace(/[_-]/g, '').toLowerCase()

/** Returns warnings of keys that equal a field's name without `_` and `-`, such as `order_id`. */
const keyWarnings = (request: object): Warning[] => Object.keys(request).slice(0, maxKeys).flatMap(key => {
  const name = /[_-]/.test(key) ? withoutSeparators(key) : ''
  const field = fields.find(field => field.toLowerCase() === name)
  return field === undefined ? [] : [warningOfKey(key, field)]
})

/** Returns warnings of what in a request is legal and looks like a mistake. */
export function warningsOf (reading: Reading, request: object = {}): Warning[] {
  const { fields, amount, referenceNumber, orderIdOrNull, clientTimeStamp, irregularities } = reading
  const irregular = irregularities.flatMap(irregularity => warningOf(irregularity, reading) ?? [])
  const warnings = [...irregular, ...keyWarnings(request)]

  const texts: Array<[Field, string]> = [
    ['sid', reading.sid],
    ['clientTimeStamp', clientTimeStamp],
    [reading.accountNumberField, reading.accountNumber],
    ['merchantToken', ownTokenOf(reading) ?? ''],
    ['amount', amount]
  ]
  if (fields.orderId !== undefined && fields.orderIdIf === undefined) texts.push([fields.orderId, orderIdOrNull])
  if (fields.referenceNumber !== undefined) texts.push([fields.referenceNumber, referenceNumber])
  if (fields.uses.has('idType')) texts.push(['idType', reading.idType])
  for (const [field, text] of texts) warnings.push(...textWarnings(field, text))

  if (amount !== '' && !/^[0-9]+\.[0-9]{2}$/.test(amount)) {
    warnings.push({
      code: 'amount-format',
      field: 'amount',
      message: 'amount is not digits, a point and two decimals, as in 100.00.'
    })
  }
  if (amount === '' && fields.amount !== undefined && !irregularities.some(({ field }) => field === 'amount')) {
    warnings.push({
      code: 'amount-missing',
      field: 'amount',
      message: `amount is absent or empty, and ${fields.title} is signed without one.`
    })
  }
  if (!/^[0-9]{13}$/.test(clientTimeStamp)) {
    warnings.push({
      code: 'timestamp-not-milliseconds',
      field: 'clientTimeStamp',
      message: 'clientTimeStamp is not 13 digits, as epoch milliseconds are: 10 would be seconds, 16 microseconds.'
    })
  }
  if (fields.orderIdIf !== undefined && referenceNumber !== '' && orderIdOrNull === 'null') {
    warnings.push({
      code: 'id-type-unknown',
      field: 'idType',
      message: 'idType is not ORDER_ID, so transactionId is not used as the order id.'
    })
  }
  return warnings
}
