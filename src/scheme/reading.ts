import { InvalidRequestError } from './errors.js'
import {
  fieldNames, fields, operationIn, tableFields,
  type Field, type Operation, type OperationFields, type PaymentRequest, type SignatureRequest
} from './fields.js'
import type { Terms } from './signature.js'
import { isEmpty, toText } from './text.js'

/** A legal property of a request that is often a mistake. */
export interface Irregularity {
  /**
   * - `type`: not of the specification's type (2.1)
   * - `counts-as-empty`: a text that is signed as an empty text
   * - `unknown-operation`: signed as a purchase
   * - `not-used`: the operation, or the variant, does not use the field
   * - `two-account-numbers`: both fields have an account number
   * - `own-token`: the request contains a token
   * - `key-case`: a key that differs from the field's name only in the case of its letters; it is not read
   */
  readonly kind: 'type' | 'counts-as-empty' | 'unknown-operation' | 'not-used' | 'two-account-numbers' | 'own-token' | 'key-case'
  readonly field: Field
  /** `type`: the type, such as `an array`. `counts-as-empty`, `unknown-operation`: the text. `key-case`: the key. */
  readonly sent: string
}

/** The terms that a variant derives from a request, and the fields that they come from. */
export interface Derivation extends Pick<Terms, 'amount' | 'referenceNumber' | 'orderIdOrNull'> {
  /** Undefined in variants without operations. */
  readonly operation: Operation | undefined
  /** The row of the variant's table that was used. */
  readonly fields: OperationFields
  /** Text of the field `idType`. Empty when absent, and in variant B. */
  readonly idType: string
}

/**
 * A request as it will be signed: the texts that enter the pre-images, without the token, and the request's
 * irregularities. Every guard, every record and the signature itself use this object and not the request. It is frozen.
 */
export interface Reading extends Derivation, Terms {
  readonly variant: string
  /** The field that the account number came from. */
  readonly accountNumberField: 'merchantAccountNumber' | 'accountNumber'
  readonly irregularities: readonly Irregularity[]
}

/** The tokens of requests. They are not in the reading, which guards and custom signers get. */
const ownTokens = new WeakMap<Reading, string>()

/** Returns the request's own token; undefined if it has none (specification 4.2). */
export const ownTokenOf = (reading: Reading): string | undefined => ownTokens.get(reading)

/**
 * Performs steps 1 to 5 of specification 4.1. The first step that fails determines the response.
 *
 * @throws InvalidRequestError a required field is missing, or the amount is not positive
 * @throws SigningError `ERR_NOT_TEXT`: the amount cannot be converted to text
 */
export function checkRequest (request: SignatureRequest): void {
  // parseFloat reads the leading decimal prefix; an absent amount is the text "undefined", which is not a number.
  if (Number.parseFloat(toText(request.amount)) <= 0) throw new InvalidRequestError('ERR_AMOUNT_NOT_POSITIVE')
  if (!request.merchantAccountNumber && !request.accountNumber) {
    throw new InvalidRequestError('ERR_ACCOUNT_NUMBER_REQUIRED')
  }
  if (request.sid === undefined || request.sid === null || request.sid === '') {
    throw new InvalidRequestError('ERR_SID_REQUIRED')
  }
  if (request.clientTimeStamp === undefined || request.clientTimeStamp === null) {
    throw new InvalidRequestError('ERR_CLIENT_TIMESTAMP_REQUIRED')
  }
}

/** True if the request has its own `merchantToken`. */
export const hasOwnToken = (reading: Reading): boolean => ownTokens.has(reading)

