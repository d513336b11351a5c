import { irregularitiesOf, titleOf, type Irregularity } from '../../src/guards/strict/irregularities.js'
import { fieldNames, toText, type Field, type Reading, type SignatureRequest } from '../../src/scheme/request.js'
import { codePoint, isInvisible } from '../../src/text/characters.js'

/** A legal property of a request that is often a mistake. */
export interface Warning {
  /** Stable, such as `not-a-string`. */
  readonly code: WarningCode
  readonly field: Field
  /** Sentence about the problem. It contains code points, but no values of the request. */
  readonly message: string
}

type WarningCode =
  | 'not-a-string' | 'amount-format' | 'amount-missing' | 'timestamp-not-milliseconds' | 'operation-unknown'
  | 'field-not-used' | 'id-type-unknown' | 'text-counts-as-empty' | 'white-space' | 'invisible-character' | 'not-normalized'
  | 'lone-surrogate' | 'two-account-numbers' | 'token-in-request' | 'key-case'

type CodeAndMessage = [code: WarningCode, message: string]

const ofIrregularity: Record<
  Irregularity['kind'], (irregularity: Irregularity, reading: Reading, value: unknown) => CodeAndMessage
> = {
  type: ({ field, sent }, _reading, value) => {
    const isRounded = typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER
    const example = isRounded ? ', with other digits: it is above 2^53' : field === 'amount' ? ': 100.00 becomes 100' : ''
    return ['not-a-string', `${field} was ${sent}, and the text that JavaScript makes of it is hashed${example}. ` +
      'Send a string.']
  },
  'counts-as-empty': ({ field, sent }) => ['text-counts-as-empty', `${field} has the text ${sent}, ` +
    'which counts as empty.'],
  'unknown-operation': ({ sent }) => {
    let what = 'is not purchase, refund, void, inquiry or clearCache'
    if (sent !== sent.trim()) what = 'has white space around it'
    else if (sent.toLowerCase() === 'clearcache') what = 'is clearCache, which has no other fields'
    return ['operation-unknown', `operationType ${what}, so this is signed as a purchase.`]
  },
  'not-used': ({ field }, reading) => ['field-not-used', `${field} is given, but ${titleOf(reading)} does not use it.`],
  'two-account-numbers': (_irregularity, { accountNumberField }) => ['two-account-numbers',
    `merchantAccountNumber and accountNumber are both given; ${accountNumberField} is used.`],
  'own-token': () => ['token-in-request',
    'The request contains merchantToken, which is used instead of the configured token.'],
  'key-case': ({ field, sent }) => ofKey(sent, field)
}

/** True for irregularities that many clients send: a time stamp as text, and an operation in variant B. */
const isCommon = ({ kind, field, sent }: Irregularity): boolean =>
  (kind === 'type' && field === 'clientTimeStamp' && sent === 'a string') ||
  (kind === 'not-used' && field === 'operationType')

/** Yields the warnings about the characters of a text. */
function * ofText (field: Field, text: string): Generator<CodeAndMessage> {
  if (!text.isWellFormed()) yield ['lone-surrogate', `${field} has half of a surrogate pair, which is hashed as U+FFFD.`]
  if (text.trim() !== text) yield ['white-space', `${field} begins or ends with white space, which is hashed too.`]
  const hidden = [...text.trim()].find(isInvisible)
  if (hidden !== undefined && text.isWellFormed()) {
    yield ['invisible-character', `${field} has an invisible or unusual character inside, ${codePoint(hidden)}, ` +
      'which is hashed too.']
  }
  if (text.normalize('NFC') !== text) {
    yield ['not-normalized', `${field} is not in Unicode's composed form (NFC): ` +
      'text that looks the same elsewhere may have other bytes.']
  }
}

/** Limit of the keys that are checked. */
const maxKeys = 1000

/** Returns the field whose name equals a key without `_`, `-` and case, such as `order_id`. */
export const fieldLike = (key: string): Field | undefined => {
  const name = key.slice(0, 64).replace(/[_-]/g, '').toLowerCase()
  return fieldNames.find(field => field.toLowerCase() === name)
}

const ofKey = (key: string, field: Field): CodeAndMessage =>
  ['key-case', `The request has the key ${key}, which is not read: the field is ${field}.`]

/** Returns the request's own token. Returns an empty text if there is none. */
export const ownTokenOf = ({ merchantToken }: SignatureRequest): string => merchantToken ? toText(merchantToken) : ''

/** Returns warnings about a request that can be signed: about irregularities, then characters, then formats. */
export function warningsOf (reading: Reading, request: SignatureRequest): Warning[] {
  const { sources, amount, referenceNumber, orderIdOrNull, clientTimeStamp } = reading
  const irregularities = irregularitiesOf(request, reading)
  const warnings: Warning[] = []
  const warn = (field: Field, [code, message]: CodeAndMessage): void => { warnings.push({ code, field, message }) }

  for (const irregularity of irregularities) {
    const { kind, field } = irregularity
    if (!isCommon(irregularity)) warn(field, ofIrregularity[kind](irregularity, reading, request[field]))
  }
  for (const key of Object.keys(request).slice(0, maxKeys).filter(key => /[_-]/.test(key))) { // others are irregularities
    const field = fieldLike(key)
    if (field !== undefined) warn(field, ofKey(key, field))
  }

  const texts: Array<[Field, string]> = [
    ['sid', reading.sid],
    ['clientTimeStamp', clientTimeStamp],
    [reading.accountNumberField, reading.accountNumber],
    ['merchantToken', ownTokenOf(request)],
    ['amount', amount]
  ]
  if (sources.orderId !== undefined && sources.idType === undefined) texts.push([sources.orderId, orderIdOrNull])
  if (sources.referenceNumber !== undefined) texts.push([sources.referenceNumber, referenceNumber])
  if (sources.idType !== undefined) texts.push(['idType', reading.idType])
  for (const [field, text] of texts) for (const warning of ofText(field, text)) warn(field, warning)

  if (amount !== '' && !/^[0-9]+\.[0-9]{2}$/.test(amount)) {
    warn('amount', ['amount-format', 'amount is not digits, a point and two decimals, as in 100.00.'])
  }
  if (amount === '' && sources.amount !== undefined && !irregularities.some(({ field }) => field === 'amount')) {
    warn('amount', ['amount-missing', `amount is absent or empty, and ${titleOf(reading)} is signed without one.`])
  }
  if (!/^[0-9]{13}$/.test(clientTimeStamp)) {
    const has = /^[0-9]+$/.test(clientTimeStamp) ? `has ${clientTimeStamp.length} digits` : 'is not a number'
    warn('clientTimeStamp', ['timestamp-not-milliseconds',
      `clientTimeStamp ${has}; epoch milliseconds have 13, seconds 10, microseconds 16.`])
  }
  if (sources.idType !== undefined && referenceNumber !== '' && orderIdOrNull === 'null') {
    warn('idType', ['id-type-unknown', 'idType is not ORDER_ID, so transactionId is not used as the order id.'])
  }
  return warnings
}