function typeOf (value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

const maxFieldLength = Math.max(...fields.map(field => field.length))

/** Returns a key as case-insensitive decoders compare keys. Go's decoder reads `\u017fid` as `sid`. */
const folded = (key: string): string => key.toUpperCase().toLowerCase()

const fieldOfFolded: ReadonlyMap<string, Field> = new Map(fields.map(field => [folded(field), field]))

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null

/**
 * Returns a copy of a request with texts for the arrays and objects that several steps use, so that each is converted
 * once. A value that cannot be converted is kept: the step that needs its text throws.
 */
export function withTexts (request: SignatureRequest): SignatureRequest {
  if (!tableFields.some(field => isObject(request[field]))) return request
  const copy = Object.fromEntries(fields.map(field => [field, request[field]]))
  for (const field of tableFields.filter(field => isObject(copy[field]))) {
    try {
      copy[field] = toText(copy[field])
    } catch {}
  }
  return copy as unknown as SignatureRequest
}

/** Returns the text under which a variant signs a field. */
type TextOf = (field: Field, value: unknown) => string

/** @param texts - the same request with the texts of its arrays and objects */
function irregularitiesOf (
  request: SignatureRequest, texts: SignatureRequest, { fields: { uses } }: Derivation, textOf: TextOf
): readonly Irregularity[] {
  const found: Irregularity[] = []
  const note = (kind: Irregularity['kind'], field: Field, sent = ''): void => { found.push({ kind, field, sent }) }

  for (const key of Object.keys(request)) {
    if (!fieldNames.has(key)) {
      const field = key.length > maxFieldLength ? undefined : fieldOfFolded.get(folded(key))
      if (field !== undefined) note('key-case', field, key)
      continue
    }
    const field = key as Field
    const value = request[field]
    if (isEmpty(value)) continue
    const isCommon = uses.get(field)
    if (isCommon === undefined) {
      note('not-used', field)
      continue
    }
    const isRegular = field === 'clientTimeStamp' ? Number.isSafeInteger(value) : typeof value === 'string'
    if (!isRegular) note('type', field, typeOf(value))
    if (isCommon) continue
    const text = textOf(field, texts[field])
    if (text === '') note('counts-as-empty', field, toText(texts[field]))
    else if (field === 'operationType' && operationIn(text) === undefined) note('unknown-operation', field, text)
  }
  if (!isEmpty(request.merchantAccountNumber) && !isEmpty(request.accountNumber)) note('two-account-numbers', 'accountNumber')
  if (request.merchantToken) note('own-token', 'merchantToken')
  // In the specification's order: the first irregularity must not depend on the order of the client's keys.
  return Object.freeze(found.sort((one, other) => fields.indexOf(one.field) - fields.indexOf(other.field)))
}

/**
 * Completes a derivation with the fields that all variants read in the same way, and freezes the result.
 *
 * @param texts - the same request with the texts of its arrays and objects
 * @throws SigningError `ERR_NOT_TEXT`
 */
export function frozenReading (
  variant: string, request: SignatureRequest, texts: SignatureRequest, derivation: Derivation, textOf: TextOf
): Reading {
  const clientTimeStamp = toText(request.clientTimeStamp)
  const ownToken = request.merchantToken ? toText(request.merchantToken) : undefined
  const accountNumberField = request.merchantAccountNumber ? 'merchantAccountNumber' : 'accountNumber'
  const reading: Reading = Object.freeze({
    variant,
    ...derivation,
    clientTimeStamp,
    sid: toText(request.sid ?? ''),
    accountNumber: toText(request[accountNumberField]),
    accountNumberField,
    irregularities: irregularitiesOf(request, texts, derivation, textOf)
  })
  if (ownToken !== undefined) ownTokens.set(reading, ownToken)
  return reading
}

/** The fields that are signed, as text. A time stamp is a number if a number was sent. */
export type SignedFields = Omit<PaymentRequest, 'merchantAccountNumber' | 'accountNumber' | 'merchantToken' | 'clientTimeStamp'> & {
  readonly merchantAccountNumber: string
  readonly clientTimeStamp: number | string
}

/**
 * Returns the fields of the specification (2.1) that are signed and not empty, each once, with the text that is hashed:
 * U+FFFD replaces each lone surrogate. The time stamp is a number if a number was sent.
 *
 * If one term ends with the first half of a surrogate pair and the next term begins with the second half, the joined
 * text contains the whole character, but both fields contain U+FFFD here.
 *
 * @example
 * fieldsOf(readerOf('A').read(request)).merchantAccountNumber // '102551'
 */
export function fieldsOf (reading: Reading): SignedFields {
  const { operation, fields: own, amount, referenceNumber, orderIdOrNull, idType } = reading
  const { clientTimeStamp, irregularities } = reading
  const isNumber = clientTimeStamp !== '' && !irregularities.some(({ kind, field }) => kind === 'type' && field === 'clientTimeStamp')
  // Assignments: a spread takes thirty times as long, and each guard calls this function.
  const values: Partial<Record<Field, string | number>> = {}
  if (operation !== undefined) values.operationType = operation
  values.merchantAccountNumber = reading.accountNumber.toWellFormed()
  if (own.amount !== undefined && amount !== '') values[own.amount] = amount.toWellFormed()
  if (own.orderId !== undefined && orderIdOrNull !== 'null') values[own.orderId] = orderIdOrNull.toWellFormed()
  if (own.referenceNumber !== undefined && referenceNumber !== '') values[own.referenceNumber] = referenceNumber.toWellFormed()
  if (idType !== '' && own.uses.has('idType')) values.idType = idType.toUpperCase().toWellFormed()
  values.sid = reading.sid.toWellFormed()
  values.clientTimeStamp = isNumber ? Number(clientTimeStamp) : clientTimeStamp.toWellFormed()
  return Object.freeze(values) as SignedFields
}
